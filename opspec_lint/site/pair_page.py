"""The content of a page of two releases: the ops that stop models or may change their results, and other changes."""

from __future__ import annotations

from opspec_lint.kit.record import Compact, Record
from opspec_lint.kit.text import plural
from opspec_lint.report.ranking import rank
from opspec_lint.site.loads import stops
from opspec_lint.site.wording import command, older_version_text, proof_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence
    from typing import Literal, TypeAlias

    from opspec_lint.report.findings import Finding
    from opspec_lint.site.judgements import Judgements
    from opspec_lint.site.releases import Release

    Group: TypeAlias = Literal["stops", "gone", "older", "differs", "loads", "come"]

GROUPS: tuple[Group, ...] = ("stops", "gone", "older", "differs", "loads", "come")
"""The groups of entries, in the order of the page: `gone` and `come` are ops that only one of the releases has.

`older` are ops of which the loading release has an older version only, as which it reads their nodes.
"""
_PER_PAGE = 120_000
"""Characters of the entries of a page, the markup of each counted."""
_MARKUP = 160


class Entry(Compact):
    """A line about an op, or about all models if that is None: the change, its effect, and the rule."""

    group: Group
    op: str | None
    text: str = ""
    breaks: str = ""
    rule: str = ""
    proof: str = ""


class PairView(Record):
    """Two releases, and the number of ops that stop models; `counts` is the number of entries in each group.

    `is_limited` is true if a finding about no single op stops models.
    """

    base: Release
    head: Release
    command: str
    stopping: int
    is_limited: bool
    entries: tuple[Entry, ...]
    counts: dict[Group, int]

    @property
    def answer(self) -> str:
        """The answer to the question whether models of the one release load in the other."""
        exceptions = []
        older = self.counts.get("older", 0)
        if self.stopping:
            exceptions.append(_count_text(self.stopping))
        if older:
            exceptions.append(
                f"what is new in {_count_text(older)} that {self.head.label} has in an older version only"
            )
        unless = " or ".join(exceptions)
        if self.is_limited:
            return f"Not every model loads, whatever it uses{f'; and none that uses {unless}' if unless else ''}."
        return f"Yes, unless they use {unless}." if unless else "Yes: no op stops a model."


def _count_text(ops: int) -> str:
    """Return text on ops that a model may use: "the op below", or "one of 3 ops"."""
    return "the op below" if ops == 1 else f"one of {plural(ops, 'op')}"


def view(judged: Judgements, base: int, head: int) -> PairView:
    """Return the view of two releases, by their places."""
    entries = sorted(_entries(judged, base, head), key=lambda entry: GROUPS.index(entry.group))
    groups = [entry.group for entry in entries]
    return PairView(
        base=judged.saved.releases[base],
        head=judged.loading.releases[head],
        command=command(judged, base, head),
        stopping=count(judged, base, head),
        is_limited=is_limited(judged, base, head),
        entries=tuple(entries),
        counts={group: groups.count(group) for group in GROUPS if group in groups},
    )


def count(judged: Judgements, base: int, head: int) -> int:
    """Return the number of ops of a release that stop a model with them in another one."""
    findings = judged.comparisons[base, head].findings
    loading_ops = judged.loading.releases[head].spec.ops
    stopping = {
        finding.op for finding in findings if finding.op is not None and _group(finding, judged, loading_ops) == "stops"
    }
    return sum(_older_version(op, judged, head) is None for op in stopping)


def is_limited(judged: Judgements, base: int, head: int) -> bool:
    """Return whether a finding about no single op stops some models of a release in another one."""
    return any(stops(finding, is_missing=False) for finding in judged.findings(base, head, None))


def has_limits(judged: Judgements) -> bool:
    """Return whether any two releases are limited."""
    return any(is_limited(judged, base, head) for base, head in judged.comparisons)


def split(entries: Sequence[Entry]) -> list[list[Entry]]:
    """Return entries in the parts that go on one page each; at least one part."""
    parts: list[list[Entry]] = [[]]
    size = 0
    for entry in entries:
        size += len(entry.text) + len(entry.breaks) + 2 * len(entry.op or "") + _MARKUP
        if size > _PER_PAGE and parts[-1]:
            parts.append([])
            size = 0
        parts[-1].append(entry)
    return parts


def _entries(judged: Judgements, base: int, head: int) -> Iterator[Entry]:
    """Yield the findings, the most important of each group first; for an added or removed op, only its name."""
    saved_ops, loading_ops = judged.saved.releases[base].spec.ops, judged.loading.releases[head].spec.ops
    for finding in sorted(judged.comparisons[base, head].findings, key=rank):
        group = _group(finding, judged, loading_ops)
        if judged.is_crossing or finding.kind != "op" or finding.field is not None or finding.op is None:
            yield _entry(finding, group)
        elif group == "stops" and finding.op not in loading_ops:
            yield _missing_op_entry(finding, judged, head)
        elif finding.op in saved_ops:
            yield _entry(finding, group)
    # New ops are no findings for existing models, so they come from the specs.
    if not judged.is_crossing:
        new_ops = set(judged.loading.ops_of(judged.loading.releases[head])).difference(saved_ops)
        yield from (Entry(group="come", op=op) for op in sorted(new_ops))


def _missing_op_entry(finding: Finding, judged: Judgements, head: int) -> Entry:
    """Return the entry of an op that the loading release does not have: its name, or the op that it reads instead."""
    replacement = _older_version(finding.op or "", judged, head)
    if replacement is None:
        return Entry(group="gone", op=finding.op)
    return _entry(finding, "older").replace(text=older_version_text(replacement), breaks="")


def _older_version(op: str, judged: Judgements, head: int) -> str | None:
    return None if op in judged.loading.releases[head].spec.ops else judged.older_version(op, head)


def _entry(finding: Finding, group: Group) -> Entry:
    shown = proof_text(finding)
    return Entry(
        group=group, op=finding.op, text=finding.message, breaks=finding.breaks, rule=finding.rule, proof=shown
    )


def _group(finding: Finding, judged: Judgements, loading_ops: Container[str]) -> Group:
    """Return the group of a finding: existing models stop loading, load and compute differently, or load as before."""
    # Where models are translated for other ops (a crossing), their ops are not those that head loads.
    is_missing = not judged.is_crossing and finding.op not in loading_ops
    if stops(finding, is_missing=is_missing):
        return "stops"
    return "differs" if "backward" in finding.directions and finding.level == "warning" else "loads"
