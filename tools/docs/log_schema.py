"""JSON Schema of `log --format json`: its findings are the findings of a report, without the number of a comparison."""

from __future__ import annotations

from typing import Any

from opspec_lint.documents.schema import load

PATH = "opspec_lint/documents/schemas/log.schema.json"
_NOT_HERE = "comparison"
_OF_REPORT = ("side", "comparison")
"""Definitions of the schema of a report that no finding refers to."""


def schema() -> dict[str, Any]:
    """Return the schema."""
    report = load("report")
    definitions = {name: definition for name, definition in report["$defs"].items() if name not in _OF_REPORT}
    finding = dict(definitions["finding"])
    finding["required"] = [name for name in finding["required"] if name != _NOT_HERE]
    finding["properties"] = {name: field for name, field in finding["properties"].items() if name != _NOT_HERE}
    properties = {
        "version": {"const": 1},
        "source": {"description": "What it is the history of, as the user named it.", "type": "string"},
        "commits": {
            "description": "The commits that changed the contract, newest first.",
            "type": "array",
            "items": {"$ref": "#/$defs/commit"},
        },
        "unread": {
            "description": "The revisions of the range that could not be read.",
            "type": "array",
            "items": {"$ref": "urn:opspec-lint:blame#/$defs/gap"},
        },
    }
    return {
        "$schema": report["$schema"],
        "$id": "urn:opspec-lint:log",
        "title": "What opspec-lint log --format json writes",
        **_object(properties),
        "$defs": {"commit": _commit(), **definitions, "finding": finding},
    }


def _commit() -> dict[str, Any]:
    return _object(
        {
            "commit": {"description": "Its id.", "type": "string", "pattern": "^[0-9a-f]+$"},
            "date": {
                "description": "The day on which it was committed.",
                "type": "string",
                "pattern": r"^\d{4}-\d\d-\d\d$",
            },
            "subject": {"type": "string"},
            "pull_request": {"description": "The number in its subject, null for none.", "type": ["integer", "null"]},
            "releases": {
                "description": "The tags that contain it, oldest first, previews of releases among them.",
                "type": "array",
                "items": {"type": "string"},
            },
            "findings": {
                "description": "Those of check between its first parent and it.",
                "type": "array",
                "minItems": 1,
                "items": {"$ref": "#/$defs/finding"},
            },
        }
    )


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": properties,
    }
