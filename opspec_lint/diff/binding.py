"""What a binding is: a module of `diff/bindings/`, or of a framework's own, with one of these as `BINDING`."""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from opspec_lint.diff.changes.change import Change
    from opspec_lint.spec.fields import Table
    from opspec_lint.spec.model import Op, Spec

BINDINGS = Catalogue("diff/bindings", "frameworks/*/bindings")
"""The bindings, by the names that specs have for them."""


class Binding(Record):
    """How a saved model says which argument of an op it means.

    `compare` yields every fact that tells the declarations of an op in base and head apart; it is also given the
    earlier declarations that base's source keeps, oldest first, and the fields of the framework. `is_in_order` says
    that the order of its facts says something, so that reports keep it.

    Where what an op's declaration means depends on others, `compare_all` takes the place of `compare`: it is given both
    specs, the names of the ops to look at, None for all, and the fields of the framework, and yields the facts of all
    ops, additions and removals too, and each pair of declarations that it compared.

    `renamed` returns the ops that a spec takes under another name too, by that name: none of them was removed.
    """

    compare: Callable[[Op, Op, Sequence[Op], Table], Iterable[Change]]
    is_in_order: bool = False
    renamed: Callable[[Spec], Mapping[str, str]] | None = None
    compare_all: Callable[[Spec, Spec, Collection[str] | None, Table], Iterable[Change | tuple[Op, Op]]] | None = None


def load(name: str) -> Binding:
    """Return a binding.

    Raises:
        KeyError: there is none of that name.
    """
    binding: Binding = BINDINGS.load(name).BINDING
    return binding
