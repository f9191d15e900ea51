"""Which fixes can be applied together."""

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

    An edit that several fixes have is applied once. Insertions at one place stand in the order of their fixes.
    """
    taken: list[Fix] = []
    left: list[Fix] = []
    edits: dict[str, list[Edit]] = {}
    for fix in dict.fromkeys(fixes):
        new = [each for each in fix.edits if each not in edits.get(each.file, ())]
        if any(_touch(each, other) for each in new for other in edits.get(each.file, ())):
            left.append(fix)
            continue
        taken.append(fix)
        for each in new:
            edits.setdefault(each.file, []).append(each)
    by_file = {found[0].source: tuple(found) for _, found in sorted(edits.items())}
    return Plan(taken=tuple(taken), left=tuple(left), edits=by_file)


def _touch(one: Edit, other: Edit) -> bool:
    """Tell whether two edits cannot both be applied; one may begin where the other ends."""
    if one.source != other.source:
        return True
    if one.start == one.end and other.start == other.end:
        return False
    return one.start < other.end and other.start < one.end
