"""Compares the order of arguments that a saved model binds by position, though their names pair them."""

from __future__ import annotations

from opspec_lint.diff.changes.field import FieldChanged
from opspec_lint.spec.model import SECTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.spec.model import Kind, Op

_POSITIONAL: tuple[Kind, ...] = ("input", "output")


def order_changes(old: Op, new: Op) -> Iterator[FieldChanged]:
    """Yield for the inputs, and for the outputs, that those which both declarations have stand in another order."""
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
