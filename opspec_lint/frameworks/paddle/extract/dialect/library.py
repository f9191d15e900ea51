"""What the compiled library of a wheel says of the ops beside its headers: in names of functions, texts and tables.

The functions of the API take optional inputs as `paddle::optional`, the checks of an op name the type of each attr in
what they print, and the names of the attrs stand in a table.
"""

from __future__ import annotations

import struct

from opspec_lint.documents.elf import Elf
from opspec_lint.frameworks.paddle.extract.dialect.mangled import parameters
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from opspec_lint.documents.elf import Bytes

_TYPE = pattern(rb"Type of attribute: (\w+) is not ([\w:]+)\.?\0")
_API = pattern(rb"\0(_ZN6paddle7dialect\d[^\0]*)")
_TABLE = pattern(rb"\0(_ZN(6paddle7dialect|3pir)\d+(\w+?)15attributes_nameE)(?=\0)")
_NAMESPACES = {b"6paddle7dialect": "paddle::dialect::", b"3pir": "pir::"}
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
_RELATIVE = (8, 1027)
"""The kind of relocation that adds the address of the library, of x86-64 and of AArch64."""
_OF_SYMBOL = (1, 257)
"""The kind that adds the address of a symbol, whose number is in the upper 32 bits."""
_KIND = 0xFFFFFFFF
_RELA, _SYMBOLS, _STRINGS = 4, 11, 3
_MAX_NAMES = 64


class Library:
    """A compiled library.

    Args:
        data: its bytes.
    """

    def __init__(self, data: Bytes) -> None:
        self._data = data
        self._elf = Elf(data)
        self._names = self._elf.section(_STRINGS, b".dynstr")

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
        tables: dict[str, range] = {}
        for name, _, _, _, value, size in _SYMBOL.iter_unpack(self._symbols()):
            if name in wanted and size % 8 == 0 and size // 8 <= _MAX_NAMES:
                tables[wanted[name]] = range(value, value + size, 8)
        texts = self._pointed({address for table in tables.values() for address in table})
        return {
            name: tuple(map(texts.__getitem__, table)) for name, table in tables.items() if texts.keys() >= {*table}
        }

    def _symbols(self) -> Bytes:
        return self._elf.section(_SYMBOLS, b".dynsym", _SYMBOL.size)

    def _pointed(self, addresses: Collection[int]) -> dict[int, str]:
        """Return the texts that the pointers at some addresses point to, without those that point to none."""
        found = {}
        for at, kind, addend in _RELOCATION.iter_unpack(self._elf.section(_RELA, b".rela.dyn", _RELOCATION.size)):
            if at in addresses:
                base = 0 if kind in _RELATIVE else self._address(kind >> 32) if kind & _KIND in _OF_SYMBOL else None
                text = None if base is None else self._elf.text(base + addend)
                if text is not None:
                    found[at] = text
        return found

    def _address(self, symbol: int) -> int | None:
        symbols, start = self._symbols(), symbol * _SYMBOL.size
        return _SYMBOL.unpack_from(symbols, start)[4] if start < len(symbols) else None
