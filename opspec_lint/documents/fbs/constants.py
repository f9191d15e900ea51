"""The numbers and default values of a schema, parsed from their text as `flatc` does."""

from __future__ import annotations

import math

from opspec_lint.documents.fbs.strings import is_string, remove_quotes
from opspec_lint.kit.float32 import to_float32
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.slots import FLOATS, range_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Enums = Callable[[str], "Mapping[str, int] | None"]
    """Returns the numbers of the values of an enum, by its name; None if there is no such enum."""

_INTEGER = pattern(r"[-+]?(?:0[xX][0-9a-fA-F]{1,40}|[0-9]{1,40})")
_REAL = pattern(
    r"[-+]?(?:(?:[0-9]{1,400}(?:\.[0-9]{0,400})?|\.[0-9]{1,400})(?:[eE][-+]?[0-9]{1,40})?"
    r"|[nN][aA][nN]|[iI][nN][fF](?:[iI][nN][iI][tT][yY])?)"
)
_HEXADECIMAL_REAL = pattern(
    r"[-+]?0[xX](?:[0-9a-fA-F]{1,400}(?:\.[0-9a-fA-F]{0,400})?|\.[0-9a-fA-F]{1,400})[pP][-+]?[0-9]{1,40}"
)
_CALL = pattern(r"([a-z]+)\((.*)\)", "s")
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
_BLANK = " \t\r\n"
_MAX_BYTE = 255


def integer(text: str) -> int:
    """Return the integer that a text is, decimal or hexadecimal.

    Raises:
        ValueError: the text is no integer, or has more than 40 digits.
    """
    if not _INTEGER.fullmatch(text):
        raise ValueError("expected an integer")
    return int(text, 16 if "x" in text.lower() else 10)


def real(text: str) -> float:
    """Return the number that a text is, as `flatc` reads it: also `inf`, `nan`, `0x1p4` and `rad(180)`.

    Raises:
        ValueError: the text is no number.
    """
    call = _CALL.fullmatch(text)
    if call is not None and call[1] in _FUNCTIONS:
        return _apply_angle_function(call[1], real(call[2].strip(_BLANK)))
    if _REAL.fullmatch(text):
        return float(text)
    if not _HEXADECIMAL_REAL.fullmatch(text):
        raise ValueError("expected a number")
    try:
        return float.fromhex(text)
    except OverflowError:
        return -math.inf if text[0] == "-" else math.inf


def _apply_angle_function(function: str, number: float) -> float:
    """Return the value of a function such as `rad` or `acos`."""
    try:
        return _FUNCTIONS[function](number)
    except ValueError:  # C has a value where Python has none: acos(2)
        return math.nan


def default(text: str, scalar: str, names: Mapping[str, int] | None, enums: Enums) -> float | None:
    """Return the default value of a scalar field, None for one that is null.

    Args:
        text: the default as it is written: a number, `true`, the name of an enum's value, or several names of bit
            flags.
        scalar: the scalar type.
        names: the numbers of the enum's values, None if the type is no enum.
        enums: finds the enum of a value that is written with it, such as "Color.Red".

    Raises:
        ValueError: the text is no value of the type; the message says what was expected.
    """
    bare = _strip_quotes(text)
    if bare == "null":
        return None
    if scalar in FLOATS:
        return _single(real(bare)) if scalar == "float" else real(bare)
    if scalar == "bool":
        return _parse_truth(bare)
    is_name = bare[:1].isalpha() or bare[:1] == "_"
    number = _enum_expression(_unquoted_names(text), names, enums) if is_name else integer(bare)
    least, greatest = range_of(scalar)
    if not least <= number <= greatest:
        raise ValueError(f"expected a value that {scalar} can hold")
    return number


def _strip_quotes(text: str) -> str:
    """Return a value without quotes, and without the blanks in them."""
    if not is_string(text):
        return text
    if "\\" in text or not text.isascii():
        raise ValueError("expected plain ASCII in quotes")
    # `flatc` evaluates functions only outside of quotes.
    if text[-2] == ")":
        raise ValueError("expected a number")
    return remove_quotes(text).strip(" ")


def _unquoted_names(text: str) -> str:
    """Return the text of a default value that names values of an enum, without its quotes.

    Several names, and a name with its enum, have to be in quotes.
    """
    if is_string(text):
        return remove_quotes(text)
    if "." in text:
        raise ValueError("expected the name of a value, or a value with its enum in quotes")
    return text


def _parse_truth(text: str) -> bool:
    """Return the truth value of a bool field's default: `true`, `false`, or a number that fits into a byte."""
    if text in ("true", "false"):
        return text == "true"
    number = integer(text)
    if not 0 <= number <= _MAX_BYTE:
        raise ValueError("expected a value that bool can hold")
    return number != 0


def _enum_expression(text: str, names: Mapping[str, int] | None, enums: Enums) -> int:
    """Return the number of one or several names of an enum's values: `Red`, `Color.Red`, `Red Blue` for bit flags."""
    number = 0
    for value_name in text.split(" "):
        known, name = names, value_name
        if known is None:
            enum, _, name = value_name.partition(".")
            known = enums(enum)
        if known is None:
            raise ValueError("expected a number")
        if name not in known:
            raise ValueError(f"the enum has no value {name!r}")
        number |= known[name]
    return number


def _single(number: float) -> float:
    """Return a number rounded to single precision, with the fewest digits that identify it."""
    stored = to_float32(number)
    for digits in range(1, 9):
        short = float(f"{stored:.{digits}g}")
        if to_float32(short) == stored:
            return short
    return stored
