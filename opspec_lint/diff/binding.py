"""The interface of a binding: a module of `diff/bindings/`, or of a framework's `bindings/`, with a `BINDING`."""

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
    """The way in which saved models refer to the arguments of an op, as the functions that compare two declarations.

    `compare` yields every difference between the declarations of an op in base and head. Its arguments are both, the
    earlier declarations that base keeps, oldest first, and the fields of the framework. `is_in_order`: reports keep the
    order of its facts.

    `compare_all` replaces `compare` if the meaning of a declaration depends on other declarations. Its arguments are
    both specs, the names of the ops to compare (None for all), and the fields of the framework. It yields the facts
    about all ops, including added and removed ones, and each pair of declarations that it compared.

    `require` raises InputError if a spec lacks something that the comparison needs. `aliases` returns the names of ops
    that a spec still accepts under another name, as a mapping from the old name: such an op was not removed.
    `may_omit_op` returns whether the release of a spec may have an op although the spec does not list it.
    """

    compare: Callable[[Op, Op, Sequence[Op], FieldTable], Iterable[Fact]]
    is_in_order: bool = False
    require: Callable[[Spec], None] | None = None
    aliases: Callable[[Spec], Mapping[str, str]] | None = None
    may_omit_op: Callable[[Spec, str], bool] | None = None
    compare_all: Callable[[Spec, Spec, Collection[str] | None, FieldTable], Iterable[Fact | tuple[Op, Op]]] | None = (
        None
    )
