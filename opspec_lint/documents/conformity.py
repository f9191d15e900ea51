"""A fast validator for the JSON Schemas of our documents, which use a subset of the keywords of draft 2020-12.

Importing jsonschema takes a tenth of a second, too long for documents that every commit reads. This module only answers
yes or no, in microseconds; `schema` explains the faults of a document, which it finds with jsonschema.
"""

from __future__ import annotations

import re

from opspec_lint.spec import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    Schema: TypeAlias = Mapping[str, Any]
    Check: TypeAlias = Callable[[Any, Any, Schema, Schema], bool]
    """Returns whether a keyword allows a value; takes the value, the keyword's value, the schema around it, root."""


def conforms(value: Any, schema: Schema, root: Schema | None = None) -> bool:
    """Return whether a decoded document conforms to a schema.

    Args:
        value: the document, or one of its parts.
        schema: the schema of the document or the part, with supported keywords only.
        root: the schema with `$defs`, None for `schema` itself.

    Raises:
        KeyError: the schema uses another keyword, type or format.
    """
    root = schema if root is None else root
    for keyword, rule in schema.items():
        # Most values are checked by their type alone.
        if keyword == "type" and type(rule) is str and type(value) is _TYPES.get(rule):
            continue
        check = _KEYWORDS[keyword]
        if check is not None and not check(value, rule, schema, root):
            return False
    return True


def _is_number(value: Any) -> bool:
    # NaN and infinities are no numbers of JSON.
    return type(value) is int or (type(value) is float and value - value == 0)


_TYPES: Mapping[str, type] = {
    "array": list,
    "boolean": bool,
    "integer": int,
    "null": type(None),
    "object": dict,
    "string": str,
}
_FORMATS = {"attr-value": values.is_attr_value}


def _has_type(value: Any, rule: str | list[str], *_: Any) -> bool:
    # `type() is`, since a bool is an instance of int in Python, but no integer in JSON.
    return any(
        _is_number(value) if name == "number" else type(value) is _TYPES[name]
        for name in ((rule,) if type(rule) is str else rule)
    )


def _is_among(value: Any, rule: list[Any], *_: Any) -> bool:
    # To Python, True is equal to 1.
    return value in rule and (
        type(value) is str or any(value == option and type(value) is type(option) for option in rule)
    )


def _has_unique_items(value: Any, rule: bool, *_: Any) -> bool:
    # Of our schemas, `items` allows strings only.
    strings = [item for item in value if type(item) is str] if rule and type(value) is list else []
    return len(set(strings)) == len(strings)


def _contains(value: Any, rule: Schema, schema: Schema, root: Schema) -> bool:
    if type(value) is not list:
        return True
    count = sum(conforms(item, rule, root) for item in value)
    return bool(schema.get("minContains", 1) <= count <= schema.get("maxContains", len(value)))


def _matches_branch(value: Any, rule: Schema, schema: Schema, root: Schema) -> bool:
    branch = schema.get("then" if conforms(value, rule, root) else "else")
    return branch is None or conforms(value, branch, root)


def _has_properties(value: Any, rule: Mapping[str, Schema], _: Schema, root: Schema) -> bool:
    return type(value) is not dict or all(conforms(value[key], rule[key], root) for key in rule if key in value)


def _has_allowed_keys(value: Any, rule: Any, schema: Schema, root: Schema) -> bool:
    if type(value) is not dict:
        return True
    known = schema.get("properties", ())
    return all(key in known or (rule is not False and conforms(part, rule, root)) for key, part in value.items())


# A keyword applies to values of its own type, and any other value passes (JSON Schema Core 2020-12, 7.6.1).
_KEYWORDS: Mapping[str, Check | None] = {
    **dict.fromkeys(("$schema", "$id", "$defs", "title", "description")),
    # `if` reads the first two, `contains` the other two.
    **dict.fromkeys(("then", "else", "minContains", "maxContains")),
    "$ref": lambda value, rule, _, root: conforms(value, root["$defs"][rule.removeprefix("#/$defs/")], root),
    "additionalProperties": _has_allowed_keys,
    "allOf": lambda value, rule, _, root: all(conforms(value, inner, root) for inner in rule),
    "anyOf": lambda value, rule, _, root: any(conforms(value, inner, root) for inner in rule),
    "const": lambda value, rule, *_: _is_among(value, [rule]),
    "contains": _contains,
    "enum": _is_among,
    "format": lambda value, rule, *_: _FORMATS[rule](value),
    "if": _matches_branch,
    "items": lambda value, rule, _, root: type(value) is not list or all(conforms(item, rule, root) for item in value),
    "maximum": lambda value, rule, *_: not _is_number(value) or value <= rule,
    "minimum": lambda value, rule, *_: not _is_number(value) or value >= rule,
    "maxItems": lambda value, rule, *_: type(value) is not list or len(value) <= rule,
    "minItems": lambda value, rule, *_: type(value) is not list or len(value) >= rule,
    "maxLength": lambda value, rule, *_: type(value) is not str or len(value) <= rule,
    "minLength": lambda value, rule, *_: type(value) is not str or len(value) >= rule,
    "not": lambda value, rule, _, root: not conforms(value, rule, root),
    # `search`, as a pattern is not anchored (JSON Schema Validation 2020-12, 6.3.3).
    "pattern": lambda value, rule, *_: type(value) is not str or re.search(rule, value) is not None,
    "properties": _has_properties,
    "propertyNames": lambda value, rule, _, root: (
        type(value) is not dict or all(conforms(key, rule, root) for key in value)
    ),
    "required": lambda value, rule, *_: type(value) is not dict or all(key in value for key in rule),
    "type": _has_type,
    "uniqueItems": _has_unique_items,
}
"""The check of each supported keyword; None where it constrains nothing by itself."""
