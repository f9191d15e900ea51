"""Facts that only one framework can state: contradictions between its own declarations, and its own comparisons.

The module `agreement` of a framework states them. It offers `new_disagreements(base, head, only, memory)`, which yields
the contradictions that base does not have, and other differences that only this framework knows. It may offer
`disagreements(spec)`, which yields every contradiction within one spec, where one spec can have some, and
`settle(changes, base, head)`, which replaces the facts that the release policy of the framework excuses.
"""

from __future__ import annotations

from opspec_lint.diff.memory import NO_MEMORY
from opspec_lint.kit.catalogue import Catalogue, framework_of
from opspec_lint.spec.fields import is_framework

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import Protocol

    from opspec_lint.diff.memory import NoMemory
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec

    class Agreement(Protocol):
        """The interface of a module `agreement` of a framework."""

        def new_disagreements(
            self, base: Spec, head: Spec, only: Collection[str] | None, memory: NoMemory
        ) -> Iterator[Fact]:
            """Yield the contradictions that only head has, and the other differences that only this framework knows."""


AGREEMENTS: Catalogue[Agreement] = Catalogue("frameworks/*", only="agreement", spell=framework_of)
"""The modules, by the names of their frameworks."""


def new_disagreements(
    base: Spec, head: Spec, only: Collection[str] | None = None, memory: NoMemory = NO_MEMORY
) -> Iterator[Fact]:
    """Yield the facts about two specs that only head's framework can state.

    Args:
        base: the spec that existing models were saved with.
        head: the spec that replaces it.
        only: the names of the ops to look at, or None for all.
        memory: results of comparisons of other specs that share ops with these.
    """
    for agreement in _agreements_for(head):
        yield from agreement.new_disagreements(base, head, only, memory)


def settle(changes: list[Fact], base: Spec, head: Spec) -> list[Fact]:
    """Return the facts about two specs, with those replaced that the release policy of head's framework excuses."""
    for agreement in _agreements_for(head):
        replace = getattr(agreement, "settle", None)
        changes = changes if replace is None else replace(changes, base, head)
    return changes


def disagreements_within(spec: Spec) -> Iterator[Fact]:
    """Yield the contradictions between declarations of one spec, in the terms of its framework."""
    for agreement in _agreements_for(spec):
        find = getattr(agreement, "disagreements", None)
        yield from () if find is None else find(spec)


def _agreements_for(spec: Spec) -> Iterator[Agreement]:
    """Return the module of the framework of a spec; all such modules if the framework is not one of ours."""
    framework = spec.provenance.framework
    # The spec of an unknown framework may have the fields of any framework, so each may find a contradiction in it.
    names = [framework] if is_framework(framework) else AGREEMENTS.names()
    return (AGREEMENTS.load(name) for name in names if name in AGREEMENTS)
