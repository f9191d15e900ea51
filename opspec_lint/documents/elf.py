"""Reader of shared libraries: 64-bit little-endian ELF files. Nothing of a library is loaded or run.

Source of the format: the System V ABI, https://gabi.xinuos.com.
"""

from __future__ import annotations

import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    Bytes: TypeAlias = "bytes | memoryview"

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_CONTENT = 1
"""The type of a section with code or data (SHT_PROGBITS)."""
_EXECUTABLE = 4
"""The flag of a section with code (SHF_EXECINSTR)."""
_MAX_SECTIONS = 200
"""The most sections that are read; a damaged header can state 65,535."""
_LONGEST = 200
"""The most bytes of a text that is looked up by its address."""


class Elf:
    """A shared library; a damaged file, or one of another format, has no sections.

    Args:
        data: the bytes of the file.
    """

    def __init__(self, data: Bytes) -> None:
        self._data = data
        self._sections = list(self._all_sections())

    def section(self, kind: int, name: bytes, size: int = 1) -> Bytes:
        """Return the content of a section, cut to whole items of `size` bytes; empty if the library lacks it."""
        for number, section in enumerate(self._sections):
            if section[1] == kind and self._section_name(number) == name:
                content = self._section_content(section)
                return content[: len(content) // size * size]
        return b""

    def code(self) -> Iterator[tuple[int, Bytes]]:
        """Yield the address and the content of each section with code."""
        for section in self._sections:
            if section[1] == _CONTENT and section[2] & _EXECUTABLE:
                yield section[3], self._section_content(section)

    def address(self, offset: int) -> int | None:
        """Return the address of a byte of the file, None if it is in no section."""
        for _, kind, _, start, at, size, *_ in self._sections:
            if kind == _CONTENT and at <= offset < at + size:
                return start + offset - at
        return None

    def text(self, address: int, longest: int = _LONGEST) -> str | None:
        """Return the text at an address, None if no section contains it."""
        for _, kind, _, start, offset, size, *_ in self._sections:
            if kind == _CONTENT and start <= address < start + size:
                place = offset + address - start
                text = bytes(self._data[place : place + longest]).partition(b"\0")[0]
                return text.decode("utf-8", "replace")
        return None

    def _all_sections(self) -> Iterator[tuple[int, ...]]:
        """Yield the headers of the sections (Elf64_Shdr), none for a file of another kind."""
        # The magic number, then EI_CLASS (2: 64 bits) and EI_DATA (1: little-endian), which fix the structures above.
        if len(self._data) < _HEADER.size or bytes(self._data[:6]) != b"\x7fELF\x02\x01":
            return
        header = _HEADER.unpack_from(self._data)
        # e_shoff, e_shentsize and e_shnum of Elf64_Ehdr; `header[13]` below is e_shstrndx.
        start, size, count = header[6], header[11], min(header[12], _MAX_SECTIONS)
        # With another e_shentsize, the fields of the headers would be at other offsets.
        for place in range(count if size == _SECTION.size else 0):
            if start + (place + 1) * size <= len(self._data):
                yield _SECTION.unpack_from(self._data, start + place * size)

    def _section_content(self, section: tuple[int, ...]) -> Bytes:
        return self._data[section[4] : section[4] + section[5]]

    def _section_name(self, number: int) -> bytes:
        header = _HEADER.unpack_from(self._data)
        if header[13] >= len(self._sections):
            return b""
        names = self._sections[header[13]]
        # sh_name is an offset in the string table, whose own place in the file is sh_offset.
        start = names[4] + self._sections[number][0]
        return bytes(self._data[start : start + 32]).partition(b"\0")[0]
