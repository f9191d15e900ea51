"""What the bytes of a number are when they are read as another type: the witness of a changed type."""

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


def find_example(old: str, new: str) -> str:
    """Return bytes that two scalar types read differently, with what each reads: `fe ff mean -2, and 65534 to head`.

    Where head reads more bytes than there are, zeros stand for those that follow.
    """
    for value in _CANDIDATES if old != new else ():
        if (isinstance(value, float) and old not in FLOATS) or (old == "bool" and value != 1):
            continue
        try:
            data = pack(f"<{_CODES[old]}", value)
        except Exception:  # noqa: S112 - struct.error, which `_struct` alone has, or no such value
            continue
        other = unpack_from(f"<{_CODES[new]}", data + bytes(8))[0]
        if other != value:
            return f"{data.hex(' ')} meant {_shown(value)} and is read as {_shown(other)}" + _more(old, new)
    return ""


def _shown(number: float) -> str:
    return f"{number:.6g}" if isinstance(number, float) else str(number).lower()


def _more(old: str, new: str) -> str:
    more = calcsize(f"<{_CODES[new]}") - calcsize(f"<{_CODES[old]}")
    return f", with {more} byte{'s' if more > 1 else ''} of what follows" if more > 0 else ""
