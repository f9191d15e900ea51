"""The schema as far as op versions need it: ops, options tables with their slots, and the comments about versions."""

from __future__ import annotations

import bisect

from opspec_lint.documents.fbs.resolve import read_schema
from opspec_lint.documents.file_context import FileContext
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from opspec_lint.documents.fbs.schema import Declaration, Field

OPS = "BuiltinOperator"
"""The enum of the ops."""

_SINCE = pattern(r"\bversion\s+(\d+)\s+or\s+above", "i")
_SAYS_VERSION = pattern(r"(?<!/)//(?:(?!(?<!/)//)[^\n])*\bversions?\s+\d", "i")


def read(data: bytes, path: str, other: Callable[[str], bytes | None]) -> tuple[dict[str, Any], bool]:
    """Return the declarations of a schema as plain data, and whether it is all of one file.

    `tables` are the fields of each table: name, type, default value, slot, whether it is deprecated, whether it is
    required, line, and the version since which a comment says it is there. `numbers` are those of each enum and union,
    and `ops` the ops with their lines. Names have no namespace.

    Raises:
        InputError: the file, or one that it includes, is no schema.
    """
    schema = read_schema(data, path, FileContext(read=other))
    comments = _Comments(data.decode("utf-8", "replace"))
    tables: dict[str, Any] = {}
    numbers: dict[str, dict[str, int]] = {}
    ops: dict[str, int] = {}
    for each in schema.declarations.values():
        name = _without_namespace(each.name)
        if each.form == "table":
            tables[name] = (_line(each), [_field(field, each, comments, path) for field in each.fields])
        elif each.form == "union":
            numbers[name] = {"NONE": 0, **{_without_namespace(member.name): member.number for member in each.members}}
        elif each.form == "enum":
            numbers[name] = {value.name: value.number for value in each.values}
        if name == OPS:
            ops = {value.name: value.origin.line or 1 for value in each.values}
    return {"tables": tables, "numbers": numbers, "ops": ops}, len(schema.files) <= 1


def _field(field: Field, table: Declaration, comments: _Comments, path: str) -> tuple[Any, ...]:
    line = field.origin.line or 1
    since = comments.since(_line(table), line) if field.origin.file == path else None
    return field.name, field.type, field.default, field.slot, field.is_deprecated, field.is_required, line, since


def _line(declaration: Declaration) -> int:
    return declaration.origin.line or 1


def _without_namespace(name: str) -> str:
    return name.rpartition(".")[2]


class _Comments:
    """The comments that say since which version the fields below them are there."""

    def __init__(self, text: str) -> None:
        self._lines: list[int] = []
        self._versions: list[int | None] = []
        line, at = 1, 0
        for found in _SAYS_VERSION.finditer(text):
            line += text.count("\n", at, found.start())
            at = found.start()
            said = _SINCE.search(text, at, text.find("\n", at))
            self._lines.append(line)
            self._versions.append(int(said[1]) if said else None)

    def since(self, table: int, line: int) -> int | None:
        """Return the last comment above a line, within a table that begins at another line, as a version."""
        index = bisect.bisect(self._lines, line) - 1
        return self._versions[index] if index >= 0 and self._lines[index] > table else None
