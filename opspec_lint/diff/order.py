"""Compares the order of arguments that a saved model binds by position, though their names pair them."""

from __future__ import annotations

from opspec_lint.diff.changes.field import order_changed
from opspec_lint.spec.model import SECTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Kind, Op

_POSITIONAL: tuple[Kind, ...] = ("input", "output")


def order_changes(old: Op, new: Op) -> Iterator[Fact]:
    """Yield for the inputs, and for the outputs, that those which both declarations have stand in another order."""
    for kind in _POSITIONAL:
        before, after = (tuple(each.name for each in getattr(op, SECTIONS[kind])) for op in (old, new))
        common = [name for name in before if name in after]
        moved = [name for name, other in zip(common, _among(after, common), strict=True) if name != other]
        if moved:
            yield order_changed("argument_order_changed", kind, moved[0], (old, new), (before, after))


def _among(names: Sequence[str], some: Sequence[str]) -> list[str]:
    return [name for name in names if name in some]
