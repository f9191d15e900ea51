"""What the page of two releases shows: which ops stop models of one in the other, which may differ, and what else."""

from __future__ import annotations

from opspec_lint.kit.record import Compact, Record
from opspec_lint.report.ranking import rank
from opspec_lint.site.loads import stops
from opspec_lint.site.telling import command, proof

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence
    from typing import Literal, TypeAlias

    from opspec_lint.report.findings import Finding
    from opspec_lint.site.judgements import Judgements
    from opspec_lint.site.releases import Release

    Group: TypeAlias = Literal["stops", "gone", "differs", "loads", "come"]

GROUPS: tuple[Group, ...] = ("stops", "gone", "differs", "loads", "come")
"""The groups of entries, in the order of the page: `gone` and `come` are ops that only one of the releases has."""
_PER_PAGE = 120_000
"""Characters of the entries of a page, the markup of each counted."""
_MARKUP = 160


class Entry(Compact):
    """What is to be said of an op, or of all models where that is None: what changed, what breaks, and the rule."""

    group: Group
    op: str | None
    text: str = ""
    breaks: str = ""
    rule: str = ""
    proof: str = ""


class PairView(Record):
    """Two releases, and how many ops stop models; `counts` is the number of entries of each group.

    `is_limited` is whether anything stops models that is about no single op.
    """

    base: Release
    head: Release
    command: str
    stopping: int
    is_limited: bool
    entries: tuple[Entry, ...]
    counts: dict[Group, int]


def view(judged: Judgements, base: int, head: int) -> PairView:
    """Return the view of two releases, by their places."""
    found = sorted(_entries(judged, base, head), key=lambda each: GROUPS.index(each.group))
    groups = [each.group for each in found]
    return PairView(
        base=judged.saved.releases[base],
        head=judged.loading.releases[head],
        command=command(judged, base, head),
        stopping=count(judged, base, head),
        is_limited=any(each.op is None and each.group == "stops" for each in found),
        entries=tuple(found),
        counts={group: groups.count(group) for group in GROUPS if group in groups},
    )


def count(judged: Judgements, base: int, head: int) -> int:
    """Return how many ops of a release stop a model that uses them in another one."""
    found = judged.comparisons[base, head].findings
    theirs = judged.loading.releases[head].spec.ops
    stopping = {each.op for each in found if each.op is not None and _group(each, judged, theirs) == "stops"}
    return sum(_read_as(op, judged, head) is None for op in stopping)


def split(entries: Sequence[Entry]) -> list[list[Entry]]:
    """Return entries in the parts that go on one page each; at least one part."""
    parts: list[list[Entry]] = [[]]
    size = 0
    for each in entries:
        size += len(each.text) + len(each.breaks) + 2 * len(each.op or "") + _MARKUP
        if size > _PER_PAGE and parts[-1]:
            parts.append([])
            size = 0
        parts[-1].append(each)
    return parts


def _entries(judged: Judgements, base: int, head: int) -> Iterator[Entry]:
    """Yield the findings, the first to look at first in each group; of an op that came or went, only its name."""
    ours, theirs = judged.saved.releases[base].spec.ops, judged.loading.releases[head].spec.ops
    for each in sorted(judged.comparisons[base, head].findings, key=rank):
        group = _group(each, judged, theirs)
        if judged.is_crossing or each.kind != "op" or each.field is not None or each.op is None:
            yield _entry(each, group)
        elif group == "stops" and each.op not in theirs:
            yield _gone(each, judged, head)
        elif each.op in ours:
            yield _entry(each, group)
    if not judged.is_crossing:
        yield from (Entry(group="come", op=op) for op in sorted(theirs.keys() - ours.keys()))


def _gone(finding: Finding, judged: Judgements, head: int) -> Entry:
    """Return the entry of an op that the loading release does not have: its name, or what it is read as instead."""
    release, other = judged.loading.releases[head], _read_as(finding.op or "", judged, head)
    if other is None:
        return Entry(group="gone", op=finding.op)
    return _entry(finding, "differs").but(text=f"{release.label} reads it as {other}", breaks="")


def _read_as(op: str, judged: Judgements, head: int) -> str | None:
    return None if op in judged.loading.releases[head].spec.ops else judged.read_as(op, head)


def _entry(finding: Finding, group: Group) -> Entry:
    shown = proof(finding)
    return Entry(
        group=group, op=finding.op, text=finding.message, breaks=finding.breaks, rule=finding.rule, proof=shown
    )


def _group(finding: Finding, judged: Judgements, theirs: Container[str]) -> Group:
    """Return what a finding says of models that exist: what only new ones break by is nothing to them."""
    if stops(finding, is_missing=not judged.is_crossing and finding.op not in theirs):
        return "stops"
    return "differs" if "backward" in finding.directions and finding.level == "warning" else "loads"
