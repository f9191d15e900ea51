"""The facts about what a number in the bytes stands for."""

from __future__ import annotations

from opspec_lint.diff.changes.change import Change
from opspec_lint.kit.text import shorten
from opspec_lint.spec import values
from opspec_lint.spec.fact import Subject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from opspec_lint.spec.fields import Table
    from opspec_lint.spec.model import Declared, Origin

_LONGEST = 300


class SlotChange(Change):
    """What a declaration, or a slot or number of one, was and is.

    `happened` is the event. `old` and `new` are values of `field`, or whole things where that is None, and `places`
    where base and head declare them. `new_name` is the name in head of what has another one there. `facts` are what
    the rule's templates can name besides: `slot`, `old_meaning` and `new_meaning` of the bytes, and the like.
    """

    happened: str
    field: str | None = None
    old: Any = None
    new: Any = None
    new_name: str | None = None
    places: tuple[Origin | None, Origin | None] = (None, None)
    facts: Mapping[str, object] = {}

    @property
    def event(self) -> str:
        """What happened."""
        return self.happened

    @property
    def subject(self) -> Subject:
        """The declaration, or what of it."""
        confidence = None if self.new_name is None else 1.0
        return Subject(op=self.op, name=self.name, new_name=self.new_name, confidence=confidence, field=self.field)

    def origins(self) -> tuple[Origin | None, Origin | None]:
        """Return where base and head declare it."""
        return self.places

    def values(self, table: Table) -> tuple[Any, Any]:  # noqa: ARG002
        """Return the old and the new value."""
        return values.thaw(self.old), values.thaw(self.new)

    def words(self) -> dict[str, object]:
        """Return the facts, with both values."""
        shown = {"old": _shown(self.old), "new": _shown(self.new), "new_name": self.new_name, "field": self.field}
        return {**super().words(), **shown, **self.facts}


def places(old: Declared | None, new: Declared | None) -> tuple[Origin | None, Origin | None]:
    """Return where base and head declare a thing, each None where it does not."""
    return (None if old is None else old.origin), (None if new is None else new.origin)


def _shown(value: Any) -> str:
    if value is None:
        return "null"
    return shorten(value if isinstance(value, str) else values.show(value), _LONGEST)
