"""Whether a small document conforms to its JSON Schema, decided without the tenth of a second that jsonschema takes.

For documents that every commit reads. What is wrong with one that does not conform, `schema` says.
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
_SILENT = frozenset({"$schema", "$id", "$defs", "title", "description"})


def conforms(value: Any, schema: dict[str, Any], root: dict[str, Any] | None = None) -> bool:
    """Tell whether a decoded document conforms to a schema.

    Args:
        value: the document, or a part of it.
        schema: the schema of the document or the part; it uses no keywords but those below.
        root: the schema that holds `$defs`, None for `schema` itself.

    Raises:
        KeyError: the schema uses another keyword, type or format.
    """
    root = root or schema
    return all(_CHECKS[key](value, rule, schema, root) for key, rule in schema.items() if key not in _SILENT)


def _ref(value: Any, rule: str, _: Any, root: dict[str, Any]) -> bool:
    return conforms(value, root["$defs"][rule.removeprefix("#/$defs/")], root)


def _type(value: Any, rule: str | list[str], *_: Any) -> bool:
    return any(type(value) is _TYPES[name] for name in ([rule] if isinstance(rule, str) else rule))


def _additional(value: Any, rule: Any, schema: dict[str, Any], root: dict[str, Any]) -> bool:
    if not isinstance(value, dict):
        return True
    others = [value[key] for key in value if key not in schema.get("properties", ())]
    return not others if rule is False else all(conforms(other, rule, root) for other in others)


_CHECKS: Mapping[str, Callable[[Any, Any, Any, Any], bool]] = {
    "$ref": _ref,
    "type": _type,
    "additionalProperties": _additional,
    "anyOf": lambda value, rule, _, root: any(conforms(value, way, root) for way in rule),
    "enum": lambda value, rule, *_: value in rule,
    "format": lambda value, rule, *_: _FORMATS[rule](value),
    "items": lambda value, rule, _, root: (
        not isinstance(value, list) or all(conforms(item, rule, root) for item in value)
    ),
    "maximum": lambda value, rule, *_: not isinstance(value, int) or value <= rule,
    "minimum": lambda value, rule, *_: not isinstance(value, int) or value >= rule,
    "maxItems": lambda value, rule, *_: not isinstance(value, list) or len(value) <= rule,
    "minItems": lambda value, rule, *_: not isinstance(value, list) or len(value) >= rule,
    "minLength": lambda value, rule, *_: not isinstance(value, str) or len(value) >= rule,
    "pattern": lambda value, rule, *_: not isinstance(value, str) or re.search(rule, value) is not None,
    "propertyNames": lambda value, rule, _, root: (
        not isinstance(value, dict) or all(conforms(key, rule, root) for key in value)
    ),
    "properties": lambda value, rule, _, root: (
        not isinstance(value, dict) or all(conforms(value[key], rule[key], root) for key in value if key in rule)
    ),
    "required": lambda value, rule, *_: not isinstance(value, dict) or all(key in value for key in rule),
}
