"""The JSON Schema of spec files, generated from the declarations of fields."""

from __future__ import annotations

from functools import cache

from opspec_lint.spec.canonical import VERSION
from opspec_lint.spec.fields import DOCUMENTATION, SECTIONS, field_table_of_all_frameworks
from opspec_lint.spec.fields import field_table as table_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.spec.fields import Field, FieldTable, Section

_FORM_SCHEMAS: dict[str, dict[str, Any]] = {
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
_DAY = {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}
_TEXTS = {"type": "array", "items": _TEXT}
_SINGULAR: dict[Section, str] = {"ops": "op", "inputs": "input", "outputs": "output", "attrs": "attr"}
"""The name of one thing of each section, as the schema uses it."""


@cache
def schema(framework: str | None = None) -> dict[str, Any]:
    """Return the schema of the spec files of a framework; None means all frameworks together."""
    table = field_table_of_all_frameworks() if framework is None else table_of(framework)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:opspec-lint:opspec{'' if framework is None else f':{framework}'}",
        "title": "An opspec-lint spec file: the contract of a framework's operators",
        **_object_schema(_HEADER, "opspec", "provenance", "knows", "ops"),
        "$defs": {**_definitions(table), **_HISTORY, **_VALUES},
    }


def _object_schema(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {
        "type": "object",
        **({"required": list(required)} if required else {}),
        "additionalProperties": False,
        "properties": properties,
    }


def _with_description(text: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": text, **schema} if text else schema


def _map_schema(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": items}


def _list_schema(name: str) -> dict[str, Any]:
    return {"type": "array", "items": {"$ref": f"#/$defs/{name}"}}


def _definitions(table: FieldTable) -> dict[str, Any]:
    names = {f"{_SINGULAR[section]}_fields": _field_names_schema(table, section) for section in SECTIONS}
    things = {_SINGULAR[section]: _section_schema(table, section) for section in SECTIONS}
    return {**names, **things}


def _field_names_schema(table: FieldTable, section: Section) -> dict[str, Any]:
    return {"type": "array", "uniqueItems": True, "items": {"enum": list(table.fields_of(section))}}


def _section_schema(table: FieldTable, section: Section) -> dict[str, Any]:
    """Return the schema of an op, an input, an output or an attr."""
    known = {name: _field_schema(field) for name, field in table.fields_of(section).items()}
    known |= dict.fromkeys(DOCUMENTATION[section], _TEXT)
    known["unknown"] = {"$ref": f"#/$defs/{_SINGULAR[section]}_fields"}
    if section != "ops":
        return _object_schema({"name": _TEXT, **known}, "name")
    known |= {
        arguments: _list_schema(_SINGULAR[arguments])
        for arguments in SECTIONS
        if arguments != "ops" and table.fields_of(arguments)
    }
    return _object_schema({"builds": _TEXTS, **known})


def _field_schema(field: Field) -> dict[str, Any]:
    return _with_description(field.about, {**_FORM_SCHEMAS[field.form], **field.schema})


_VERSION = {"$ref": "#/$defs/version"}
_GRAPH_VERSIONS = _object_schema(
    {
        "producer": _with_description("The version of the graphs that it writes.", _VERSION),
        "min_consumer": _with_description("The lowest version that may read its graphs.", _VERSION),
        "min_producer": _with_description("The lowest version of the graphs that it reads.", _VERSION),
        "bad_consumers": _with_description("The versions that may not read its graphs.", _list_schema("version")),
        "producer_since": _with_description("The date when it began to write graphs of that version.", _DAY),
    },
    "producer",
)
_HEADER = {
    "$schema": _TEXT,
    "opspec": _with_description(
        "The version of this format.", {"type": "integer", "minimum": VERSION, "maximum": VERSION}
    ),
    "provenance": _object_schema(
        {
            "framework": {"type": "string", "minLength": 1},
            "version": _with_description("The release of the framework, without NUL.", _NAME),
            "commit": _with_description("The commit the framework was built from, without NUL.", _NAME),
            "made_by": _with_description("How the spec was made, without NUL.", _NAME),
            "released": _with_description("The date of the release, as YYYY-MM-DD.", _DAY),
        },
        "framework",
    ),
    "binding": _with_description(
        "How a saved model refers to the arguments of an op: by name, unless stated otherwise.",
        {"type": "string", "minLength": 1},
    ),
    "ordered": _with_description(
        'True means the binding "signature", in files that predate `binding`.', _FORM_SCHEMAS["flag"]
    ),
    "graph_versions": _with_description(
        "Which saved graphs the release writes and reads, by the version of the graph format. A missing version is 0.",
        _GRAPH_VERSIONS,
    ),
    "loading": _with_description(
        "What else the framework's loader decides by, such as the version that it compares with that of a file.",
        _map_schema({"$ref": "#/$defs/value"}),
    ),
    "knows": _with_description(
        "Which fields the source knows. A known field that is left out has its default: false, no default "
        "value, no restriction. Any other field that is left out is unknown.",
        _object_schema({section: {"$ref": f"#/$defs/{_SINGULAR[section]}_fields"} for section in SECTIONS}),
    ),
    "ops": _map_schema({"$ref": "#/$defs/op"}),
    "earlier": _with_description(
        "The earlier declarations of an op, oldest first; `ops` has the current one.", _map_schema(_list_schema("op"))
    ),
    "op_versions": _with_description(
        "The version history of each op, oldest checkpoint first. Left out if the source has none.",
        _map_schema(_list_schema("checkpoint")),
    ),
}
_HISTORY = {
    "checkpoint": _object_schema({"note": _TEXT, "updates": _list_schema("update")}, "updates"),
    "update": {
        **_object_schema(
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
