"""Comparison of two declarations of one schema: inputs and outputs are bound by position, attributes by name.

A published schema never changes, so every difference counts, including the names of inputs and outputs.
"""

from __future__ import annotations

from opspec_lint.diff.binding import BINDINGS, Binding
from opspec_lint.diff.changes.arguments import argument_added, is_addition
from opspec_lint.diff.order import order_changes
from opspec_lint.spec.model import BY_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.fields import FieldTable
    from opspec_lint.spec.model import Op


def compare(old: Op, new: Op, earlier: Sequence[Op], table: FieldTable) -> Iterator[Fact]:
    """Yield a fact for every difference between two declarations of a schema."""
    for change in BINDINGS.load(BY_NAME).compare(old, new, earlier, table):
        if is_addition(change) and change.kind == "attr":
            is_optional = change.new.get("required") is not True  # though it has no default value
            yield argument_added(old.name, "attr", change.new, is_optional=is_optional)
        else:
            yield change
    yield from order_changes(old, new)


BINDING = Binding(compare=compare)
