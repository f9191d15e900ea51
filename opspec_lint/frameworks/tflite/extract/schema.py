"""The schema of TFLite: ops, options tables with their slots, and the comments that state versions of options."""

from __future__ import annotations

import bisect

from opspec_lint.documents.fbs.resolve import read_schema
from opspec_lint.documents.file_context import FileContext
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from opspec_lint.documents.fbs.schema import SchemaDeclaration, SchemaField

OPS = "BuiltinOperator"
"""The name of the enum with the ops."""

_SINCE = pattern(r"\bversion\s+(\d+)\s+or\s+above", "i")
_VERSION_COMMENT = pattern(r"(?<!/)//(?:(?!(?<!/)//)[^\n])*\bversions?\s+\d", "i")


def read(data: bytes, path: str, read_include: Callable[[str], bytes | None]) -> tuple[dict[str, Any], bool]:
    """Return the declarations of a schema as plain data, and whether it includes no other file.

    `tables` has the line and the fields of each table: name, type, default value, slot, is_deprecated, is_required,
    line, and the version since which a comment states that it exists. `numbers` has the values of each enum and union,
    and `ops` the line of each op. Names have no namespace.

    Raises:
        InputError: the file, or one that it includes, is no schema.
    """
    schema = read_schema(data, path, FileContext(read=read_include))
    comments = _Comments(data.decode("utf-8", "replace"))
    tables: dict[str, Any] = {}
    numbers: dict[str, dict[str, int]] = {}
    ops: dict[str, int] = {}
    for declaration in schema.declarations.values():
        name = _without_namespace(declaration.name)
        if declaration.form == "table":
            tables[name] = (
                _line(declaration),
                [_field(field, declaration, comments, path) for field in declaration.fields],
            )
        elif declaration.form == "union":
            numbers[name] = {
                "NONE": 0,
                **{_without_namespace(member.name): member.number for member in declaration.members},
            }
        elif declaration.form == "enum":
            numbers[name] = {value.name: value.number for value in declaration.values}
        if name == OPS:
            ops = {value.name: value.origin.line or 1 for value in declaration.values}
    return {"tables": tables, "numbers": numbers, "ops": ops}, len(schema.files) <= 1


def _field(field: SchemaField, table: SchemaDeclaration, comments: _Comments, path: str) -> tuple[Any, ...]:
    """Return the record of a field; comments of an included file are not read."""
    line = field.origin.line or 1
    since = comments.since(_line(table), line) if field.origin.file == path else None
    return field.name, field.type, field.default, field.slot, field.is_deprecated, field.is_required, line, since


def _line(declaration: SchemaDeclaration) -> int:
    return declaration.origin.line or 1


def _without_namespace(name: str) -> str:
    return name.rpartition(".")[2]


class _Comments:
    """The comments such as `// Parameters for version 2 or above.`, which state the version of the fields below."""

    def __init__(self, text: str) -> None:
        self._lines: list[int] = []
        self._versions: list[int | None] = []
        line, at = 1, 0
        for match in _VERSION_COMMENT.finditer(text):
            line += text.count("\n", at, match.start())
            at = match.start()
            since = _SINCE.search(text, at, text.find("\n", at))
            self._lines.append(line)
            self._versions.append(int(since[1]) if since else None)

    def since(self, table: int, line: int) -> int | None:
        """Return the version in the last comment between the line of a table and the line of its field, or None."""
        index = bisect.bisect(self._lines, line) - 1
        return self._versions[index] if index >= 0 and self._lines[index] > table else None
