"""The fixer of runtime_version.cc: it restores rows, and adds rows of new versions if the next release is known."""

from __future__ import annotations

from opspec_lint.fixes.fix import Fix
from opspec_lint.frameworks.tflite.extract.layout import PLACES
from opspec_lint.frameworks.tflite.extract.runtime_rows import MARK, Row, parse_rows
from opspec_lint.lint.fixer import Fixer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.fixes.files import Files
    from opspec_lint.fixes.text_file import Edit, TextFile
    from opspec_lint.lint.fixer import Sides
    from opspec_lint.report.findings import Finding


def fixes(finding: Finding, sides: Sides) -> Iterator[Fix]:
    """Yield the fix that restores the row of a finding, or adds its missing rows."""
    base, head = _rows_file(sides.base), _rows_file(sides.head)
    if head is None or finding.op is None:
        return
    if finding.rule == "runtime_row_missing":
        versions, done = list(finding.new), "add the rows of"
        edits = [
            edit for version in versions for edit in _add_edits(base, head, finding.op, version, sides.next_version)
        ]
    else:
        version = int((finding.field or "").rpartition(".")[2])  # the field is `oldest_runtimes.VERSION`
        versions, done = [version], "restore the row of"
        edits = _restore_edits(base, head, finding.op, version)
    before = {(row.op, row.version) for row in parse_rows(head.text)}
    after = {(row.op, row.version) for row in parse_rows(head.with_edits(edits).decode())}
    if edits and after == before | {(finding.op, version) for version in versions}:
        description = f"{done} '{finding.op}', version {', '.join(map(str, versions))}"
        yield Fix(description=description, safety="safe", edits=tuple(edits))


def _rows_file(files: Files) -> TextFile | None:
    """Return the file with the rows, None if there is none."""
    for path in PLACES["runtimes"]:
        file = files.text(path)
        # A file that moved only includes the one at its new path.
        if file is not None and parse_rows(file.text):
            return file
    return None


def _restore_edits(base: TextFile | None, head: TextFile, op: str, version: int) -> list[Edit]:
    """Return the edit that restores the row of a version as it is in base, [] if base has none."""
    rows = [] if base is None else parse_rows(base.text)
    row = next((candidate for candidate in rows if (candidate.op, candidate.version) == (op, version)), None)
    if base is None or row is None:
        return []
    head_rows = {(candidate.op, candidate.version): candidate for candidate in parse_rows(head.text)}
    if (op, version) in head_rows:
        return [head.edit(*head_rows[op, version].value_span, base.text[slice(*row.value_span)])]
    # The row goes next to the nearest row of base that head has: below one that precedes it, or else above.
    text, index = base.text[row.start : row.end], rows.index(row)
    preceding = [head_rows.get((candidate.op, candidate.version)) for candidate in reversed(rows[:index])]
    above = next((head_row for head_row in preceding if head_row is not None), None)
    if above is not None:
        return [_insert_edit(head, above, text, is_above=True)]
    following = [head_rows.get((candidate.op, candidate.version)) for candidate in rows[index + 1 :]]
    below = next((head_row for head_row in following if head_row is not None), None)
    return [] if below is None else [_insert_edit(head, below, text, is_above=False)]


def _add_edits(base: TextFile | None, head: TextFile, op: str, version: int, coming: str | None) -> list[Edit]:
    """Return the edit that adds the row of a version: the row of base, or one with the next release, `coming`."""
    restored = _restore_edits(base, head, op, version)
    if restored or coming is None:
        return restored
    # Below the last row of the op, or of the file.
    rows = parse_rows(head.text)
    row = ([candidate for candidate in rows if candidate.op == op] or rows)[-1]
    return [_insert_edit(head, row, f'{{{{{MARK}{op}, {version}}}, "{coming}"}}')]


def _insert_edit(head: TextFile, row: Row, text: str, *, is_above: bool = True) -> Edit:
    """Return the edit that inserts the text of a row next to `row`: below, if `row` `is_above`, or above."""
    start = head.line_start(row.start)
    indent = head.text[start : row.start]
    if indent.strip():
        return head.edit(row.start, row.start, f"{text}, ")
    behind = head.line_end(row.end)
    at = behind if is_above and head.text[row.end : behind].strip() == "," else start
    return head.edit(at, at, f"{indent}{text},\n")


FIXER = Fixer(rules=("runtime_row_changed", "runtime_row_missing", "runtime_row_removed"), fixes=fixes)
