"""The values of attrs: None, bool, int, float, str, and sequences and mappings of them.

Values are compared as a model file would tell them apart: `True`, `1` and `1.0` are three values, NaN equals itself.
"""

from __future__ import annotations

from itertools import repeat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_BYTES = 512 * 1024 * 1024
"""How large a file may be that holds values, far beyond any real spec."""
MAX_DEPTH = 64
"""How deep a value may be nested, far beyond any real one."""

NAN = float("nan")
_WORDS = {"NaN": NAN, "Infinity": float("inf"), "-Infinity": float("-inf")}


def freeze(value: Any) -> Any:
    """Return a decoded value in the form that the model holds: lists become tuples, every NaN becomes `NAN`."""
    kind = type(value)
    if kind is list or kind is tuple:
        return tuple([freeze(item) for item in value])
    if kind is float and value != value:
        return NAN
    if kind is dict:
        if value.keys() == {"float"}:
            return _WORDS[value["float"]]
        return {key: freeze(item) for key, item in value.items()}
    return value


def thaw(value: Any) -> Any:
    """Return a value in a form that every JSON parser reads back as the same value.

    JSON has no NaN and no infinities; they become `{"float": "NaN"}`, with the words of protobuf's JSON mapping.
    """
    kind = type(value)
    if kind is tuple or kind is list:
        return [thaw(item) for item in value]
    if kind is float and (value != value or value in (_WORDS["Infinity"], _WORDS["-Infinity"])):
        return {"float": "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"}
    if kind is dict:
        return {key: thaw(value[key]) for key in sorted(value)}
    return value


def same(a: Any, b: Any) -> bool:
    """Tell whether two frozen values are one and the same value."""
    if type(a) is not type(b):
        return False
    if type(a) is tuple:
        return len(a) == len(b) and all(map(same, a, b))
    if type(a) is dict:
        return a.keys() == b.keys() and all(same(item, b[key]) for key, item in a.items())
    return bool(a == b) or (a != a and b != b)


def show(value: Any) -> str:
    """Return a value as a person writes it: the JSON text, with NaN and infinities as words."""
    import json

    return json.dumps(value, ensure_ascii=False)


def in_range(value: Any, depth: int = MAX_DEPTH) -> bool:
    """Tell whether a decoded value is one that an attr can hold.

    Its integers have 64 bits, before `float` there is none but its words, and it is not nested too deep.
    """
    kind = type(value)
    if kind is int:
        return bool(-(1 << 63) <= value < 1 << 64)
    if kind is list:
        return depth > 0 and all(map(in_range, value, repeat(depth - 1)))
    if kind is dict:
        word = value.get("float", "NaN")
        is_word = type(word) is str and word in _WORDS
        return is_word and depth > 0 and all(map(in_range, value.values(), repeat(depth - 1)))
    return True
