"""The attrs of a node of a program: type and value, and what a loader makes of one that has another type."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs.messages import message, text
from opspec_lint.frameworks.paddle.types import ATTR_TYPES
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

BLOCKS = ("BLOCK", "BLOCKS")
"""The types of an attr whose value is the number of a block, or several."""
VARIABLES = ("VAR", "VARS")
"""The types of an attr that names variables in place of a value."""

CONVERTED = {
    "BOOLEAN": ("INT", "FLOAT"),
    "LONG": ("INT", "FLOAT"),
    "FLOAT": ("INT", "LONG"),
    "LONGS": ("INTS", "FLOATS"),
    "FLOAT64": ("INT", "LONG", "FLOAT"),
    "FLOAT64S": ("INTS", "FLOATS"),
}
"""The types that are taken for an attr of a type, each converted, as the legacy loaders do (measured up to LONGS)."""
MADE_SCALARS = {"SCALARS": ("INTS", "FLOATS", "BOOLEANS", "LONGS", "FLOAT64S")}
"""What the predictor converts as well (measured with 2.6.2, 3.0.0, 3.3.1); the executor refuses it."""

FIELDS: dict[str, str] = {
    "INT": "i",
    "FLOAT": "f",
    "STRING": "s",
    "INTS": "ints",
    "FLOATS": "floats",
    "STRINGS": "strings",
    "BOOLEAN": "b",
    "BOOLEANS": "bools",
    "BLOCK": "block_idx",
    "LONG": "l",
    "BLOCKS": "blocks_idx",
    "LONGS": "longs",
    "FLOAT64S": "float64s",
    "VAR": "var_name",
    "VARS": "vars_name",
    "FLOAT64": "float64",
    "SCALAR": "scalar",
    "SCALARS": "scalars",
}


class Attr(Record):
    """An attr of a node: its type by name, the number where it has no name, and its value."""

    name: str
    type: str
    code: int
    value: Any = None


def read(entries: Iterable[bytes]) -> dict[str, Attr]:
    """Return attrs from their bytes, by name."""
    found = {}
    for each in map(message("Attr").FromString, entries):
        known = 0 <= each.type < len(ATTR_TYPES)
        kind = ATTR_TYPES[each.type] if known else str(each.type)
        value = _decoded(getattr(each, FIELDS[kind])) if known else None
        name = text(each.name)
        found[name] = Attr(name=name, type=kind, code=each.type, value=value)
    return found


def _decoded(value: Any) -> Any:
    if isinstance(value, bytes):
        return text(value)
    if isinstance(value, (bool, int, float)):
        return value
    if hasattr(value, "DESCRIPTOR"):
        return _scalar(value)
    return [_decoded(each) for each in value]


def _scalar(value: Any) -> Any:
    """Return a Scalar: its type 1 is a bool, 2 an integer, 3 a float; complex numbers are not told apart."""
    return {1: value.b, 2: value.i}.get(value.type, value.r)


_AS: dict[str, Callable[[Any], Any]] = {
    "BOOLEAN": bool,
    "LONG": int,
    "FLOAT": float,
    "FLOAT64": float,
    "SCALAR": lambda value: value,
}


def converted(value: Any, declared: str) -> tuple[Any, bool]:
    """Return a value as an attr of another type takes it, and whether it is still the same number."""
    if isinstance(value, list):
        items = [converted(each, declared.removesuffix("S")) for each in value]
        return [item for item, _ in items], all(same for _, same in items)
    try:
        made = _AS[declared](value)
    except (ValueError, OverflowError):  # NaN and infinities as integers
        return 0, False
    return made, made == value


def check(entries: Iterable[bytes]) -> None:
    """Make sure that the bytes of attrs can be decoded.

    Raises:
        google.protobuf.message.DecodeError: the bytes cannot be decoded.
    """
    make = message("Attr").FromString
    for each in entries:
        make(each)
