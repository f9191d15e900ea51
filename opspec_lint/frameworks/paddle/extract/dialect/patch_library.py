"""The patch files in the library of a wheel: texts that end in NUL, and the code that registers them by number.

The generated header `patch.h` declares a map from the name of each file to its text. In x86-64 code, this map is filled
by one address reference for each name and each text in turn, so the name of a text is the reference before it (measured
with 3.1.1, 3.2.2 and 3.3.1). The offset of a text in the library says nothing about its number.
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
    """The offset of an instruction in its section, and the address that it loads."""

_HEADING = b"_patches:\n"
_HEADINGS = (b"op", b"op_pair", b"attr", b"type")
_MAX_LENGTH = 1 << 20
"""The limit on the length of one text in bytes."""
_REFERENCE = pattern(rb"\x48\x8d\x35(.{4})", "s")
"""The instruction that loads the address of a string literal: `lea rsi, [rip + n]`."""
_MAX_GAP = 64
"""The largest distance in bytes of code between two references of the map."""
_NUMBER = pattern(r"\d{1,3}")


def patch_documents(data: bytes) -> dict[int, str]:
    """Return the texts of patch files in a library by offset; files without patches are not found."""
    texts = {}
    at = data.find(_HEADING)
    while at >= 0:
        start = data.rfind(b"\0", max(0, at - _MAX_LENGTH), at) + 1
        end = data.find(b"\0", at, at + _MAX_LENGTH)
        if end > 0 and data[start:at].rpartition(b"\n")[2] in _HEADINGS:
            texts[start] = data[start:end].decode("utf-8", "replace")
            # Behind the end of this document: it may have several headings.
            at = end
        at = data.find(_HEADING, at + 1)
    return texts


def texts_by_number(data: bytes, documents: Mapping[int, str]) -> dict[int, str] | None:
    """Return all patch files of a library by number, empty ones too; None if the numbers cannot be determined.

    `documents` are the files that have patches, by offset.
    """
    library = Elf(data)
    addresses = {library.address(offset) for offset in documents}
    for start, code in library.code():
        references = [(match.start(), _target(start, match)) for match in _REFERENCE.finditer(code)]
        indexes = [index for index, (_, address) in enumerate(references) if address in addresses]
        if indexes:
            texts = [library.text(address, _MAX_LENGTH) or "" for _, address in _neighbours(references, indexes)]
            by_number = _pair_names(texts)
            # If a known text is not among the referenced ones, the code was misread.
            return by_number if set(documents.values()) <= set(by_number.values()) else None
    return None


def _target(start: int, reference: re.Match[bytes]) -> int:
    """Return the address that an instruction loads, relative to its end."""
    return start + reference.end() + int.from_bytes(reference[1], "little", signed=True)


def _neighbours(references: Sequence[_Reference], indexes: Sequence[int]) -> Iterable[_Reference]:
    """Return the references around some indexes, up to the next gap on either side."""
    first, last = indexes[0], indexes[-1]
    while first and references[first][0] - references[first - 1][0] <= _MAX_GAP:
        first -= 1
    while last + 1 < len(references) and references[last + 1][0] - references[last][0] <= _MAX_GAP:
        last += 1
    return references[first : last + 1]


def _pair_names(texts: Sequence[str]) -> dict[int, str]:
    """Return each text that follows a number, by that number."""
    return {int(name): text for name, text in pairwise(texts) if _NUMBER.fullmatch(name)}
