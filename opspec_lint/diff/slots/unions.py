"""Comparison of two declarations of a union, number by number."""

from __future__ import annotations

from opspec_lint.diff.slots import rereading
from opspec_lint.diff.slots.numbers import attrs_by_number, number_fact, underlying_type_fact
from opspec_lint.spec.slots import SCALARS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.diff.slots.types import SchemaPair
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Op


def compare(old: Op, new: Op, pair: SchemaPair) -> Iterator[Fact]:
    """Yield every difference between two declarations of a union."""
    scalars = old.get("underlying"), new.get("underlying")
    if scalars[0] != scalars[1] and all(scalar in SCALARS for scalar in scalars):
        yield underlying_type_fact("underlying_type_changed", old, new, rereading.find_example(*scalars))
    before, after = attrs_by_number(old), attrs_by_number(new)
    names_before, names_after = ({attr.name for attr in op.attrs} for op in (old, new))
    for number, (old_attr, *_) in before.items():
        new_attr = after[number][0] if number in after else None
        if new_attr is None:
            event: EventId = "union_member_retyped" if old_attr.name in names_after else "union_member_removed"
            yield number_fact(event, old, old_attr, None)
        elif pair.read(str(old_attr.type), str(new_attr.type)) != "same":
            yield number_fact("union_member_retyped", old, old_attr, new_attr)
        elif old_attr.name != new_attr.name:
            moved = old_attr.name in names_after or new_attr.name in names_before
            yield number_fact(
                "union_member_retyped" if moved else "union_member_renamed",
                old,
                old_attr,
                new_attr,
                is_renamed=not moved,
            )
    for number, (new_attr, *_) in after.items():
        if number not in before and new_attr.name not in names_before:
            yield number_fact("union_member_added", old, None, new_attr)
