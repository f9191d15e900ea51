"""A crossing: how models of one framework are loaded as models of another.

Each module in the folder `crossings/` of a framework has a `CROSSING`. Its file is named for the framework that its own
models are loaded as.
"""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue, framework_of, with_hyphens
from opspec_lint.kit.record import Record
from opspec_lint.spec import op_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec


def _way(module: str) -> str:
    return _named(framework_of(module), with_hyphens(module))


def _named(base: str, head: str) -> str:
    return f"{base} to {head}"


CROSSINGS: Catalogue[Crossing] = Catalogue("frameworks/*/crossings", offers="CROSSING", spell=_way)
"""The crossings, by both frameworks: `paddle to paddle-pir`."""


class Crossing(Record):
    """A crossing.

    `profile` is the default policy. `compare` takes the specs of base and head, the names of the ops to compare, None
    for all, and what models of base were loaded as before, None where nobody asks. It yields the facts that stop or
    change a model, without those of which the same held before.
    """

    profile: str
    compare: Callable[[Spec, Spec, Collection[str] | None, Spec | None], Iterator[Fact]]


def between(base: str, head: str) -> Crossing | None:
    """Return the crossing from one framework to another, None where there is none."""
    name = _named(base, head)
    return CROSSINGS.load(name) if name in CROSSINGS else None


def leads_to(head: str) -> bool:
    """Tell whether models of any framework are loaded as those of another. Nothing is imported."""
    return any(name.endswith(_named("", head)) for name in CROSSINGS.names())


def met(bases: Iterable[Spec], targets: Iterable[tuple[Spec, Spec]]) -> Iterator[tuple[Spec, Spec, Spec]]:
    """Yield where contracts meet: a base, what its models were loaded as before, and what they are loaded as by head.

    What did not change is left out, and the bases are read only if anything did.

    Args:
        bases: the specs that models were saved with.
        targets: what models of another framework may be loaded as, at base and at head.
    """
    changed = [each for each in targets if not op_table.all_certainly_equal(each[0].ops, each[1].ops)]
    for base in bases if changed else ():
        for before, head in changed if base.ops else ():
            if _named(base.provenance.framework, head.provenance.framework) in CROSSINGS:
                yield base, before, head
