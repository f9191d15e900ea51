"""The binding by name: a saved model names the arguments of an op, so arguments of equal name are compared."""

from __future__ import annotations

from opspec_lint.diff.binding import Binding
from opspec_lint.diff.changes.arguments import argument_added, argument_removed, is_omittable
from opspec_lint.diff.changes.field import extra_not_stated_by_head
from opspec_lint.diff.fields import diff_fields, diff_op_fields
from opspec_lint.spec.model import SECTIONS, UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.spec.fact import AnyArgument, Fact
    from opspec_lint.spec.fields import FieldTable
    from opspec_lint.spec.model import Op


def compare(old: Op, new: Op, earlier: Sequence[Op], table: FieldTable) -> Iterator[Fact]:  # noqa: ARG001
    """Yield every difference between two declarations of an op: its own fields, then inputs, outputs and attrs."""
    yield from diff_op_fields(old, new, table)
    removed: list[Fact] = []
    added: list[Fact] = []
    for kind, section in SECTIONS.items():
        before: dict[str, AnyArgument] = {argument.name: argument for argument in getattr(old, section)}
        after: dict[str, AnyArgument] = {argument.name: argument for argument in getattr(new, section)}
        for name, argument in before.items():
            if name not in after:
                removed.append(argument_removed(old.name, kind, argument))
            elif argument is not after[name]:
                yield from diff_fields(argument, after[name], old.name, kind, table.fields_of(section).values())
                if argument.extra is True and after[name].extra is UNKNOWN and not is_omittable(after[name]):
                    yield extra_not_stated_by_head(old.name, kind, argument, after[name])
        added += [argument_added(old.name, kind, argument) for name, argument in after.items() if name not in before]
    if removed and added:
        from opspec_lint.diff.renames import pair_renames

        yield from pair_renames(removed, added, table)
    else:
        yield from removed
        yield from added


BINDING = Binding(compare=compare)
