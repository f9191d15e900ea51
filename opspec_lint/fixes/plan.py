"""Selection of fixes that can be applied together."""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from opspec_lint.fixes.fix import Fix
    from opspec_lint.fixes.text_file import Edit, TextFile


class Plan(Record):
    """The fixes that go together, and their edits by file. `left` are the fixes that touch one of `taken`."""

    taken: tuple[Fix, ...]
    left: tuple[Fix, ...]
    edits: Mapping[TextFile, tuple[Edit, ...]]


def plan(fixes: Iterable[Fix]) -> Plan:
    """Select the fixes that can be applied together: each one that does not touch an earlier one.

    An edit of several fixes is applied once. Insertions at one place are ordered like their fixes.
    """
    taken: list[Fix] = []
    left: list[Fix] = []
    edits: dict[str, list[Edit]] = {}
    # Several findings may have the same fix.
    for fix in dict.fromkeys(fixes):
        new = [edit for edit in fix.edits if edit not in edits.get(edit.file, ())]
        if any(_touch(edit, earlier) for edit in new for earlier in edits.get(edit.file, ())):
            left.append(fix)
            continue
        taken.append(fix)
        for edit in new:
            edits.setdefault(edit.file, []).append(edit)
    by_file = {file_edits[0].source: tuple(file_edits) for _, file_edits in sorted(edits.items())}
    return Plan(taken=tuple(taken), left=tuple(left), edits=by_file)


def _touch(first: Edit, second: Edit) -> bool:
    """Return whether two edits conflict; an edit may begin at the end of another."""
    if first.source != second.source:
        return True
    # Two insertions never conflict, also at one place: both texts are inserted.
    if first.start == first.end and second.start == second.end:
        return False
    return first.start < second.end and second.start < first.end
