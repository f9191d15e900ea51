"""Methods of texts and dicts, and functions of lists, that Starlark has in common with Python."""

from __future__ import annotations

import operator

from opspec_lint.kit.guarded import apply_function

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
_LONGEST_PARTS = 2_000
"""Characters of a text and of the arguments of its method."""
_MAX_BOUND = 10_000
"""The bound of a `range`."""


def call_method(
    value: str | dict[object, object], name: str, given: list[object], named: Mapping[str, object]
) -> object | None:
    """Return the result of a method; None if it is not known, or refuses its arguments."""
    if isinstance(value, str):
        # A result may have the product of the lengths, as that of `replace`.
        is_short = (
            sum(len(text) for text in (value, *given, *named.values()) if isinstance(text, str)) <= _LONGEST_PARTS
        )
        if not is_short or name not in _TEXT_METHODS:
            return None
        return apply_function(getattr(value, name), given, named, None)
    if name not in _DICT_METHODS or named:
        return None
    if name == "get":
        # The default may be a list of any kind, the key may not.
        return value.get(*given[:2]) if given and isinstance(given[0], (str, int)) else None
    return None if given else list(getattr(value, name)())


def interpolate(text: str, value: object) -> object | None:
    """Return `text % value`; None if the value does not fit."""
    return apply_function(operator.mod, (text, value), {}, None)


def _length(value: object) -> int | None:
    return len(value) if isinstance(value, (str, tuple, dict)) else None


def _zip(*values: object) -> list[object] | None:
    lists = [value for value in values if isinstance(value, tuple)]
    return list(zip(*lists, strict=False)) if len(lists) == len(values) else None


def _enumerate(value: object, start: object = 0) -> list[object] | None:
    return list(enumerate(value, start)) if isinstance(value, tuple) and isinstance(start, int) else None


def _range(*values: object) -> list[int] | None:
    bounds = [value for value in values if isinstance(value, int) and abs(value) < _MAX_BOUND]
    return list(range(*bounds)) if len(bounds) == len(values) and 0 < len(bounds) < 3 else None


FUNCTIONS: Mapping[str, Callable[..., object]] = {
    "len": _length,
    "zip": _zip,
    "enumerate": _enumerate,
    "range": _range,
}
"""Functions of values without conditions; their result is None for a value of another kind."""
