"""Constructors of the fact that a field of an op or argument differs, and the choice of its event."""

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
    """Return the fact that a field differs, for a field that both sides know.

    Args:
        op: the op.
        kind: "op", or the kind of the argument that has the field.
        field: the field.
        sides: the op or argument in base and in head.
        values_of: the values of the field in base and in head.
        events: the events that the field declares: one, or two for setting and clearing it; empty if
            `_EVENT_FUNCTIONS` has the field.
        name: the name of the op or argument, None for base's name.
        was_extra: whether the argument is extra in base.
    """
    before, after = sides
    old, new = values_of
    if not events:
        event = _EVENT_FUNCTIONS[field](field, old, new, after)
    elif len(events) == 1:
        event = events[0]
    else:
        event = events[1 if _loses_members(old, new) else 0]
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
        origins=(_origin_of_field(before, field), _origin_of_field(after, field)),
        describe=_describe,
        is_exempt=is_exempt,
        adds=after if is_counted and (field == "default_value" or stops_being_extra) else None,
        registers=("new" if stops_being_extra else "modify") if is_counted and kind != "op" else None,
    )


def _origin_of_field(side: Declared, field: str) -> Origin | None:
    """Return the place of a field; for an op, it may be in another file than the declaration of the op."""
    return side.places.get(field, side.origin) if isinstance(side, Op) else side.origin


def order_changed(
    event: EventId, kind: Kind, name: str, ops: tuple[Op, Op], orders: tuple[tuple[str, ...], tuple[str, ...]]
) -> Fact:
    """Return the fact that the arguments of an op have another order, about the first argument with another place.

    Args:
        event: the event.
        kind: the kind of the arguments.
        name: the first argument with another place.
        ops: the op in base and in head.
        orders: the names of the arguments in base and in head.
    """
    old, _ = ops
    return field_changed(old.name, kind, "order", ops, orders, events=(event,), name=name)


def extra_not_stated_by_head(op: str, kind: Kind, before: AnyArgument, after: AnyArgument) -> Fact:
    """Return the fact that an argument is extra in base, while head has no `extra` and does not let models omit it.

    Head may be unchanged (its framework has no extra arguments), so the fact adds nothing and needs no registration.
    """
    fact = field_changed(op, kind, "extra", (before, after), (True, None), events=("extra_unsaid",))
    return fact.replace(adds=None, registers=None)


def _loses_members(old: Any, new: Any) -> bool:
    """Return whether a flag was cleared, or a set, or a set in a mapping, lost a member."""
    if isinstance(old, dict) or isinstance(new, dict):
        return bool(_show_missing_members(old, new))
    return not set(old) <= set(new) if isinstance(new, tuple) else not new


def _describe(fact: Fact) -> Mapping[str, object]:
    """Return both values as text; for allowed values, also the lost and the gained ones."""
    old, new = _value_text(fact.field, fact.old), _value_text(fact.field, fact.new)
    if old == new and fact.old is not None and fact.new is not None:
        # Floats are shown in single precision, which can be the same text for two different values.
        old, new = (shorten(text, LONGEST) for text in values.show_both(fact.old, fact.new))
    texts = {"old": old, "new": new, "field": fact.field}
    if isinstance(fact.old, dict) or isinstance(fact.new, dict):
        sides = (_show_missing_members(fact.old, fact.new), _show_missing_members(fact.new, fact.old))
        lost, gained = (shorten(text, LONGEST) or "nothing" for text in sides)
        return texts | {"lost": lost, "gained": gained}
    return texts | _lost_and_gained_values(fact.old, fact.new) if fact.field == "allowed_values" else texts


def _value_text(field: str | None, value: object) -> str:
    """Return a value as text; types and names are not quoted."""
    if field in ("type", "name"):
        return str(value)
    return "none" if value is None else shorten(values.show(value), LONGEST)


def _default_event(field: str, old: object, new: object, after: Declared) -> EventId:  # noqa: ARG001 - as all of `_NAMED`
    """Return the event of a changed default value."""
    if old is None:
        return "attr_default_added"
    return "attr_default_removed" if new is None else "attr_default_changed"


def _allowed_values_event(field: str, old: Any, new: Any, after: Declared) -> EventId:  # noqa: ARG001
    """Return the event of changed allowed values; a set that lost and gained members counts as narrowed."""
    if old is None or new is None:
        return "allowed_values_widened" if new is None else "allowed_values_narrowed"
    if values.missing_from(old, new):
        return "allowed_values_narrowed"
    return "allowed_values_widened" if values.missing_from(new, old) else "allowed_values_reordered"


def _minimum_event(field: str, old: Any, new: Any, after: Declared) -> EventId:  # noqa: ARG001
    return "minimum_lowered" if new is None or (old is not None and new < old) else "minimum_raised"


def _maximum_event(field: str, old: Any, new: Any, after: Declared) -> EventId:  # noqa: ARG001
    return "maximum_raised" if new is None or (old is not None and new > old) else "maximum_lowered"


def _version_range_event(field: str, old: Any, new: Any, after: Declared) -> EventId:  # noqa: ARG001
    """Return the event of a changed range of op versions; without a range, the framework has no kernel for the op."""
    if old is None or new is None:
        return "kernel_added" if old is None else "kernel_removed"
    if field == "min_version":
        return "min_version_raised" if new > old else "min_version_lowered"
    return "max_version_raised" if new > old else "max_version_lowered"


def _extra_event(field: str, old: object, new: object, after: Declared) -> EventId:  # noqa: ARG001
    """Return the event of a changed `extra`."""
    if new:
        return "extra_set"
    return "extra_cleared" if is_omittable(after) else "extra_cleared_not_optional"


_EVENT_FUNCTIONS: Mapping[str, Callable[[str, object, object, Declared], EventId]] = {
    "default_value": _default_event,
    "allowed_values": _allowed_values_event,
    "minimum": _minimum_event,
    "maximum": _maximum_event,
    "extra": _extra_event,
    "invalid": lambda *_: "op_valid",
    "min_version": _version_range_event,
    "max_version": _version_range_event,
}
"""The functions that return the event, for fields whose event depends on more than whether the field was set."""


def _lost_and_gained_values(old: object, new: object) -> dict[str, object]:
    """Return the texts of the values that are no longer allowed, and of the newly allowed values."""
    instead = shorten(values.show(new), LONGEST)
    return {
        "lost": _show_missing_values(old, new) or f"what is not in {instead}",
        "gained": _show_missing_values(new, old) or "any value",
    }


def _show_missing_members(first: object, second: object) -> str:
    """Return the members of the first mapping's sets that the second lacks, by key: `T: float, int8; I`."""
    parts = []
    for key, members in sorted((first if isinstance(first, dict) else {}).items()):
        kept = second.get(key) if isinstance(second, dict) else None
        if not isinstance(members, tuple) or not isinstance(kept, (tuple, type(None))):
            continue
        lost = values.missing_from(members, kept or ())
        if lost or kept is None:
            parts.append(f"{key}: {', '.join(map(str, lost))}" if lost else key)
    return "; ".join(parts)


def _show_missing_values(first: object, second: object) -> str:
    """Return the values of one set that another does not have, as text."""
    if not isinstance(first, tuple) or not isinstance(second, tuple):
        return ""
    return ", ".join(map(values.show, values.missing_from(first, second)))
