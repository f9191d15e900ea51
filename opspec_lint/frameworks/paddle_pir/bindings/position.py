"""Compares two declarations of an op whose inputs and outputs a program binds by position, and whose attrs by name.

The names of inputs and outputs are not written, but they say which argument of one declaration is which of the other.
"""

from __future__ import annotations

from opspec_lint.diff.binding import BINDINGS, Binding
from opspec_lint.diff.changes.field import FieldChanged
from opspec_lint.frameworks.paddle.saved.pir import patches
from opspec_lint.spec.model import BY_NAME, SECTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.diff.changes.change import Change
    from opspec_lint.spec.fields import Table
    from opspec_lint.spec.model import Kind, Op

_POSITIONAL: tuple[Kind, ...] = ("input", "output")


def compare(old: Op, new: Op, earlier: Sequence[Op], table: Table) -> Iterator[Change]:
    """Yield every fact that tells two declarations of an op apart."""
    yield from BINDINGS.load(BY_NAME).compare(old, new, earlier, table)
    for kind in _POSITIONAL:
        before, after = (tuple(each.name for each in getattr(op, SECTIONS[kind])) for op in (old, new))
        common = [name for name in before if name in after]
        moved = [name for name, other in zip(common, _among(after, common), strict=True) if name != other]
        if moved:
            yield FieldChanged(
                op=old.name,
                kind=kind,
                name=moved[0],
                field="order",
                events=("argument_order_changed",),
                old=before,
                new=after,
                before=old,
                after=new,
            )


def _among(names: Sequence[str], some: Sequence[str]) -> list[str]:
    return [name for name in names if name in some]


BINDING = Binding(compare=compare, renamed=lambda head: patches.renamed(head.ops.values()))
