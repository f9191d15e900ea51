"""The declarations in the compiled library of a wheel that its headers lack.

- The mangled names of API functions show which inputs are `paddle::optional` or vectors.
- The error messages of op checks name the type of each attr.
- Tables `attributes_name` contain the names of the attrs of each op.
"""

from __future__ import annotations

import struct

from opspec_lint.documents.elf import Elf
from opspec_lint.frameworks.paddle.extract.dialect.mangled import demangle
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
"""Elf64_Sym: offset of the name, info, visibility, section, value, size."""
_RELOCATION = struct.Struct("<QQq")
"""Elf64_Rela: address, info, addend."""
_RELATIVE = (8, 1027)
"""The relocation that adds the load address of the library (R_X86_64_RELATIVE, R_AARCH64_RELATIVE)."""
_ABSOLUTE = (1, 257)
"""The relocation that adds the address of a symbol, whose index is in the upper 32 bits of the info."""
_KIND_MASK = 0xFFFFFFFF
"""The bits of a relocation's info that hold its kind."""
_RELA, _SYMBOLS, _STRINGS = 4, 11, 3
"""The types of ELF sections with relocations, dynamic symbols and texts (SHT_RELA, SHT_DYNSYM, SHT_STRTAB)."""
_MAX_NAMES = 64
"""The limit on the attrs of one op."""


class Library:
    """The compiled library of Paddle, given its bytes."""

    def __init__(self, data: Bytes) -> None:
        self._data = data
        self._elf = Elf(data)
        self._names = self._elf.section(_STRINGS, b".dynstr")

    def attr_types(self) -> dict[str, set[str]]:
        """Return the attribute types of each attr name, over all ops."""
        types_by_name: dict[str, set[str]] = {}
        for match in _TYPE.finditer(self._data):
            types_by_name.setdefault(match[1].decode(), set()).add(match[2].decode())
        return types_by_name

    def parameter_types(self) -> dict[str, list[str]]:
        """Return the parameter types of each API function in `paddle::dialect`."""
        types_by_function: dict[str, list[str]] = {}
        for match in _API.finditer(self._names):
            try:
                function, types = demangle(match[1].decode())
            except (ValueError, UnicodeDecodeError):
                continue
            name = function.removeprefix("paddle::dialect::")
            if "::" not in name:
                types_by_function.setdefault(name, types)
        return types_by_function

    def attr_names(self) -> dict[str, tuple[str, ...]]:
        """Return the names of the attrs of each op class, by the qualified name of the class."""
        class_by_symbol = {
            match.start(1): f"{_NAMESPACES[match[2]]}{match[3].decode()}" for match in _TABLE.finditer(self._names)
        }
        if not class_by_symbol:
            return {}
        tables: dict[str, range] = {}
        for name, _, _, _, value, size in _SYMBOL.iter_unpack(self._symbols()):
            # Each entry is a pointer of 8 bytes; a damaged file may state any size.
            if name in class_by_symbol and size % 8 == 0 and size // 8 <= _MAX_NAMES:
                tables[class_by_symbol[name]] = range(value, value + size, 8)
        texts = self._texts_at({address for table in tables.values() for address in table})
        return {
            name: tuple(map(texts.__getitem__, table)) for name, table in tables.items() if texts.keys() >= {*table}
        }

    def _symbols(self) -> Bytes:
        """Return the dynamic symbol table."""
        return self._elf.section(_SYMBOLS, b".dynsym", _SYMBOL.size)

    def _texts_at(self, addresses: Collection[int]) -> dict[int, str]:
        """Return the strings that the pointers at some addresses refer to, by address.

        The pointers are zero in the file: relocations set them when the library is loaded.
        """
        texts = {}
        for at, info, addend in _RELOCATION.iter_unpack(self._elf.section(_RELA, b".rela.dyn", _RELOCATION.size)):
            if at in addresses:
                base = self._base_address(info)
                text = None if base is None else self._elf.text(base + addend)
                if text is not None:
                    texts[at] = text
        return texts

    def _base_address(self, info: int) -> int | None:
        """Return the address that a relocation adds its addend to; None for an unknown kind or symbol."""
        if info in _RELATIVE:
            return 0
        return self._address(info >> 32) if info & _KIND_MASK in _ABSOLUTE else None

    def _address(self, symbol: int) -> int | None:
        """Return the address of a symbol by its index; None if there is no such symbol."""
        symbols, start = self._symbols(), symbol * _SYMBOL.size
        if start >= len(symbols):
            return None
        _, _, _, _, value, _ = _SYMBOL.unpack_from(symbols, start)
        return int(value)
