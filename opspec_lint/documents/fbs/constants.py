"""The numbers and default values of a schema, from how they are written."""

from __future__ import annotations

import math
import re

from opspec_lint.spec.slots import FLOATS, range_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_INTEGER = re.compile(r"[-+]?\s*(?:0[xX][0-9a-fA-F]{1,40}|[0-9]{1,40})")
_FUNCTIONS = {
    "deg": math.degrees,
    "rad": math.radians,
    "cos": math.cos,
    "sin": math.sin,
    "tan": math.tan,
    "acos": math.acos,
    "asin": math.asin,
    "atan": math.atan,
}


def integer(text: str) -> int:
    """Return the integer that a text is, decimal or hexadecimal.

    Raises:
        ValueError: it is none, or of more than 40 digits.
    """
    if not _INTEGER.fullmatch(text):
        raise ValueError("expected an integer")
    bare = text.replace(" ", "").lstrip("+")
    return int(bare, 16 if "x" in bare.lower() else 10)


def real(text: str) -> float:
    """Return the number that a text is, as `flatc` reads it: also hexadecimal, `inf`, `nan` and `rad(180)`.

    Raises:
        ValueError: it is none.
    """
    name, opening, inside = text.partition("(")
    if opening:
        return _FUNCTIONS[name.strip()](real(inside[:-1]))
    bare = "".join(text.split())
    if "0x" in bare.lower():
        return float.fromhex(bare)
    return float(bare)


def default(text: str, scalar: str, names: Mapping[str, int] | None) -> int | float | bool:
    """Return the default value of a scalar field.

    Args:
        text: as it is written: a number, `true`, the name of an enum's value, several of them for bit flags.
        scalar: the scalar type.
        names: the numbers of the enum's values, None where the type is no enum.

    Raises:
        ValueError: it is none of the type; the message says what was expected.
    """
    if scalar in FLOATS:
        try:
            return _single(real(text)) if scalar == "float" else real(text)
        except ValueError:
            raise ValueError("expected a number") from None
    bare = text[1:-1] if text[:1] == '"' else text
    if bare in ("true", "false"):
        number = int(bare == "true")
    elif bare[:1].isalpha() or bare[:1] == "_":
        number = _named(bare, names)
    else:
        number = _whole(bare)
    least, greatest = range_of(scalar)
    if not least <= number <= greatest:
        raise ValueError(f"expected a value that {scalar} can hold")
    return bool(number) if scalar == "bool" else number


def _whole(text: str) -> int:
    try:
        return integer(text)
    except ValueError:
        number = real(text)
        if number != number or number in (math.inf, -math.inf) or number != int(number):
            raise ValueError("expected an integer") from None
        return int(number)


def _named(text: str, names: Mapping[str, int] | None) -> int:
    if names is None:
        raise ValueError("expected a number")
    number = 0
    for word in text.split():
        name = word.rpartition(".")[2]
        if name not in names:
            raise ValueError(f"the enum has no value {name!r}")
        number |= names[name]
    return number


def _single(number: float) -> float:
    """Return a number as 32 bits hold it, in the fewest digits that say it."""
    from struct import pack, unpack

    try:
        held: float = unpack("<f", pack("<f", number))[0]
    except OverflowError:
        return math.copysign(math.inf, number)
    return next(
        (
            short
            for digits in range(1, 9)
            if (short := float(f"{held:.{digits}g}")) == held or unpack("<f", pack("<f", short))[0] == held
        ),
        held,
    )
