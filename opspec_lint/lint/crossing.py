"""A crossing: how models of one framework are loaded as models of another.

Each module in the folder `crossings/` of a framework has a `CROSSING`.
"""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec

CROSSINGS = Catalogue("frameworks/*/crossings")


class Crossing(Record):
    """A crossing.

    `base` and `head` are the frameworks. `profile` is the default policy. `compare` takes both specs and the names of
    the ops to compare, None for all, and yields the facts that stop or change a model.
    """

    base: str
    head: str
    profile: str
    compare: Callable[[Spec, Spec, Collection[str] | None], Iterator[Fact]]


def between(base: str, head: str) -> Crossing | None:
    """Return the crossing from one framework to another, None where there is none."""
    every: Iterator[Crossing] = (CROSSINGS.load(name).CROSSING for name in CROSSINGS.names())
    return next((each for each in every if (each.base, each.head) == (base, head)), None)
