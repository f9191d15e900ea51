"""The fact that a field of an op or argument differs, and its event."""

from __future__ import annotations

from opspec_lint.diff.changes.arguments import is_omittable
from opspec_lint.kit.text import shorten
from opspec_lint.spec import values
from opspec_lint.spec.fact import LONGEST, Fact
from opspec_lint.spec.model import Op

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from opspec_lint.spec.fact import AnyArgument, Kind
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Declared, Origin


def field_changed(  # noqa: PLR0913 - a fact is what it says
    op: str,
    kind: Kind,
    field: str,
    sides: tuple[Declared, Declared],
    values_of: tuple[object, object],
    *,
    events: Sequence[EventId] = (),
    name: str | None = None,
    was_extra: bool = False,
) -> Fact:
    """Return the fact that a field differs which both sides know.

    Args:
        op: the op.
        kind: whether it is the op's or an argument's.
        field: the field.
        sides: the op or argument in base and in head.
        values_of: the values of the field in base and in head.
        events: those that the field declares: one, or two for setting and clearing it; none if `_NAMED` has the field.
        name: the name of the op or argument, None for that of base's.
        was_extra: whether the argument is extra in base.
    """
    before, after = sides
    old, new = values_of
    if not events:
        event = _NAMED[field](field, old, new, after)
    elif len(events) == 1:
        event = events[0]
    else:
        event = events[1 if _is_loss(old, new) else 0]
    is_exempt = was_extra and field != "extra"
    stops_being_extra = field == "extra" and not new
    is_counted = not is_exempt
    return Fact(
        event=event,
        kind=kind,
        op=op,
        name=before.name if name is None else name,
        field=field,
        old=old,
        new=new,
        before=before,
        after=after,
        origins=(_place(before, field), _place(after, field)),
        describe=_describe,
        is_exempt=is_exempt,
        adds=after if is_counted and (field == "default_value" or stops_being_extra) else None,
        registers=("new" if stops_being_extra else "modify") if is_counted and kind != "op" else None,
    )


def _place(side: Declared, field: str) -> Origin | None:
    """Return where a side declares a field: of an op, that may be another file than the one of its declaration."""
    return side.places.get(field, side.origin) if isinstance(side, Op) else side.origin


def order_changed(
    event: EventId, kind: Kind, name: str, ops: tuple[Op, Op], orders: tuple[tuple[str, ...], tuple[str, ...]]
) -> Fact:
    """Return that the arguments of an op stand in another order, told of the first one that does.

    Args:
        event: what happened.
        kind: the kind of the arguments.
        name: the first argument that stands elsewhere.
        ops: the op in base and in head.
        orders: the names of the arguments in base and in head.
    """
    return field_changed(ops[0].name, kind, "order", ops, orders, events=(event,), name=name)


def extra_not_stated_by_head(op: str, kind: Kind, before: AnyArgument, after: AnyArgument) -> Fact:
    """Return that an argument is extra in base, and head neither knows `extra` nor lets models omit the argument.

    Head need not have changed anything, so that it adds nothing and needs no registration.
    """
    fact = field_changed(op, kind, "extra", (before, after), (True, None), events=("extra_unsaid",))
    return fact.replace(adds=None, registers=None)


def _is_loss(old: Any, new: Any) -> bool:
    """Tell whether a flag was cleared, or a set, or any set of a mapping, lost a member."""
    if isinstance(old, dict) or isinstance(new, dict):
        return bool(_beyond_by_key(old, new))
    return not set(old) <= set(new) if isinstance(new, tuple) else not new


def _describe(fact: Fact) -> Mapping[str, object]:
    """Return both values as text; of allowed values also what came and went."""
    old, new = _shown(fact.field, fact.old), _shown(fact.field, fact.new)
    if old == new and fact.old is not None and fact.new is not None:
        old, new = (shorten(each, LONGEST) for each in values.show_both(fact.old, fact.new))
    found = {"old": old, "new": new, "field": fact.field}
    if isinstance(fact.old, dict) or isinstance(fact.new, dict):
        sides = (_beyond_by_key(fact.old, fact.new), _beyond_by_key(fact.new, fact.old))
        lost, gained = (shorten(each, LONGEST) or "nothing" for each in sides)
        return found | {"lost": lost, "gained": gained}
    return found | _came_and_went(fact.old, fact.new) if fact.field == "allowed_values" else found


def _shown(field: str | None, value: object) -> str:
    if field in ("type", "name"):
        return str(value)
    return "none" if value is None else shorten(values.show(value), LONGEST)


def _of_default(field: str, old: object, new: object, after: Declared) -> EventId:  # noqa: ARG001 - as all of `_NAMED`
    if old is None:
        return "attr_default_added"
    return "attr_default_removed" if new is None else "attr_default_changed"


def _of_allowed_values(field: str, old: Any, new: Any, after: Declared) -> EventId:  # noqa: ARG001
    if old is None or new is None:
        return "allowed_values_widened" if new is None else "allowed_values_narrowed"
    if values.missing_from(old, new):
        return "allowed_values_narrowed"
    return "allowed_values_widened" if values.missing_from(new, old) else "allowed_values_reordered"


def _of_minimum(field: str, old: Any, new: Any, after: Declared) -> EventId:  # noqa: ARG001
    return "minimum_lowered" if new is None or (old is not None and new < old) else "minimum_raised"


def _of_maximum(field: str, old: Any, new: Any, after: Declared) -> EventId:  # noqa: ARG001
    return "maximum_raised" if new is None or (old is not None and new > old) else "maximum_lowered"


def _of_range(field: str, old: Any, new: Any, after: Declared) -> EventId:  # noqa: ARG001
    if old is None or new is None:
        return "kernel_added" if old is None else "kernel_removed"
    if field == "min_version":
        return "min_version_raised" if new > old else "min_version_lowered"
    return "max_version_raised" if new > old else "max_version_lowered"


def _of_extra(field: str, old: object, new: object, after: Declared) -> EventId:  # noqa: ARG001
    if new:
        return "extra_set"
    return "extra_cleared" if is_omittable(after) else "extra_cleared_not_optional"


_NAMED: Mapping[str, Callable[[str, object, object, Declared], EventId]] = {
    "default_value": _of_default,
    "allowed_values": _of_allowed_values,
    "minimum": _of_minimum,
    "maximum": _of_maximum,
    "extra": _of_extra,
    "invalid": lambda *_: "op_valid",
    "min_version": _of_range,
    "max_version": _of_range,
}
"""The events of fields for which they depend on more than whether the field was set."""


def _came_and_went(old: object, new: object) -> dict[str, object]:
    """Return the values that are no longer allowed, and those that are newly allowed."""
    instead = shorten(values.show(new), LONGEST)
    return {
        "lost": _beyond(old, new) or f"what is not in {instead}",
        "gained": _beyond(new, old) or "any value",
    }


def _beyond_by_key(one: object, other: object) -> str:
    """Return the members that only the sets of the first mapping have, by key: `T: float, int8; I: no types`."""
    found = []
    for key, members in sorted((one if isinstance(one, dict) else {}).items()):
        has = other.get(key) if isinstance(other, dict) else None
        if not isinstance(members, tuple) or not isinstance(has, (tuple, type(None))):
            continue
        more = values.missing_from(members, has or ())
        if more or has is None:
            found.append(f"{key}: {', '.join(map(str, more)) or 'no types'}")
    return "; ".join(found)


def _beyond(one: object, other: object) -> str:
    """Return the values of one set that another does not have."""
    if not isinstance(one, tuple) or not isinstance(other, tuple):
        return ""
    return ", ".join(map(values.show, values.missing_from(one, other)))
