"""The binding `position`: a program refers to inputs and outputs by position, and to attrs by name.

A program does not store the names of inputs and outputs. The comparison uses them to pair the two declarations.
"""

from __future__ import annotations

from opspec_lint.diff.binding import BINDINGS, Binding
from opspec_lint.diff.order import order_changes
from opspec_lint.frameworks.paddle.saved.pir import patches
from opspec_lint.spec.model import BY_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.fields import FieldTable
    from opspec_lint.spec.model import Op


def compare(old: Op, new: Op, earlier: Sequence[Op], table: FieldTable) -> Iterator[Fact]:
    """Yield the differences of two declarations of an op, including the order of inputs and outputs."""
    yield from BINDINGS.load(BY_NAME).compare(old, new, earlier, table)
    yield from order_changes(old, new)


BINDING = Binding(compare=compare, aliases=lambda head: patches.renamed_ops(head.ops.values()))
