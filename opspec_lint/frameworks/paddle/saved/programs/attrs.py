"""The attrs of a node in a program: types and values, and the conversions that a loader makes."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs.messages import message_class, text
from opspec_lint.frameworks.paddle.types import ATTR_TYPES
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

BLOCKS = ("BLOCK", "BLOCKS")
"""The attr types whose value is the index of a block, or several."""
VARIABLES = ("VAR", "VARS")
"""The attr types that name variables instead of values."""

ACCEPTED_TYPES = {
    "BOOLEAN": ("INT", "FLOAT"),
    "LONG": ("INT", "FLOAT"),
    "FLOAT": ("INT", "LONG"),
    "LONGS": ("INTS", "FLOATS"),
    "FLOAT64": ("INT", "LONG", "FLOAT"),
    "FLOAT64S": ("INTS", "FLOATS"),
}
"""The types that the legacy loaders accept for an attr of a type, and convert (measured up to LONGS)."""
PREDICTOR_ACCEPTED_TYPES = {"SCALARS": ("INTS", "FLOATS", "BOOLEANS", "LONGS", "FLOAT64S")}
"""Types that only the predictor converts (measured with 2.6.2, 3.0.0, 3.3.1); the executor refuses them."""

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
"""The field of an attr's message that holds the value, by attr type."""


class Attr(Record):
    """An attr of a node: its type by name (the number if unknown), the number of the type, and its value."""

    name: str
    type: str
    code: int
    value: Any = None


def read(entries: Iterable[bytes]) -> dict[str, Attr]:
    """Return attrs by name from their serialized messages."""
    attrs_by_name = {}
    for serialized in map(message_class("Attr").FromString, entries):
        known = 0 <= serialized.type < len(ATTR_TYPES)
        kind = ATTR_TYPES[serialized.type] if known else str(serialized.type)
        value = _to_plain(getattr(serialized, FIELDS[kind])) if known else None
        name = text(serialized.name)
        attrs_by_name[name] = Attr(name=name, type=kind, code=serialized.type, value=value)
    return attrs_by_name


def _to_plain(value: Any) -> Any:
    """Return the value of a message field as plain data."""
    if isinstance(value, bytes):
        return text(value)
    if isinstance(value, (bool, int, float)):
        return value
    if hasattr(value, "DESCRIPTOR"):
        return _scalar(value)
    return [_to_plain(item) for item in value]


def _scalar(value: Any) -> Any:
    """Return a Scalar: type 1 is a bool, 2 an integer, 3 a float; complex numbers count as floats."""
    return {1: value.b, 2: value.i}.get(value.type, value.r)


_CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    "BOOLEAN": bool,
    "LONG": int,
    "FLOAT": float,
    "FLOAT64": float,
    "SCALAR": lambda value: value,
}


def convert(value: Any, declared: str) -> tuple[Any, bool]:
    """Return a value as an attr of another type stores it, and whether it is still the same number."""
    if isinstance(value, list):
        items = [convert(item, declared.removesuffix("S")) for item in value]
        return [item for item, _ in items], all(same for _, same in items)
    try:
        converted = _CONVERSIONS[declared](value)
    except (ValueError, OverflowError):
        # NaN and infinities have no integer value.
        return 0, False
    return converted, converted == value


def check(entries: Iterable[bytes]) -> None:
    """Raise DecodeError if the serialized messages of attrs cannot be decoded."""
    decode = message_class("Attr").FromString
    for entry in entries:
        decode(entry)
