"""A binding: a module of `diff/bindings/`, or of a framework's own, with a `BINDING`."""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.fields import FieldTable
    from opspec_lint.spec.model import Op, Spec

BINDINGS: Catalogue[Binding] = Catalogue("diff/bindings", "frameworks/*/bindings", offers="BINDING")
"""The bindings, by their names in specs."""


class Binding(Record):
    """How a saved model refers to the arguments of an op, and so how two declarations are compared.

    `compare` yields every difference between the declarations of an op in base and head, given the two, the earlier
    declarations that base keeps, oldest first, and the fields of the framework. `is_in_order` is whether reports keep
    the order of its facts.

    If the meaning of a declaration depends on other ones, `compare_all` replaces `compare`. Given both specs, the names
    of the ops to compare, None for all, and the fields of the framework, it yields the facts about all ops, also which
    were added and removed, and each pair of declarations that it compared.

    `require` makes sure that a spec says what the comparison works with; the `InputError` names the place.

    `aliases` returns the ops that a spec accepts under another name, by that name: none of them was removed.

    `may_omit_op` tells whether a spec that does not list an op leaves open whether its release has it.
    """

    compare: Callable[[Op, Op, Sequence[Op], FieldTable], Iterable[Fact]]
    is_in_order: bool = False
    require: Callable[[Spec], None] | None = None
    aliases: Callable[[Spec], Mapping[str, str]] | None = None
    may_omit_op: Callable[[Spec, str], bool] | None = None
    compare_all: Callable[[Spec, Spec, Collection[str] | None, FieldTable], Iterable[Fact | tuple[Op, Op]]] | None = (
        None
    )
