"""Methods of texts and dicts, and functions of lists, that Starlark has in common with Python."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_TEXT_METHODS = frozenset(
    {
        *("startswith", "endswith", "replace", "split", "rsplit", "strip", "lstrip", "rstrip", "lower", "upper"),
        *("removeprefix", "removesuffix", "partition", "rpartition", "find", "rfind", "join", "format", "title"),
        *("capitalize", "count", "index", "rindex", "splitlines", "isalpha", "isdigit", "isalnum"),
    }
)
_DICT_METHODS = frozenset({"get", "keys", "values", "items"})
_LONGEST = 10_000
"""Characters of a text that is made; one may be doubled again and again."""


def call_method(value: str | dict[object, object], name: str, given: list[object]) -> object | None:
    """Return the result of a method; None if it is not known, or refuses its arguments."""
    if name not in (_TEXT_METHODS if isinstance(value, str) else _DICT_METHODS):
        return None
    try:
        result = getattr(value, name)(*given)
    except (TypeError, ValueError, LookupError):
        return None
    if isinstance(result, str) and len(result) > _LONGEST:
        return None
    return list(result) if isinstance(value, dict) and name != "get" else result


def interpolate(text: str, value: object) -> str | None:
    """Return `text % value`; None if the value does not fit."""
    if not isinstance(value, (str, int, tuple)):
        return None
    try:
        result = text % value
    except (TypeError, ValueError):
        return None
    return result if len(result) <= _LONGEST else None


def _length(value: object = None) -> int | None:
    return len(value) if isinstance(value, (str, tuple, dict)) else None


def _zip(*values: object) -> list[object] | None:
    lists = [value for value in values if isinstance(value, tuple)]
    return list(zip(*lists, strict=False)) if len(lists) == len(values) else None


def _enumerate(value: object = None) -> list[object] | None:
    return list(enumerate(value)) if isinstance(value, tuple) else None


def _range(*values: object) -> list[int] | None:
    bounds = [value for value in values if isinstance(value, int) and abs(value) < _LONGEST]
    return list(range(*bounds)) if len(bounds) == len(values) and 0 < len(bounds) < 3 else None


FUNCTIONS: Mapping[str, Callable[..., object]] = {
    "len": _length,
    "zip": _zip,
    "enumerate": _enumerate,
    "range": _range,
}
"""Functions of values without conditions; their result is None for a value of another kind."""
