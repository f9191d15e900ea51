"""A fast validator for the JSON Schemas of our documents, which use a subset of the keywords of draft 2020-12.

Importing jsonschema takes a tenth of a second, too long for documents that every commit reads. This module only answers
yes or no, in microseconds; `schema` explains the faults of a document, which it finds with jsonschema.
"""

from __future__ import annotations

import re

from opspec_lint.spec import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, TypeAlias

    Schema: TypeAlias = Mapping[str, Any]
    Part: TypeAlias = tuple[Any, Schema]
    """A part of a value, or the value itself, and the schema that it has to conform to."""
    Assertion: TypeAlias = Callable[[Any, Any, Schema, Schema], bool]
    """Tells whether a keyword allows a value, given the value, the keyword's value, the schema around it, the root."""
    Applicator: TypeAlias = Callable[[Any, Any, Schema, Schema], Iterable[Part]]
    """Returns the parts of a value that a keyword applies schemas to, given the same."""


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
        is_allowed, parts = _KEYWORDS[keyword]
        if is_allowed is not None and not is_allowed(value, rule, schema, root):
            return False
        if parts is not None:
            for part, inner in parts(value, rule, schema, root):
                if not conforms(part, inner, root):
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


def _has_known_keys(value: Any, rule: Any, schema: Schema, _: Schema) -> bool:
    known = schema.get("properties", ())
    return rule is not False or type(value) is not dict or all(key in known for key in value)


def _has_unique_items(value: Any, rule: bool, *_: Any) -> bool:
    # Of our schemas, `items` allows strings only.
    strings = [item for item in value if type(item) is str] if rule and type(value) is list else []
    return len(set(strings)) == len(strings)


def _contains(value: Any, rule: Schema, schema: Schema, root: Schema) -> bool:
    if type(value) is not list:
        return True
    count = sum(conforms(item, rule, root) for item in value)
    return bool(schema.get("minContains", 1) <= count <= schema.get("maxContains", len(value)))


def _definition(value: Any, rule: str, _: Schema, root: Schema) -> Iterable[Part]:
    return ((value, root["$defs"][rule.removeprefix("#/$defs/")]),)


def _branch(value: Any, rule: Schema, schema: Schema, root: Schema) -> Iterable[Part]:
    branch = schema.get("then" if conforms(value, rule, root) else "else")
    return () if branch is None else ((value, branch),)


def _properties(value: Any, rule: Mapping[str, Schema], *_: Any) -> Iterable[Part]:
    return [(value[key], inner) for key, inner in rule.items() if key in value] if type(value) is dict else ()


def _additional(value: Any, rule: Any, schema: Schema, _: Schema) -> Iterable[Part]:
    if type(value) is not dict or rule is False:
        return ()
    known = schema.get("properties", ())
    return [(part, rule) for key, part in value.items() if key not in known]


def _names(value: Any, rule: Schema, *_: Any) -> Iterable[Part]:
    return [(key, rule) for key in value] if type(value) is dict else ()


def _items(value: Any, rule: Schema, *_: Any) -> Iterable[Part]:
    return [(item, rule) for item in value] if type(value) is list else ()


# A keyword applies to values of its own type, and any other value passes (JSON Schema Core 2020-12, 7.6.1).
_KEYWORDS: Mapping[str, tuple[Assertion | None, Applicator | None]] = {
    **dict.fromkeys(("$schema", "$id", "$defs", "title", "description"), (None, None)),
    # Those that another keyword reads.
    **dict.fromkeys(("then", "else", "minContains", "maxContains"), (None, None)),
    "$ref": (None, _definition),
    "additionalProperties": (_has_known_keys, _additional),
    "allOf": (None, lambda value, rule, *_: [(value, inner) for inner in rule]),
    "anyOf": (lambda value, rule, _, root: any(conforms(value, inner, root) for inner in rule), None),
    "const": (lambda value, rule, *_: _is_among(value, [rule]), None),
    "contains": (_contains, None),
    "enum": (_is_among, None),
    "format": (lambda value, rule, *_: _FORMATS[rule](value), None),
    "if": (None, _branch),
    "items": (None, _items),
    "maximum": (lambda value, rule, *_: not _is_number(value) or value <= rule, None),
    "minimum": (lambda value, rule, *_: not _is_number(value) or value >= rule, None),
    "maxItems": (lambda value, rule, *_: type(value) is not list or len(value) <= rule, None),
    "minItems": (lambda value, rule, *_: type(value) is not list or len(value) >= rule, None),
    "maxLength": (lambda value, rule, *_: type(value) is not str or len(value) <= rule, None),
    "minLength": (lambda value, rule, *_: type(value) is not str or len(value) >= rule, None),
    "not": (lambda value, rule, _, root: not conforms(value, rule, root), None),
    # `search`, as a pattern is not anchored (JSON Schema Validation 2020-12, 6.3.3).
    "pattern": (lambda value, rule, *_: type(value) is not str or re.search(rule, value) is not None, None),
    "properties": (None, _properties),
    "propertyNames": (None, _names),
    "required": (lambda value, rule, *_: type(value) is not dict or all(key in value for key in rule), None),
    "type": (_has_type, None),
    "uniqueItems": (_has_unique_items, None),
}
"""The supported keywords; None where a keyword asserts nothing, or applies no schema to parts of a value."""
