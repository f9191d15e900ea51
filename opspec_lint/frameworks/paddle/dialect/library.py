"""What the compiled library of a wheel says of the ops beside its headers: in names of functions, texts and tables.

The functions of the API take optional inputs as `paddle::optional`, the checks of an op name the type of each attr in
what they print, and the names of the attrs stand in a table.
"""

from __future__ import annotations

import re
import struct

from opspec_lint.frameworks.paddle.dialect.mangled import parameters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    Bytes: TypeAlias = "bytes | memoryview"

_TYPE = re.compile(rb"Type of attribute: (\w+) is not ([\w:]+)\.?\0")
_API = re.compile(rb"\0(_ZN6paddle7dialect\d[^\0]*)")
_TABLE = re.compile(rb"\0(_ZN(6paddle7dialect|3pir)\d+(\w+?)15attributes_nameE)(?=\0)")
_NAMESPACES = {b"6paddle7dialect": "paddle::dialect::", b"3pir": "pir::"}
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
_RELATIVE = (8, 1027)
"""The kind of relocation that adds the address of the library, of x86-64 and of AArch64."""
_RELA, _SYMBOLS, _STRINGS = 4, 11, 3
_MAX_NAMES = 64
_MAX_SECTIONS = 200
_LONGEST = 200


class Library:
    """A compiled library.

    Args:
        data: its bytes.
    """

    def __init__(self, data: Bytes) -> None:
        self._data = data
        self._sections = list(self._all_sections())
        self._names = self._section(_STRINGS, b".dynstr")

    def attr_types(self) -> dict[str, set[str]]:
        """Return the attributes of the dialect that an attr of a name is of in any op."""
        found: dict[str, set[str]] = {}
        for match in _TYPE.finditer(self._data):
            found.setdefault(match[1].decode(), set()).add(match[2].decode())
        return found

    def inputs(self) -> dict[str, list[str]]:
        """Return the types of the parameters of each function of the API."""
        found: dict[str, list[str]] = {}
        for match in _API.finditer(self._names):
            try:
                function, types = parameters(match[1].decode())
            except (ValueError, UnicodeDecodeError):
                continue
            name = function.removeprefix("paddle::dialect::")
            if "::" not in name:
                found.setdefault(name, types)
        return found

    def attr_names(self) -> dict[str, tuple[str, ...]]:
        """Return the names of the attrs of each class of an op, by its name with its namespace."""
        wanted = {
            match.start(1): f"{_NAMESPACES[match[2]]}{match[3].decode()}" for match in _TABLE.finditer(self._names)
        }
        if not wanted:
            return {}
        found: dict[str, tuple[str, ...]] = {}
        relocations = self._section(_RELA, b".rela.dyn", _RELOCATION.size)
        for name, _, _, _, value, size in _SYMBOL.iter_unpack(self._section(_SYMBOLS, b".dynsym", _SYMBOL.size)):
            if name in wanted and size % 8 == 0 and size // 8 <= _MAX_NAMES:
                texts = [self._pointed(relocations, value + 8 * place) for place in range(size // 8)]
                if all(text is not None for text in texts):
                    found[wanted[name]] = tuple(text for text in texts if text is not None)
        return found

    def _pointed(self, relocations: Bytes, address: int) -> str | None:
        """Return the text that a pointer of the library points to."""
        low, high = 0, len(relocations) // _RELOCATION.size
        while low < high:  # they are sorted by their kind, and by their address
            middle = (low + high) // 2
            at, kind, addend = _RELOCATION.unpack_from(relocations, middle * _RELOCATION.size)
            if kind not in _RELATIVE or at > address:
                high = middle
            elif at < address:
                low = middle + 1
            else:
                return self._text(addend)
        return None

    def _text(self, address: int) -> str | None:
        for _, kind, _, start, offset, size, *_ in self._sections:
            if kind == 1 and start <= address < start + size:
                place = offset + address - start
                text = bytes(self._data[place : place + _LONGEST]).partition(b"\0")[0]
                return text.decode("utf-8", "replace")
        return None

    def _all_sections(self) -> Iterator[tuple[int, ...]]:
        if len(self._data) < _HEADER.size or bytes(self._data[:6]) != b"\x7fELF\x02\x01":
            return
        header = _HEADER.unpack_from(self._data)
        start, size, count = header[6], header[11], min(header[12], _MAX_SECTIONS)
        for place in range(count if size == _SECTION.size else 0):
            if start + (place + 1) * size <= len(self._data):
                yield _SECTION.unpack_from(self._data, start + place * size)

    def _section(self, kind: int, name: bytes, size: int = 1) -> Bytes:
        """Return the content of a section as far as it is of whole items, empty where the library has none."""
        for number, section in enumerate(self._sections):
            if section[1] == kind and self._name(number) == name:
                found = self._data[section[4] : section[4] + section[5]]
                return found[: len(found) // size * size]
        return b""

    def _name(self, number: int) -> bytes:
        header = _HEADER.unpack_from(self._data)
        if header[13] >= len(self._sections):
            return b""
        names = self._sections[header[13]]
        start = names[4] + self._sections[number][0]
        return bytes(self._data[start : start + 32]).partition(b"\0")[0]
