"""Compares two declarations of an op whose inputs and outputs a program binds by position, and whose attrs by name.

The names of inputs and outputs are not written, but they say which argument of one declaration is which of the other.
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
    """Yield every fact that tells two declarations of an op apart."""
    yield from BINDINGS.load(BY_NAME).compare(old, new, earlier, table)
    yield from order_changes(old, new)


BINDING = Binding(compare=compare, aliases=lambda head: patches.renamed(head.ops.values()))
