"""The patch files in the library of a wheel: plain texts that end in NUL, and the code that puts them in a table.

The generated header `patch.h` declares a map from the name of each file to its text. In machine code of x86-64 it is
filled with one reference for each name and each text, in turn, so that the name of a text is the one before it
(measured with 3.1.1, 3.2.2 and 3.3.1). Where a text stands in the library says nothing.
"""

from __future__ import annotations

from itertools import pairwise

from opspec_lint.documents.elf import Elf
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TypeAlias

    _Reference: TypeAlias = tuple[int, int]
    """The offset of an instruction in its section, and the address that it takes."""

_HEADING = b"_patches:\n"
_HEADINGS = (b"op", b"op_pair", b"attr", b"type")
_LONGEST = 1 << 20
"""Bytes of one such text."""
_REFERENCE = pattern(rb"\x48\x8d\x35(.{4})", "s")
"""The instruction that takes the address of the text which a string is made of (`lea rsi, [rip + n]`)."""
_NEAR = 64
"""Bytes of code between two references of the table, at most."""
_NUMBER = pattern(r"\d{1,3}")


def patch_documents(data: bytes) -> dict[int, str]:
    """Return the texts of patch files in a library, by their offsets; files without patches are left out."""
    found = {}
    at = data.find(_HEADING)
    while at >= 0:
        start = data.rfind(b"\0", max(0, at - _LONGEST), at) + 1
        end = data.find(b"\0", at, at + _LONGEST)
        if end > 0 and data[start:at].rpartition(b"\n")[2] in _HEADINGS:
            found[start] = data[start:end].decode("utf-8", "replace")
            at = end
        at = data.find(_HEADING, at + 1)
    return found


def numbered(data: bytes, documents: Mapping[int, str]) -> dict[int, str] | None:
    """Return all patch files of a library, empty ones too, by their numbers; None where these cannot be told.

    Args:
        data: the library.
        documents: those of its patch files that have patches, by their offsets.
    """
    library = Elf(data)
    wanted = {library.address(offset) for offset in documents}
    for start, code in library.code():
        references = [(match.start(), _target(start, match)) for match in _REFERENCE.finditer(code)]
        places = [place for place, (_, address) in enumerate(references) if address in wanted]
        if places:
            texts = [library.text(address, _LONGEST) or "" for _, address in _together(references, places)]
            found = _in_turn(texts)
            return found if set(documents.values()) <= set(found.values()) else None
    return None


def _target(start: int, reference: re.Match[bytes]) -> int:
    return start + reference.end() + int.from_bytes(reference[1], "little", signed=True)


def _together(references: Sequence[_Reference], places: Sequence[int]) -> Iterable[_Reference]:
    """Return the references around some of them without a gap in between."""
    first, last = places[0], places[-1]
    while first and references[first][0] - references[first - 1][0] <= _NEAR:
        first -= 1
    while last + 1 < len(references) and references[last + 1][0] - references[last][0] <= _NEAR:
        last += 1
    return references[first : last + 1]


def _in_turn(texts: Sequence[str]) -> dict[int, str]:
    """Return the texts that a number stands before, by their numbers."""
    return {int(name): text for name, text in pairwise(texts) if _NUMBER.fullmatch(name)}
