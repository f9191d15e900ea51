"""What the page of two releases shows: which ops stop models of one in the other, which may differ, and what else."""

from __future__ import annotations

from opspec_lint.kit.record import Compact, Record
from opspec_lint.report.ranking import rank
from opspec_lint.site.telling import command, proof

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from opspec_lint.report.findings import Comparison, Finding
    from opspec_lint.site.judgements import Judgements
    from opspec_lint.site.releases import Release

_PER_PAGE = 120_000
"""Characters of the rows of a page, of which each has markup as well."""
_MARKUP = 160


class OpRow(Compact):
    """A finding about an op: the op, what is to be said, what breaks, and the rule."""

    op: str | None
    level: str
    text: str
    breaks: str
    rule: str
    proof: str


class PairView(Record):
    """Two releases: what was found, by how bad it is.

    `gone` are the ops that the loading release has not, `come` those that the saving one has not: both are only named.
    """

    base: Release
    head: Release
    command: str
    profile: str
    stops: tuple[OpRow, ...]
    differs: tuple[OpRow, ...]
    others: tuple[OpRow, ...]
    gone: tuple[str, ...]
    come: tuple[str, ...]

    @property
    def stopping(self) -> int:
        """How many ops stop a model that uses them."""
        return len({each.op for each in self.stops if each.op is not None} | set(self.gone))


def view(judged: Judgements, base: int, head: int) -> PairView:
    """Return the view of two releases, by their places."""
    comparison = judged.comparisons[base, head]
    saved, loading = judged.saved.releases[base], judged.loading.releases[head]
    gone = () if judged.is_crossing else tuple(_gone(comparison, loading))
    come = () if judged.is_crossing else tuple(sorted(loading.spec.ops.keys() - saved.spec.ops.keys()))
    told = [each for each in comparison.findings if not ((_is_of(each, gone) and _stops(each)) or _is_of(each, come))]
    return PairView(
        base=saved,
        head=loading,
        command=command(judged, base, head),
        profile=judged.profile,
        stops=tuple(_rows(told, "error")),
        differs=tuple(_rows(told, "warning")),
        others=tuple(_rows(told, "note")),
        gone=gone,
        come=come,
    )


def count(judged: Judgements, base: int, head: int) -> int:
    """Return how many ops of a release stop a model that uses them in another one."""
    found = judged.comparisons[base, head].findings
    return len({each.op for each in found if each.op is not None and _stops(each)})


def _stops(finding: Finding) -> bool:
    return finding.level == "error" and "backward" in finding.directions


def _gone(comparison: Comparison, loading: Release) -> Iterator[str]:
    """Yield the ops that stop models because the loading release has no such op."""
    found = {each.op for each in comparison.findings if each.op is not None and _stops(each)}
    yield from sorted(op for op in found if op not in loading.spec.ops)


def _is_of(finding: Finding, ops: Sequence[str]) -> bool:
    """Tell whether a finding says that one of some ops, as a whole, came or went."""
    return finding.kind == "op" and finding.field is None and finding.op in ops


def _rows(findings: Iterable[Finding], level: str) -> Iterator[OpRow]:
    """Yield the findings of a level; an error that stops no old model is a note here."""
    for each in sorted(findings, key=rank):
        if (each.level if "backward" in each.directions else "note") == level:
            shown = proof(each)
            yield OpRow(op=each.op, level=level, text=each.message, breaks=each.breaks, rule=each.rule, proof=shown)


def split(rows: Sequence[OpRow]) -> list[list[OpRow]]:
    """Return rows in the parts that go on one page each; at least one part."""
    parts: list[list[OpRow]] = [[]]
    size = 0
    for each in rows:
        size += len(each.text) + len(each.breaks) + 2 * len(each.op or "") + _MARKUP
        if size > _PER_PAGE and parts[-1]:
            parts.append([])
            size = 0
        parts[-1].append(each)
    return parts
