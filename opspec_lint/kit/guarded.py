"""Calls of Python's functions with values that a text of others decides: they never fail, and no result is large."""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import TypeVar

    T = TypeVar("T")

MAX_SIZE = 1 << 15
"""Characters and items of the operands of a function, so that no result takes much memory."""
_WIDE_FIELD = pattern(r"\d{5}")


def is_plain(*values: object) -> bool:
    """Return whether values consist of constants of Python only, `MAX_SIZE` at most."""
    return _constants(values) is not None


def apply_function(
    function: Callable[..., object], given: Sequence[object], named: Mapping[str, object], otherwise: T
) -> object | T:
    """Return the result of a function for plain values; `otherwise` if it may be large, or the function fails."""
    operands = (*given, *named.values())
    constants = _constants(operands)
    if constants is None or _makes_large(operands, constants):
        return otherwise
    try:
        return function(*given, **named)
    # The text decides the operands, so that any error of Python is possible: "%d" % "a", "{.x}".format(1), 1 // 0.
    except Exception:
        return otherwise


def _constants(values: Iterable[object]) -> list[object] | None:
    """Return the constants in values; None for a value of another kind, or if there are too many."""
    constants: list[object] = []
    waiting, size = list(values), 0
    while waiting:
        value = waiting.pop()
        size += 1 + (len(value) if isinstance(value, (str, bytes)) else 0)
        if size > MAX_SIZE:
            return None
        if isinstance(value, dict):
            waiting += [*value, *value.values()]
        elif isinstance(value, (tuple, list, set)):
            waiting += value
        elif value is None or isinstance(value, (str, int, float, bytes)):
            constants.append(value)
        else:
            return None
    return constants


def _makes_large(operands: Iterable[object], constants: Iterable[object]) -> bool:
    """Return whether the value of an operand may make the result of `text * number` or of a format large.

    A short text such as "%99999d" or "%*d" gives a long result: a number is the width of a format field.
    """
    texts = [text.decode("latin-1") if isinstance(text, bytes) else text for text in constants]
    formats = [text for text in texts if isinstance(text, str) and ("{" in text or "%" in text)]
    numbers = [number for number in (constants if formats else operands) if isinstance(number, int)]
    return any(map(_WIDE_FIELD.search, formats)) or any(abs(number) > MAX_SIZE for number in numbers)
