"""Comparisons across contracts: ops of base with the ops of another framework that its models are loaded as.

Only what the change breaks is reported, and not what those models were refused for before.
"""

from __future__ import annotations

from opspec_lint.lint import crossing
from opspec_lint.project import loading, source_pairs
from opspec_lint.project.pair import Pair
from opspec_lint.project.releases import compare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.project.check_context import CheckContext
    from opspec_lint.report.findings import Comparison
    from opspec_lint.sources.loaded import Loaded
    from opspec_lint.sources.reading import Reading


def compare_crossed(
    checked_pairs: Sequence[Pair], releases: Sequence[Loaded], context: CheckContext, reading: Reading
) -> list[Comparison]:
    """Return the comparisons of the ops of base and of releases with the ops that their models are loaded as.

    `checked_pairs` are compared by themselves elsewhere. Raises InputError if a spec cannot be read.
    """
    crossed = _CrossComparison(checked_pairs, releases, context, reading)
    return list(crossed.comparisons())


class _CrossComparison:
    """The checked pairs, and the sources of the same trees that the configuration does not name."""

    def __init__(
        self, checked_pairs: Sequence[Pair], releases: Sequence[Loaded], context: CheckContext, reading: Reading
    ) -> None:
        self._checked_pairs, self._releases = checked_pairs, releases
        self._context, self._reading = context, reading
        self._unnamed = source_pairs.related_unnamed_sources(checked_pairs)
        self._bases: dict[int, Loaded] = {}

    def comparisons(self) -> Iterator[Comparison]:
        """Yield a comparison for each base and each changed contract that loads its models."""
        targets = {id(pair.head.spec): pair for pair in self._targets() if pair.base and pair.head}
        ends = [(pair.base.spec, pair.head.spec) for pair in targets.values() if pair.base and pair.head]
        bases = (self._bases.setdefault(id(loaded.spec), loaded).spec for loaded in self._read_bases())
        for changed in crossing.changed_crossings(bases, ends):
            pair = targets[id(changed.head)]
            if pair.head is not None:
                policy = self._context.policy.for_spec(*pair.names)
                yield compare(self._bases[id(changed.base)], pair.head, policy, pair, before=changed.before)

    def _targets(self) -> Iterator[Pair]:
        """Yield the pairs whose ops load models of another framework."""
        yield from (pair for pair in self._checked_pairs if pair.is_target)
        for pair, reference in self._unnamed:
            if not pair.is_target:
                base = loading.load_source(self._context.base, reference, self._reading, may_lack=True)
                if base is not None:
                    head = loading.load_source(self._context.head, reference, self._reading)
                    yield Pair(path=reference, base=base, head=head, is_source=True)

    def _read_bases(self) -> Iterator[Loaded]:
        """Yield the specs at base, including unchanged ones, and the releases."""
        for pair in self._checked_pairs:
            same = loading.load_unchanged(self._context.head, pair.path) if pair.is_unchanged else None
            yield from filter(None, (same, pair.base))
        for pair, reference in self._unnamed:
            if pair.is_target:
                base = loading.load_source(self._context.base, reference, self._reading, may_lack=True)
                if base is not None:
                    yield base
        yield from self._releases
