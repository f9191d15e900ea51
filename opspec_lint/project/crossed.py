"""Compares base's ops with the ops of head that models with them are loaded as, where two contracts of a change meet.

Reported is what the change takes from such models, and not what they were refused for before.
"""

from __future__ import annotations

from opspec_lint.lint import crossing
from opspec_lint.project import pairs
from opspec_lint.project.pairs import Pair
from opspec_lint.project.releases import compare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.project.scene import Scene
    from opspec_lint.report.findings import Comparison
    from opspec_lint.sources.loaded import Loaded
    from opspec_lint.sources.reading import Reading


def compare_crossed(
    found: Sequence[Pair], releases: Sequence[Loaded], scene: Scene, reading: Reading
) -> list[Comparison]:
    """Return the comparisons of base's ops, and those of releases, with the ops that their models are loaded as.

    Args:
        found: the pairs that are compared by themselves.
        releases: the releases that must stay compatible.
        scene: base and head.
        reading: how a source is to be read.

    Raises:
        InputError: a spec cannot be read.
    """
    crossed = _Crossed(found, releases, scene, reading)
    return list(crossed.comparisons())


class _Crossed:
    """The pairs of a check, with the sources of their trees that nobody named."""

    def __init__(self, found: Sequence[Pair], releases: Sequence[Loaded], scene: Scene, reading: Reading) -> None:
        self._found, self._releases = found, releases
        self._scene, self._reading = scene, reading
        self._unnamed = pairs.unnamed(found)
        self._bases: dict[int, Loaded] = {}

    def comparisons(self) -> Iterator[Comparison]:
        """Yield a comparison for each base and each target that changed."""
        targets = {id(pair.head.spec): pair for pair in self._targets() if pair.base and pair.head}
        ends = [(pair.base.spec, pair.head.spec) for pair in targets.values() if pair.base and pair.head]
        bases = (self._bases.setdefault(id(each.spec), each).spec for each in self._read_bases())
        for base, before, head in crossing.changed_crossings(bases, ends):
            pair = targets[id(head)]
            if pair.head is not None:
                policy = self._scene.policy.of(*pair.names)
                yield compare(self._bases[id(base)], pair.head, policy, pair, before=before)

    def _targets(self) -> Iterator[Pair]:
        """Yield the pairs whose ops models of another framework are loaded as."""
        yield from filter(pairs.is_target, self._found)
        for pair, reference in self._unnamed:
            if not pairs.is_target(pair):
                base = pairs.at(self._scene.base, reference, self._reading, may_lack=True)
                if base is not None:
                    head = pairs.at(self._scene.head, reference, self._reading)
                    yield Pair(path=reference, base=base, head=head, is_source=True)

    def _read_bases(self) -> Iterator[Loaded]:
        """Yield what pairs are at base, what is the same at both ends included, and the releases."""
        for pair in self._found:
            same = pairs.load_unchanged(self._scene.head, pair.path) if pair.is_unchanged else None
            yield from filter(None, (same, pair.base))
        for pair, reference in self._unnamed:
            base = (
                pairs.at(self._scene.base, reference, self._reading, may_lack=True) if pairs.is_target(pair) else None
            )
            yield from filter(None, (base,))
        yield from self._releases
