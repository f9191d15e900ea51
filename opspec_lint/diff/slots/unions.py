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
    from opspec_lint.spec.model import Attr, Op


def compare(old: Op, new: Op, pair: SchemaPair) -> Iterator[Fact]:
    """Yield every difference between two declarations of a union."""
    old_scalar, new_scalar = old.get("underlying"), new.get("underlying")
    if old_scalar != new_scalar and old_scalar in SCALARS and new_scalar in SCALARS:
        example = rereading.find_example(old_scalar, new_scalar)
        yield underlying_type_fact("underlying_type_changed", old, new, example)
    old_members, new_members = _member_by_number(old), _member_by_number(new)
    old_names = {attr.name for attr in old.attrs}
    new_names = {attr.name for attr in new.attrs}
    for number, old_member in old_members.items():
        new_member = new_members.get(number)
        if new_member is None:
            event: EventId = "union_member_retyped" if old_member.name in new_names else "union_member_removed"
            yield number_fact(event, old, old_member, None)
        elif pair.read(str(old_member.type), str(new_member.type)) != "same":
            yield number_fact("union_member_retyped", old, old_member, new_member)
        elif old_member.name != new_member.name:
            # A name that the other side has under another number is a member that moved, and not a new name.
            if old_member.name in new_names or new_member.name in old_names:
                yield number_fact("union_member_retyped", old, old_member, new_member)
            else:
                yield number_fact("union_member_renamed", old, old_member, new_member, is_renamed=True)
    for number, new_member in new_members.items():
        if number not in old_members and new_member.name not in old_names:
            yield number_fact("union_member_added", old, None, new_member)


def _member_by_number(union: Op) -> dict[int, Attr]:
    """Return the members of a union by their numbers, which are unique."""
    return {number: attrs[0] for number, attrs in attrs_by_number(union).items()}
