"""Examples of numbers whose bytes have another value when they are read as another scalar type."""

from __future__ import annotations

from struct import calcsize, pack, unpack_from

from opspec_lint.spec.slots import FLOATS

_CODES = {
    "bool": "?",
    "byte": "b",
    "ubyte": "B",
    "short": "h",
    "ushort": "H",
    "int": "i",
    "uint": "I",
    "float": "f",
    "long": "q",
    "ulong": "Q",
    "double": "d",
}
_CANDIDATES = (-2, 200, 40_000, 70_000, 3_000_000_000, 1 << 33, (1 << 63) + 1, 1.5, 1)
"""Numbers that two types are likely to read differently: negative, too large for each size, not integral."""


def find_example(old: str, new: str) -> str:
    """Return bytes that two scalar types read differently: `fe ff meant -2 and is read as 65534`.

    If head reads more bytes than base wrote, the missing bytes are zeros. "" if no candidate is read differently.
    """
    if old == new:
        return ""
    for value in _CANDIDATES:
        if (isinstance(value, float) and old not in FLOATS) or (old == "bool" and value != 1):
            continue
        try:
            data = pack(f"<{_CODES[old]}", value)
        except Exception:  # noqa: S112 - struct.error, which `_struct` alone has, or no such value
            continue
        (reread,) = unpack_from(f"<{_CODES[new]}", data + bytes(8))
        if reread != value:
            return (
                f"{data.hex(' ')} meant {_number_text(value)} and is read as {_number_text(reread)}"
                + _extra_bytes_text(old, new)
            )
    return ""


def _number_text(number: float) -> str:
    return f"{number:.6g}" if isinstance(number, float) else str(number).lower()


def _extra_bytes_text(old: str, new: str) -> str:
    """Return the phrase for the bytes that the new type reads beyond the old type; "" for none."""
    more = calcsize(f"<{_CODES[new]}") - calcsize(f"<{_CODES[old]}")
    return f", with {more} byte{'s' if more > 1 else ''} of what follows" if more > 0 else ""
