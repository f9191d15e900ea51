"""Facts that only one framework can state: contradictions between its own declarations, and its own comparisons.

The module `agreement` of a framework states them. It offers `disagreements(spec)`, which yields every contradiction
within one spec, and `new_disagreements(base, head, only)`, which yields the contradictions that base does not have, and
other differences that only this framework knows. It may offer `settle(changes, base, head)`, which
replaces the facts that the release policy of the framework excuses.
"""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue, framework_of
from opspec_lint.spec.fields import FRAMEWORKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import Protocol

    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec

    class Agreement(Protocol):
        """What a module `agreement` of a framework offers."""

        def disagreements(self, spec: Spec) -> Iterator[Fact]:
            """Yield the disagreements within a spec."""

        def new_disagreements(self, base: Spec, head: Spec, only: Collection[str] | None) -> Iterator[Fact]:
            """Yield the disagreements that are new in head, and what else changed."""


AGREEMENTS: Catalogue[Agreement] = Catalogue("frameworks/*", only="agreement", spell=framework_of)
"""The modules, by the names of their frameworks."""


def new_disagreements(base: Spec, head: Spec, only: Collection[str] | None = None) -> Iterator[Fact]:
    """Yield what head's framework has to say of two specs.

    Args:
        base: the spec that existing models were saved with.
        head: the spec that replaces it.
        only: the names of the ops to look at, or None for all.
    """
    for each in _of(head):
        yield from each.new_disagreements(base, head, only)


def settle(changes: list[Fact], base: Spec, head: Spec) -> list[Fact]:
    """Return the facts of two specs as head's framework counts them: most frameworks count all as they are."""
    for agreement in _of(head):
        replace = getattr(agreement, "settle", None)
        changes = changes if replace is None else replace(changes, base, head)
    return changes


def disagreements_within(spec: Spec) -> Iterator[Fact]:
    """Yield every disagreement within a spec."""
    for each in _of(spec):
        yield from each.disagreements(spec)


def _of(spec: Spec) -> Iterator[Agreement]:
    """Yield what knows about a spec: of a framework that we do not know, whatever any framework has."""
    framework = spec.provenance.framework
    names = [framework] if framework in FRAMEWORKS else AGREEMENTS.names()
    return (AGREEMENTS.load(name) for name in names if name in AGREEMENTS)
