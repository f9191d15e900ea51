"""A fast validator for small documents, which checks a subset of JSON Schema in microseconds.

Importing jsonschema takes a tenth of a second, too long for documents that every commit reads. This module only answers
yes or no; `schema` explains the faults of a document.
"""

from __future__ import annotations

import re

from opspec_lint.spec import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

_TYPES: dict[str, type] = {
    "array": list,
    "boolean": bool,
    "integer": int,
    "null": type(None),
    "object": dict,
    "string": str,
}
_FORMATS = {"attr-value": values.is_attr_value}
_ANNOTATIONS = frozenset({"$schema", "$id", "$defs", "title", "description"})
"""The keywords that constrain nothing."""


def conforms(value: Any, schema: dict[str, Any], root: dict[str, Any] | None = None) -> bool:
    """Return whether a decoded document conforms to a schema.

    Args:
        value: the document, or one of its parts.
        schema: the schema of the document or the part, with supported keywords only.
        root: the schema with `$defs`, None for `schema` itself.

    Raises:
        KeyError: the schema uses another keyword, type or format.
    """
    root = root or schema
    return all(
        _KEYWORD_CHECKS[key](value, rule, schema, root) for key, rule in schema.items() if key not in _ANNOTATIONS
    )


def _check_ref(value: Any, rule: str, _: Any, root: dict[str, Any]) -> bool:
    return conforms(value, root["$defs"][rule.removeprefix("#/$defs/")], root)


def _check_type(value: Any, rule: str | list[str], *_: Any) -> bool:
    # `type() is`, since a bool is an instance of int in Python, but no integer in JSON.
    return any(type(value) is _TYPES[name] for name in ([rule] if isinstance(rule, str) else rule))


def _check_additional(value: Any, rule: Any, schema: dict[str, Any], root: dict[str, Any]) -> bool:
    if not isinstance(value, dict):
        return True
    # `patternProperties` is not supported, so that `properties` alone decides which keys are additional.
    additional = [value[key] for key in value if key not in schema.get("properties", ())]
    return not additional if rule is False else all(conforms(item, rule, root) for item in additional)


_KEYWORD_CHECKS: Mapping[str, Callable[[Any, Any, Any, Any], bool]] = {
    "$ref": _check_ref,
    "type": _check_type,
    "additionalProperties": _check_additional,
    "anyOf": lambda value, rule, _, root: any(conforms(value, alternative, root) for alternative in rule),
    "enum": lambda value, rule, *_: value in rule,
    "format": lambda value, rule, *_: _FORMATS[rule](value),
    # A keyword applies to values of its own type, and any other value passes (JSON Schema Core 2020-12, 7.6.1).
    "items": lambda value, rule, _, root: (
        not isinstance(value, list) or all(conforms(item, rule, root) for item in value)
    ),
    "maximum": lambda value, rule, *_: not isinstance(value, int) or value <= rule,
    "minimum": lambda value, rule, *_: not isinstance(value, int) or value >= rule,
    "maxItems": lambda value, rule, *_: not isinstance(value, list) or len(value) <= rule,
    "minItems": lambda value, rule, *_: not isinstance(value, list) or len(value) >= rule,
    "minLength": lambda value, rule, *_: not isinstance(value, str) or len(value) >= rule,
    # `search`, as a pattern is not anchored (JSON Schema Validation 2020-12, 6.3.3).
    "pattern": lambda value, rule, *_: not isinstance(value, str) or re.search(rule, value) is not None,
    "propertyNames": lambda value, rule, _, root: (
        not isinstance(value, dict) or all(conforms(key, rule, root) for key in value)
    ),
    "properties": lambda value, rule, _, root: (
        not isinstance(value, dict) or all(conforms(value[key], rule[key], root) for key in value if key in rule)
    ),
    "required": lambda value, rule, *_: not isinstance(value, dict) or all(key in value for key in rule),
}
"""The checks of keywords, given the value, the keyword's value, the schema around it, and the whole schema."""
