"""The rows in runtime_version.cc: for an op and a version, the oldest runtime that accepts it."""

from __future__ import annotations

from opspec_lint.cpp.comments import without_comments
from opspec_lint.frameworks.tflite.extract.functions import with_lines
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from opspec_lint.frameworks.tflite.extract.resolvers import Irregular

    Rows: TypeAlias = dict[str, dict[int, tuple[str, int]]]
    """The oldest runtime and the line of the row, by op and version."""

MARK = "BuiltinOperator_"

_ROW = pattern(r"\{\s*\{\s*(?:\w*::)*BuiltinOperator_(\w+)\s*,\s*([^{},]*?)\s*\}\s*,\s*([^{}]*?)\s*\}")
_TEXT = pattern(r'"([^"\\]*)"')
_CONSTANT = pattern(r'\b(\w+)\s*(?:\[\s*\])?\s*=\s*"([^"\\]*)"\s*;')


class Row(Record):
    """A row of the file: its op and version, and the offsets of the row, of the version and of the runtime."""

    op: str
    version: int
    start: int
    end: int
    version_span: tuple[int, int]
    value_span: tuple[int, int]


def parse_rows(text: str) -> list[Row]:
    """Return the rows of a text in order, with their offsets; a row whose version is no literal is left out."""
    return [
        Row(
            op=match[1],
            version=int(match[2]),
            start=match.start(),
            end=match.end(),
            version_span=match.span(2),
            value_span=match.span(3),
        )
        for match in _ROW.finditer(without_comments(text))
        if match[2].isdecimal()
    ]


def read(text: str) -> tuple[Rows, Irregular]:
    """Return the rows, and the rows that are no literals."""
    plain = without_comments(text)
    constants = dict(_CONSTANT.findall(plain))
    rows: Rows = {}
    irregular: Irregular = []
    for line, match in with_lines(plain, _ROW.finditer(plain)):
        op, version, value = match.groups()
        literal = _TEXT.fullmatch(value)
        runtime = literal[1] if literal else constants.get(value)
        if not version.isdecimal() or runtime is None:
            irregular.append((op, line, f"the row is not a literal: {version}, {value}"))
        else:
            rows.setdefault(op, {}).setdefault(int(version), (runtime, line))
    return rows, irregular
