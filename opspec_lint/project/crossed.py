"""Compares base's ops with the ops of head that models with them are loaded as, where two contracts of a change meet.

Reported is what the change takes from such models, and not what they were refused for before.
"""

from __future__ import annotations

from opspec_lint.lint import crossing
from opspec_lint.project import pairs
from opspec_lint.project.releases import compare, merged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from opspec_lint.project.pairs import Loaded, Pair
    from opspec_lint.project.scene import Scene
    from opspec_lint.report.findings import Comparison
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
    every = [*found, *pairs.beside(found, scene.base, scene.head, reading)]
    targets = [(pair, ends) for pair in every if (ends := _ends(pair)) is not None]
    bases = [*_bases(every, scene), *releases] if targets else []
    return merged(
        [
            pairs.in_spec(compare(base, head, scene.policy.of(*pair.names), before=before.spec), pair)
            for pair, (before, head) in targets
            for base in bases
            if crossing.is_touched(base.spec, before.spec, head.spec)
        ]
    )


def _ends(pair: Pair) -> tuple[Loaded, Loaded] | None:
    """Return both ends of a pair whose ops models of another framework are loaded as, None for any other pair."""
    if pair.base is None or pair.head is None:
        return None
    return (pair.base, pair.head) if crossing.leads_to(pair.head.spec.provenance.framework) else None


def _bases(every: Iterable[Pair], scene: Scene) -> Iterator[Loaded]:
    """Yield what pairs are at base; what is the same at both ends is read now."""
    for pair in every:
        base = pairs.load_unchanged(scene.head, pair.path) if pair.is_unchanged else pair.base
        if base is not None:
            yield base
