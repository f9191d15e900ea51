"""The fact that a field of an op or argument differs, and its event."""

from __future__ import annotations

from opspec_lint.diff.changes.arguments import may_be_left_out
from opspec_lint.diff.changes.change import LONGEST, Difference
from opspec_lint.kit.text import shorten
from opspec_lint.spec import values
from opspec_lint.spec.model import Update

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Literal

    from opspec_lint.spec.model import Declared, Origin


class FieldChanged(Difference):
    """A field that both sides know differs. `before` and `after` are the op or argument as a whole.

    `events` are those that the field declares: one, or two for setting and clearing a flag; if it is empty, `_NAMED`
    below has the field. `was_extra` is whether the argument is extra in base.
    """

    field: str
    before: Declared
    after: Declared
    events: tuple[str, ...] = ()
    was_extra: bool = False

    @property
    def is_exempt(self) -> bool:  # type: ignore[override]
        """Whether the argument was extra before, unless `extra` itself changed."""
        return self.was_extra and self.field != "extra"

    @property
    def event(self) -> str:
        """`dispensable_cleared`, `attr_default_changed`, `allowed_values_narrowed` and the like."""
        if not self.events:
            return _NAMED[self.field](self)
        if len(self.events) == 1:
            return self.events[0]
        return self.events[1 if self._is_loss else 0]

    @property
    def _is_loss(self) -> bool:
        """Whether a flag was cleared, or a set, or any set of a mapping, lost a member."""
        if isinstance(self.old, dict) or isinstance(self.new, dict):
            return bool(_beyond_by_key(self.old, self.new))
        return not set(self.old) <= set(self.new) if isinstance(self.new, tuple) else not self.new

    def origins(self) -> tuple[Origin | None, Origin | None]:
        """Return where both sides declare the op or argument."""
        return self.before.origin, self.after.origin

    def words(self) -> dict[str, object]:
        """Return the facts, with both values; of allowed values also what came and went."""
        old, new = self._sides()
        found = {**super().words(), "old": old, "new": new, "field": self.field}
        if isinstance(self.old, dict) or isinstance(self.new, dict):
            sides = (_beyond_by_key(self.old, self.new), _beyond_by_key(self.new, self.old))
            lost, gained = (shorten(each, LONGEST) or "nothing" for each in sides)
            return found | {"lost": lost, "gained": gained}
        return found | _came_and_went(self.old, self.new) if self.field == "allowed_values" else found

    def added(self) -> Iterator[Declared]:
        """Yield the argument if it became part of the op's definition, or its default value did."""
        if not self.is_exempt and (self.field == "default_value" or (self.field == "extra" and not self.new)):
            yield self.after

    def updates(self) -> Iterator[Update]:
        """Yield that the argument is modified, or new where it stops being extra."""
        if not self.is_exempt and self.kind != "op":
            stops_being_extra = self.field == "extra" and not self.new
            action: Literal["new", "modify"] = "new" if stops_being_extra else "modify"
            yield Update(action=action, kind=self.kind, name=self.name)  # type: ignore[arg-type]

    def _shown(self, value: Any) -> str:
        if self.field in ("type", "name"):
            return str(value)
        return "none" if value is None else shorten(values.show(value), LONGEST)

    def _sides(self) -> tuple[str, str]:
        old, new = self._shown(self.old), self._shown(self.new)
        if old == new and self.old is not None and self.new is not None:
            old, new = (shorten(each, LONGEST) for each in values.show_both(self.old, self.new))
        return old, new


class ExtraUnsaid(FieldChanged):
    """An argument is extra in base; head does not know `extra`, and does not allow models to omit the argument."""

    event = "extra_unsaid"

    field: str = "extra"
    old: Any = True
    new: Any = None

    def added(self) -> Iterator[Declared]:
        """Yield nothing: head need not have changed anything."""
        return iter(())

    def updates(self) -> Iterator[Update]:
        """Yield nothing, likewise."""
        return iter(())


def _direction(change: FieldChanged) -> str:
    return "added" if change.old is None else "removed" if change.new is None else "changed"


def _of_allowed_values(old: Any, new: Any) -> str:
    if old is None or new is None:
        return "widened" if new is None else "narrowed"
    if values.beyond(old, new):
        return "narrowed"
    return "widened" if values.beyond(new, old) else "reordered"


def _is_lowered(change: FieldChanged) -> bool:
    return change.new is None or (change.old is not None and change.new < change.old)


def _is_raised(change: FieldChanged) -> bool:
    return change.new is None or (change.old is not None and change.new > change.old)


def _of_range(change: FieldChanged) -> str:
    if change.old is None or change.new is None:
        return "kernel_added" if change.old is None else "kernel_removed"
    return f"{change.field}_{'raised' if change.new > change.old else 'lowered'}"


def _of_extra(change: FieldChanged) -> str:
    if change.new:
        return "extra_set"
    return "extra_cleared" if may_be_left_out(change.after) else "extra_cleared_not_optional"


_NAMED: dict[str, Callable[[FieldChanged], str]] = {
    "default_value": lambda change: f"attr_default_{_direction(change)}",
    "allowed_values": lambda change: f"allowed_values_{_of_allowed_values(change.old, change.new)}",
    "minimum": lambda change: f"minimum_{'lowered' if _is_lowered(change) else 'raised'}",
    "maximum": lambda change: f"maximum_{'raised' if _is_raised(change) else 'lowered'}",
    "extra": _of_extra,
    "invalid": lambda _: "op_valid",
    "min_version": _of_range,
    "max_version": _of_range,
}
"""The events of fields for which they depend on more than whether the field was set."""


def _came_and_went(old: Any, new: Any) -> dict[str, object]:
    """Return the values that are no longer allowed, and those that are newly allowed."""
    instead = shorten(values.show(new), LONGEST)
    return {
        "lost": _beyond(old, new) or f"what is not in {instead}",
        "gained": _beyond(new, old) or "any value",
    }


def _beyond_by_key(one: Any, other: Any) -> str:
    """Return the members that only the sets of the first mapping have, by key: `T: float, int8; I: no types`."""
    found = []
    for key, members in sorted((one if isinstance(one, dict) else {}).items()):
        has = other.get(key) if isinstance(other, dict) else None
        if not isinstance(members, tuple) or not isinstance(has, (tuple, type(None))):
            continue
        more = values.beyond(members, has or ())
        if more or has is None:
            found.append(f"{key}: {', '.join(map(str, more)) or 'no types'}")
    return "; ".join(found)


def _beyond(one: Any, other: Any) -> str:
    """Return the values of one set that another does not have."""
    if not isinstance(one, tuple) or not isinstance(other, tuple):
        return ""
    return ", ".join(map(values.show, values.beyond(one, other)))
