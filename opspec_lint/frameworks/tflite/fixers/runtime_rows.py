"""Restores the rows of runtime_version.cc, and adds those of new versions, if the next release is known."""

from __future__ import annotations

from opspec_lint.fixes.fix import Fix
from opspec_lint.frameworks.tflite.extract.layout import PLACES
from opspec_lint.frameworks.tflite.extract.runtime_rows import MARK, Row, rows_of
from opspec_lint.lint.fixer import Fixer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.fixes.files import Files
    from opspec_lint.fixes.text_file import Edit, TextFile
    from opspec_lint.lint.fixer import Sides
    from opspec_lint.report.findings import Finding


def fixes(finding: Finding, sides: Sides) -> Iterator[Fix]:
    """Yield the fix of a row, or of rows."""
    base, head = _file(sides.base), _file(sides.head)
    if head is None or finding.op is None:
        return
    if finding.rule == "runtime_row_missing":
        versions, done = list(finding.new), "add the rows of"
        edits = [edit for each in versions for edit in _missing(base, head, finding.op, each, sides.coming)]
    else:
        versions = [int((finding.field or "").rpartition(".")[2])]
        edits, done = _restored(base, head, finding.op, versions[0]), "restore the row of"
    before = {(each.op, each.version) for each in rows_of(head.text)}
    after = {(each.op, each.version) for each in rows_of(head.with_edits(edits).decode())}
    if edits and after == before | {(finding.op, version) for version in versions}:
        description = f"{done} '{finding.op}', version {', '.join(map(str, versions))}"
        yield Fix(description=description, safety="safe", edits=tuple(edits))


def _file(files: Files) -> TextFile | None:
    """Return the file that has the rows, None where there is none."""
    found = (file for path in PLACES["runtimes"] if (file := files.text(path)) is not None and rows_of(file.text))
    return next(found, None)


def _restored(base: TextFile | None, head: TextFile, op: str, version: int) -> list[Edit]:
    """Return the edit that makes the row of a version what it is in base."""
    rows = [] if base is None else rows_of(base.text)
    row = next((each for each in rows if (each.op, each.version) == (op, version)), None)
    if base is None or row is None:
        return []
    there = {(each.op, each.version): each for each in rows_of(head.text)}
    if (op, version) in there:
        return [head.edit(*there[op, version].value_span, base.text[slice(*row.value_span)])]
    at = rows.index(row)
    text = base.text[row.start : row.end]
    for near, is_above in ((reversed(rows[:at]), True), (rows[at + 1 :], False)):
        beside = next((found for each in near if (found := there.get((each.op, each.version))) is not None), None)
        if beside is not None:
            return [_beside(head, beside, text, is_above=is_above)]
    return []


def _missing(base: TextFile | None, head: TextFile, op: str, version: int, coming: str | None) -> list[Edit]:
    """Return the edit that adds the row of a version: that of base, or one that names the next release."""
    restored = _restored(base, head, op, version)
    if restored or coming is None:
        return restored
    rows = rows_of(head.text)
    row = ([each for each in rows if each.op == op] or rows)[-1]
    return [_beside(head, row, f'{{{{{MARK}{op}, {version}}}, "{coming}"}}')]


def _beside(head: TextFile, row: Row, text: str, *, is_above: bool = True) -> Edit:
    """Return the edit that puts a row behind another one, which is above it, or before it."""
    start = head.line_start(row.start)
    indent = head.text[start : row.start]
    if indent.strip():
        return head.edit(row.start, row.start, f"{text}, ")
    behind = head.line_end(row.end)
    at = behind if is_above and head.text[row.end : behind].strip() == "," else start
    return head.edit(at, at, f"{indent}{text},\n")


FIXER = Fixer(rules=("runtime_row_changed", "runtime_row_missing", "runtime_row_removed"), fixes=fixes)
