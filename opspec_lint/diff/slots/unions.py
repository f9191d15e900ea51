"""Compares two declarations of a union number by number."""

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
    """Yield every fact that tells two declarations of a union apart."""
    scalars = old.get("underlying"), new.get("underlying")
    if scalars[0] != scalars[1] and all(each in SCALARS for each in scalars):
        yield underlying_type_fact("underlying_type_changed", old, new, rereading.find_example(*scalars))
    before, after = attrs_by_number(old), attrs_by_number(new)
    names_before, names_after = ({attr.name for attr in op.attrs} for op in (old, new))
    for number, (attr, *_) in before.items():
        other = after[number][0] if number in after else None
        if other is None:
            event: EventId = "union_member_retyped" if attr.name in names_after else "union_member_removed"
            yield number_fact(event, old, attr, None)
        elif pair.read(str(attr.type), str(other.type)) != "same":
            yield number_fact("union_member_retyped", old, attr, other)
        elif attr.name != other.name:
            moved = attr.name in names_after or other.name in names_before
            yield number_fact(
                "union_member_retyped" if moved else "union_member_renamed", old, attr, other, is_renamed=not moved
            )
    for number, (attr, *_) in after.items():
        if number not in before and attr.name not in names_before:
            yield number_fact("union_member_added", old, None, attr)
