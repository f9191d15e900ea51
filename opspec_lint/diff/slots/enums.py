"""Compares two declarations of an enum number by number."""

from __future__ import annotations

from opspec_lint.diff.slots import rereading
from opspec_lint.diff.slots.facts import declaration_changed
from opspec_lint.diff.slots.numbers import attrs_by_number, number_fact, underlying_type_fact
from opspec_lint.spec.model import UNKNOWN
from opspec_lint.spec.slots import SCALARS, range_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.diff.slots.types import SchemaPair
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Op


def compare(old: Op, new: Op, pair: SchemaPair) -> Iterator[Fact]:
    """Yield every fact that tells two declarations of an enum apart, if any file is read with the other one."""
    if not pair.is_exchanged(old.name, new.name):
        return
    yield from _underlying(old, new)
    flags = old.get("bit_flags"), new.get("bit_flags")
    if flags[0] is not flags[1] and UNKNOWN not in flags:
        event: EventId = "bit_flags_set" if flags[1] else "bit_flags_cleared"
        yield declaration_changed(event, old, new, "bit_flags", **_first(old, new))
        return
    yield from _numbers(old, new)


def _numbers(old: Op, new: Op) -> Iterator[Fact]:
    before, after = attrs_by_number(old), attrs_by_number(new)
    names_before, names_after = ({attr.name for attr in op.attrs} for op in (old, new))
    for number, attrs in before.items():
        others = after.get(number, [])
        kept = {each.name for each in others}
        for attr in attrs:
            if attr.name in kept:
                continue
            if attr.name in names_after or (others and all(each.name in names_before for each in others)):
                now = next((each for each in new.attrs if each.name == attr.name), None)
                yield number_fact("enum_value_renumbered", old, attr, others[0] if others else now).replace(
                    facts=_told(attr.name, number, others[0].name if others else None)
                )
            elif others:
                yield number_fact("enum_value_renamed", old, attr, others[0], is_renamed=True)
            else:
                yield number_fact("enum_value_removed", old, attr, None)
    for number, attrs in after.items():
        if number not in before:
            yield from (
                number_fact("enum_value_added", old, None, attr) for attr in attrs if attr.name not in names_before
            )


def _told(name: str, number: int, other: str | None) -> dict[str, object]:
    now = f"'{other}'" if other is not None else "no value of the enum"
    return {"slot": number, "what": "value", "old_meaning": f"'{name}'", "new_meaning": now}


def _first(old: Op, new: Op) -> dict[str, object]:
    """Return the number of the first value that both have, in base and in head."""
    after = {attr.name: attr.get("slot") for attr in new.attrs}
    for attr in old.attrs:
        if attr.name in after and after[attr.name] != attr.get("slot"):
            return {"value": attr.name, "before": attr.get("slot"), "now": after[attr.name]}
    return {"value": "every value", "before": "a number", "now": "a bit"}


def _underlying(old: Op, new: Op) -> Iterator[Fact]:
    before, after = old.get("underlying"), new.get("underlying")
    if before == after or before not in SCALARS or after not in SCALARS:
        return
    numbers = [attr.get("slot") for op in (old, new) for attr in op.attrs]
    fits = all(least <= number <= greatest for least, greatest in map(range_of, (before, after)) for number in numbers)
    if SCALARS[before] == SCALARS[after] and fits:
        yield underlying_type_fact("underlying_sign_changed", old, new)
    else:
        yield underlying_type_fact("underlying_type_changed", old, new, rereading.find_example(before, after))
