"""Crossings: loaders that load models of one framework as models of another, such as Paddle 2 programs as PIR.

Each module in the folder `crossings/` of a framework has a `CROSSING`. The file name is the framework as whose models
the models of the folder's framework are loaded: `paddle/crossings/paddle_pir.py`.
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


def _name_from_module(module: str) -> str:
    """Return the name of the crossing in a module: "paddle to paddle-pir"."""
    return _crossing_name(framework_of(module), with_hyphens(module))


def _crossing_name(base: str, head: str) -> str:
    """Return the name of the crossing from the framework `base` to the framework `head`."""
    return f"{base} to {head}"


CROSSINGS: Catalogue[Crossing] = Catalogue("frameworks/*/crossings", offers="CROSSING", spell=_name_from_module)
"""The crossings, by both frameworks: `paddle to paddle-pir`."""


class Crossing(Record):
    """The comparison of specs of two frameworks.

    `profile` is the default profile. `compare(base, head, only, before)` yields the facts that stop or change a model
    of base that is loaded under head. `only` are the ops to compare, None for all. Facts that hold under the spec
    `before` as well are left out; None keeps all.
    """

    profile: str
    compare: Callable[[Spec, Spec, Collection[str] | None, Spec | None], Iterator[Fact]]


class ChangedCrossing(Record):
    """Models of the spec `base`, which were loaded as models of the spec `before` and are now loaded as of `head`.

    `base` is of one framework, `before` and `head` are the same contract of another one, before and after a change.
    """

    base: Spec
    before: Spec
    head: Spec


def crossing_for(base: str, head: str) -> Crossing | None:
    """Return the crossing from the framework `base` to `head`, None if models of `base` are not loaded so."""
    name = _crossing_name(base, head)
    return CROSSINGS.load(name) if name in CROSSINGS else None


def is_target(head: str) -> bool:
    """Return whether models of any framework are loaded as models of the framework `head`."""
    # By file names, without an import: this is called for each check of each framework.
    return any(name.endswith(_crossing_name("", head)) for name in CROSSINGS.names())


def changed_crossings(bases: Iterable[Spec], targets: Iterable[tuple[Spec, Spec]]) -> Iterator[ChangedCrossing]:
    """Yield each crossing from one of `bases` to a target that changed; a target is a pair of `before` and `head`."""
    changed = [(before, head) for before, head in targets if not op_table.all_certainly_equal(before.ops, head.ops)]
    # `bases` may be a generator that reads files: it is not started if no target changed.
    for base in bases if changed else ():
        for before, head in changed if base.ops else ():
            if _crossing_name(base.provenance.framework, head.provenance.framework) in CROSSINGS:
                yield ChangedCrossing(base=base, before=before, head=head)
