"""The slots and numbers in schema_generated.h, the code that flatc generated from the schema."""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

MARK = "FlatBuffersVTableOffset"

_OFFSETS = "enum FlatBuffersVTableOffset"
_TABLE = " FLATBUFFERS_FINAL_CLASS"
_SLOT = pattern(r"\bVT_(\w+) = (\d+)")
_ENUM = pattern(r"\nenum (?:class )?(\w+)(?: : \w+)? \{([^{}]*)\}")
_VALUE = pattern(r"^[^\S\n]*(\w+) = (-?\d+)", "m")
_FIRST_SLOT, _SLOT_SIZE = 4, 2


def read(text: str) -> dict[str, Any]:
    """Return the slots of each table by field name in capitals, and the numbers of each enum or union."""
    return {"tables": dict(_tables(text)), "enums": dict(_enums(text))}


def _tables(text: str) -> Iterator[tuple[str, tuple[int, dict[str, int]]]]:
    """Yield each table as its name, line and slots."""
    at = text.find(_OFFSETS)
    line, before = 1, 0
    while at >= 0:
        end = text.find("}", at)
        behind = text.rfind(_TABLE, 0, at)
        name = text[text.rfind(" ", 0, behind) + 1 : behind]
        line += text.count("\n", before, at)
        before = at
        # A vtable begins with two 16-bit sizes, so the offset of slot n is 4 + 2n (FlatBuffers internals).
        slots = {field: (int(offset) - _FIRST_SLOT) // _SLOT_SIZE for field, offset in _SLOT.findall(text, at, end)}
        yield name, (line, slots)
        at = text.find(_OFFSETS, end)


def _enums(text: str) -> Iterator[tuple[str, tuple[int, dict[str, int]]]]:
    """Yield each enum or union as its name, line and numbers; flatc writes them before the first table."""
    before_tables = text[: text.find(_OFFSETS)]
    for match in _ENUM.finditer(before_tables):
        name = match[1]
        values = {
            value.removeprefix(f"{name}_"): int(number)
            for value, number in _VALUE.findall(match[2])
            # flatc adds these names for the first and the last value; the schema does not declare them.
            if value not in (f"{name}_MIN", f"{name}_MAX")
        }
        # The match begins with the line break before the line of the enum.
        line = before_tables.count("\n", 0, match.start()) + 2
        yield name, (line, values)
