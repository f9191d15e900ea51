"""Which runtime an op version is said to need: the rows of the map in runtime_version.cc."""

from __future__ import annotations

from opspec_lint.cpp.comments import without_comments
from opspec_lint.frameworks.tflite.extract.functions import numbered
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from opspec_lint.frameworks.tflite.extract.resolvers import Odd

    Rows: TypeAlias = dict[str, dict[int, tuple[str, int]]]
    """By op, and by version, the oldest runtime and the line of the row."""

MARK = "BuiltinOperator_"

_ROW = pattern(r"\{\s*\{\s*(?:\w*::)*BuiltinOperator_(\w+)\s*,\s*([^{},]*?)\s*\}\s*,\s*([^{}]*?)\s*\}")
_TEXT = pattern(r'"([^"\\]*)"')
_CONSTANT = pattern(r'\b(\w+)\s*(?:\[\s*\])?\s*=\s*"([^"\\]*)"\s*;')


class Row(Record):
    """A row as it is written: offsets of it, of its version, and of the runtime."""

    op: str
    version: int
    start: int
    end: int
    version_span: tuple[int, int]
    value_span: tuple[int, int]


def rows_of(text: str) -> list[Row]:
    """Return the rows of a text in their order, with their places; those whose version is no literal are left out."""
    return [
        Row(
            op=found[1],
            version=int(found[2]),
            start=found.start(),
            end=found.end(),
            version_span=found.span(2),
            value_span=found.span(3),
        )
        for found in _ROW.finditer(without_comments(text))
        if found[2].isdecimal()
    ]


def read(text: str) -> tuple[Rows, Odd]:
    """Return the rows."""
    plain = without_comments(text)
    constants = dict(_CONSTANT.findall(plain))
    rows: Rows = {}
    odd: Odd = []
    for line, found in numbered(plain, _ROW.finditer(plain)):
        op, version, value = found.groups()
        literal = _TEXT.fullmatch(value)
        runtime = literal[1] if literal else constants.get(value)
        if not version.isdecimal() or runtime is None:
            odd.append((op, line, f"the row is not a literal: {version}, {value}"))
        else:
            rows.setdefault(op, {}).setdefault(int(version), (runtime, line))
    return rows, odd
