"""Comparison of the unevaluated conditions of declarations: if head's is stricter, some builds may lose the op."""

from __future__ import annotations

from opspec_lint.diff.changes.ops import condition_changed
from opspec_lint.spec.condition import ALWAYS, show
from opspec_lint.spec.identity import build_of
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Op


def condition_changes(compared: Iterable[tuple[Op, Op]]) -> Iterator[Fact]:
    """Yield the ops that are declared under other conditions, if both sides know them.

    Args:
        compared: each op in base and in head.
    """
    for before, after in compared:
        old, new = before.declared_if, after.declared_if
        # The variant of a build needs no more than its build, which is named for its condition.
        is_of_build = isinstance(new, tuple) and build_of(after.name) == show(new)
        if old is not UNKNOWN and new is not UNKNOWN and old != new and not is_of_build:
            yield condition_changed(before, after, (old or ALWAYS, new or ALWAYS))
