"""Comparison of the order of arguments that are paired by name although a saved model binds them by position."""

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
    """Yield one fact for the inputs, and one for the outputs, if the arguments in both declarations moved."""
    for kind in _POSITIONAL:
        before, after = (tuple(argument.name for argument in getattr(op, SECTIONS[kind])) for op in (old, new))
        common = [old_name for old_name in before if old_name in after]
        moved = [
            old_name
            for old_name, new_name in zip(common, _keep_names(after, common), strict=True)
            if old_name != new_name
        ]
        if moved:
            yield order_changed("argument_order_changed", kind, moved[0], (old, new), (before, after))


def _keep_names(names: Sequence[str], kept: Sequence[str]) -> list[str]:
    return [name for name in names if name in kept]
