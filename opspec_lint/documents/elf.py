"""Reader of shared libraries: 64-bit little-endian ELF files. Nothing of a library is loaded or run.

Source of the format: the System V ABI, https://gabi.xinuos.com.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    Bytes: TypeAlias = "bytes | memoryview"

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
"""The layout of Elf64_Ehdr."""
_SECTION = struct.Struct("<IIQQQQIIQQ")
"""The layout of Elf64_Shdr, of which `_Section` has the first six fields."""
_CONTENT = 1
"""The type of a section with code or data (SHT_PROGBITS)."""
_EXECUTABLE = 4
"""The flag of a section with code (SHF_EXECINSTR)."""
_MAX_SECTIONS = 200
"""The most sections that are read; a damaged header can state 65,535."""
_LONGEST = 200
"""The most bytes of a text that is looked up by its address."""


class _Section(NamedTuple):
    """The header of a section: `name` is an offset in the table of names, `offset` of the content in the file."""

    name: int
    kind: int
    flags: int
    address: int
    offset: int
    size: int


class Elf:
    """A shared library; a damaged file, or one of another format, has no sections.

    Args:
        data: the bytes of the file.
    """

    def __init__(self, data: Bytes) -> None:
        self._data = data
        self._sections, self._names_at = self._read_headers()

    def section(self, kind: int, name: bytes, size: int = 1) -> Bytes:
        """Return the content of a section, cut to whole items of `size` bytes; empty if the library lacks it."""
        for section in self._sections:
            if section.kind == kind and self._section_name(section) == name:
                content = self._section_content(section)
                return content[: len(content) // size * size]
        return b""

    def code(self) -> Iterator[tuple[int, Bytes]]:
        """Yield the address and the content of each section with code."""
        for section in self._sections:
            if section.kind == _CONTENT and section.flags & _EXECUTABLE:
                yield section.address, self._section_content(section)

    def address(self, offset: int) -> int | None:
        """Return the address of a byte of the file, None if it is in no section."""
        for section in self._sections:
            if section.kind == _CONTENT and section.offset <= offset < section.offset + section.size:
                return section.address + offset - section.offset
        return None

    def text(self, address: int, longest: int = _LONGEST) -> str | None:
        """Return the text at an address, None if no section contains it."""
        for section in self._sections:
            if section.kind == _CONTENT and section.address <= address < section.address + section.size:
                place = section.offset + address - section.address
                text = bytes(self._data[place : place + longest]).partition(b"\0")[0]
                return text.decode("utf-8", "replace")
        return None

    def _read_headers(self) -> tuple[list[_Section], int | None]:
        """Return the headers of the sections, and the offset of their names; none for a file of another kind."""
        # The magic number, then EI_CLASS (2: 64 bits) and EI_DATA (1: little-endian), which fix the layouts above.
        if len(self._data) < _HEADER.size or bytes(self._data[:6]) != b"\x7fELF\x02\x01":
            return [], None
        header = _HEADER.unpack_from(self._data)
        # e_shoff, e_shentsize, e_shnum and e_shstrndx.
        start, size, count, index_of_names = header[6], header[11], header[12], header[13]
        # With another e_shentsize, the fields of the headers would be at other offsets.
        if size != _SECTION.size:
            return [], None
        ends = range(start + size, start + (min(count, _MAX_SECTIONS) + 1) * size, size)
        sections = [
            _Section(*_SECTION.unpack_from(self._data, end - size)[:6]) for end in ends if end <= len(self._data)
        ]
        return sections, sections[index_of_names].offset if index_of_names < len(sections) else None

    def _section_content(self, section: _Section) -> Bytes:
        return self._data[section.offset : section.offset + section.size]

    def _section_name(self, section: _Section) -> bytes:
        """Return the name of a section, cut to 32 bytes; empty if the library has no table of names."""
        if self._names_at is None:
            return b""
        start = self._names_at + section.name
        return bytes(self._data[start : start + 32]).partition(b"\0")[0]
