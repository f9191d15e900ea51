"""The JSON Schema of spec files, as it follows from the fields that there are."""

from __future__ import annotations

from functools import cache

from opspec_lint.spec.canonical import VERSION
from opspec_lint.spec.fields import DOCUMENTATION, SECTIONS, field_table_of_all_frameworks
from opspec_lint.spec.fields import field_table as table_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.spec.fields import Field, FieldTable, Section

_FORMS: dict[str, dict[str, Any]] = {
    "flag": {"type": "boolean"},
    "text": {"type": "string"},
    "name": {"type": ["string", "null"]},
    "names": {"type": "array", "items": {"type": "string"}},
    "integer": {"type": ["integer", "null"], "format": "attr-value"},
    "number": {"type": ["number", "null"], "format": "attr-value"},
    "value": {"$ref": "#/$defs/value"},
    "condition": {
        "type": ["array", "null"],
        "minItems": 1,
        "items": {"type": "array", "minItems": 1, "items": {"type": "string"}},
    },
    "values": {"type": ["array", "object", "null"], "format": "attr-value"},
}
_TEXT = {"type": "string"}
_NAME = {"type": "string", "pattern": "^[^\\u0000]*$"}
_TEXTS = {"type": "array", "items": _TEXT}
_NAMES: dict[Section, str] = {"ops": "op", "inputs": "input", "outputs": "output", "attrs": "attr"}
"""What the schema calls a thing of each section."""


@cache
def schema(framework: str | None = None) -> dict[str, Any]:
    """Return the schema of the spec files of a framework; None stands for all frameworks together."""
    table = field_table_of_all_frameworks() if framework is None else table_of(framework)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:opspec-lint:opspec{'' if framework is None else f':{framework}'}",
        "title": "An opspec-lint spec file: the contract of a framework's operators",
        **_object(_HEAD, "opspec", "provenance", "knows", "ops"),
        "$defs": {**_definitions(table), **_HISTORY, **_VALUES},
    }


def _object(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {
        "type": "object",
        **({"required": list(required)} if required else {}),
        "additionalProperties": False,
        "properties": properties,
    }


def _about(text: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": text, **schema} if text else schema


def _map_of(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": items}


def _list_of(name: str) -> dict[str, Any]:
    return {"type": "array", "items": {"$ref": f"#/$defs/{name}"}}


def _definitions(table: FieldTable) -> dict[str, Any]:
    names = {f"{_NAMES[section]}_fields": _names_of(table, section) for section in SECTIONS}
    things = {_NAMES[section]: _thing(table, section) for section in SECTIONS}
    return {**names, **things}


def _names_of(table: FieldTable, section: Section) -> dict[str, Any]:
    return {"type": "array", "uniqueItems": True, "items": {"enum": list(table.fields_of(section))}}


def _thing(table: FieldTable, section: Section) -> dict[str, Any]:
    """Return the schema of an op, an input, an output or an attr."""
    known = {name: _field(field) for name, field in table.fields_of(section).items()}
    known |= dict.fromkeys(DOCUMENTATION[section], _TEXT)
    known["unknown"] = {"$ref": f"#/$defs/{_NAMES[section]}_fields"}
    if section != "ops":
        return _object({"name": _TEXT, **known}, "name")
    known |= {each: _list_of(_NAMES[each]) for each in SECTIONS if each != "ops" and table.fields_of(each)}
    return _object({"builds": _TEXTS, **known})


def _field(field: Field) -> dict[str, Any]:
    return _about(field.about, {**_FORMS[field.form], **field.schema})


_VERSION = {"$ref": "#/$defs/version"}
_GRAPH_VERSIONS = _object(
    {
        "producer": _about("The version of the graphs that it writes.", _VERSION),
        "min_consumer": _about("The lowest version that may read its graphs.", _VERSION),
        "min_producer": _about("The lowest version of the graphs that it reads.", _VERSION),
        "bad_consumers": _about("The versions that may not read its graphs.", _list_of("version")),
        "producer_since": _about(
            "The date when it began to write graphs of that version.",
            {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"},
        ),
    },
    "producer",
)
_HEAD = {
    "$schema": _TEXT,
    "opspec": _about("The version of this format.", {"type": "integer", "minimum": VERSION, "maximum": VERSION}),
    "provenance": _object(
        {
            "framework": {"type": "string", "minLength": 1},
            "version": _about("The release of the framework, without NUL.", _NAME),
            "commit": _about("The commit the framework was built from, without NUL.", _NAME),
            "made_by": _about("How the spec was made, without NUL.", _NAME),
        },
        "framework",
    ),
    "binding": _about(
        "How a saved model refers to the arguments of an op: by name, unless stated otherwise.",
        {"type": "string", "minLength": 1},
    ),
    "ordered": _about('True means the binding "signature", in files that predate `binding`.', _FORMS["flag"]),
    "graph_versions": _about(
        "Which saved graphs the release writes and reads, by the version of the graph format. A missing version is 0.",
        _GRAPH_VERSIONS,
    ),
    "loading": _about(
        "What else the framework's loader decides by, such as the version that it compares with that of a file.",
        _map_of({"$ref": "#/$defs/value"}),
    ),
    "knows": _about(
        "Which fields the source knows. A known field that is left out has its default: false, no default "
        "value, no restriction. Any other field that is left out is unknown.",
        _object({section: {"$ref": f"#/$defs/{_NAMES[section]}_fields"} for section in SECTIONS}),
    ),
    "ops": _map_of({"$ref": "#/$defs/op"}),
    "earlier": _about(
        "The earlier declarations of an op, oldest first; `ops` has the current one.", _map_of(_list_of("op"))
    ),
    "op_versions": _about(
        "The version history of each op, oldest checkpoint first. Left out if the source has none.",
        _map_of(_list_of("checkpoint")),
    ),
}
_HISTORY = {
    "checkpoint": _object({"note": _TEXT, "updates": _list_of("update")}, "updates"),
    "update": {
        **_object(
            {
                "action": {"enum": ["new", "modify", "delete", "bugfix"]},
                "kind": {"enum": ["input", "output", "attr"]},
                "name": _TEXT,
                "remark": _TEXT,
                "default_value": {"$ref": "#/$defs/value"},
            },
            "action",
        ),
        "if": {"properties": {"action": {"const": "bugfix"}}},
        "then": {"properties": {"kind": {"not": {}}, "name": {"not": {}}}},
        "else": {"required": ["kind", "name"]},
    },
}
_VALUES = {
    "version": {"type": "integer", "format": "attr-value"},
    "value": {
        "description": "Integers have 64 bits. NaN and infinities, which JSON lacks, are "
        '{"float": "NaN"}, "Infinity" and "-Infinity".',
        "format": "attr-value",
    },
}
