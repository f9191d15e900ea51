"""Comparison of two declarations of an enum, number by number."""

from __future__ import annotations

from opspec_lint.diff.slots import rereading
from opspec_lint.diff.slots.facts import declaration_changed
from opspec_lint.diff.slots.numbers import attrs_by_number, number_fact, underlying_type_fact
from opspec_lint.spec.model import UNKNOWN
from opspec_lint.spec.slots import SCALARS, range_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.diff.slots.types import SchemaPair
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Attr, Op


def compare(old: Op, new: Op, pair: SchemaPair) -> Iterator[Fact]:
    """Yield every difference between two declarations of an enum, if both schemas use it in the same field."""
    if not pair.is_used_in_both(old.name, new.name):
        return
    yield from _compare_underlying(old, new)
    # With bit_flags, numbers are bit positions, so that a comparison of single numbers says nothing.
    had_flags, has_flags = old.get("bit_flags"), new.get("bit_flags")
    if had_flags is not has_flags and UNKNOWN not in (had_flags, has_flags):
        event: EventId = "bit_flags_set" if has_flags else "bit_flags_cleared"
        yield declaration_changed(event, old, new, "bit_flags", **_first_renumbered(old, new))
        return
    yield from _compare_numbers(old, new)


def _compare_numbers(old: Op, new: Op) -> Iterator[Fact]:
    """Yield the differences between the values of an enum; several values may have the same number."""
    old_values, new_values = attrs_by_number(old), attrs_by_number(new)
    for number, attrs in old_values.items():
        attrs_now = new_values.get(number, [])
        kept_names = {attr.name for attr in attrs_now}
        for attr in attrs:
            if attr.name not in kept_names:
                yield _lost_value(old, new, attr, attrs_now)
    old_names = {attr.name for attr in old.attrs}
    for number, attrs in new_values.items():
        if number not in old_values:
            yield from (
                number_fact("enum_value_added", old, None, attr) for attr in attrs if attr.name not in old_names
            )


def _lost_value(old: Op, new: Op, attr: Attr, attrs_now: Sequence[Attr]) -> Fact:
    """Return the fact about a value of base that no longer has its number; `attrs_now` are the values that have it."""
    old_names = {value.name for value in old.attrs}
    same_name = next((value for value in new.attrs if value.name == attr.name), None)
    # The name has another number, or the number belongs to another value of base: files mean another value now.
    if same_name is not None or (attrs_now and all(value.name in old_names for value in attrs_now)):
        value_now = attrs_now[0] if attrs_now else same_name
        fact = number_fact("enum_value_renumbered", old, attr, value_now)
        return fact.replace(
            facts=_renumbered_facts(attr.name, attr.get("slot"), attrs_now[0].name if attrs_now else None)
        )
    if attrs_now:
        return number_fact("enum_value_renamed", old, attr, attrs_now[0], is_renamed=True)
    return number_fact("enum_value_removed", old, attr, None)


def _renumbered_facts(name: str, number: int, new_name: str | None) -> dict[str, object]:
    """Return the template values for a renumbered value."""
    now = f"'{new_name}'" if new_name is not None else "no value of the enum"
    return {"slot": number, "what": "value", "old_meaning": f"'{name}'", "new_meaning": now}


def _first_renumbered(old: Op, new: Op) -> dict[str, object]:
    """Return the name, the old and the new number of the first value whose number differs."""
    after = {attr.name: attr.get("slot") for attr in new.attrs}
    for attr in old.attrs:
        if attr.name in after and after[attr.name] != attr.get("slot"):
            return {"value": attr.name, "before": attr.get("slot"), "now": after[attr.name]}
    return {"value": "every value", "before": "a number", "now": "a bit"}


def _compare_underlying(old: Op, new: Op) -> Iterator[Fact]:
    """Yield that the scalar type of an enum differs: only in its sign, if all numbers fit into both types."""
    before, after = old.get("underlying"), new.get("underlying")
    if before == after or before not in SCALARS or after not in SCALARS:
        return
    numbers = [attr.get("slot") for op in (old, new) for attr in op.attrs]
    fits = all(least <= number <= greatest for least, greatest in map(range_of, (before, after)) for number in numbers)
    if SCALARS[before] == SCALARS[after] and fits:
        yield underlying_type_fact("underlying_sign_changed", old, new)
    else:
        yield underlying_type_fact("underlying_type_changed", old, new, rereading.find_example(before, after))
