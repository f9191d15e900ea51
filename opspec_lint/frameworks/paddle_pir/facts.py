"""The facts about programs of PIR: how a loader of head reads one of base, and which patches are wrong."""

from __future__ import annotations

from opspec_lint.diff.changes.change import Change
from opspec_lint.spec import values
from opspec_lint.spec.fact import Subject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from opspec_lint.spec.fields import Table
    from opspec_lint.spec.model import Declared, Origin


class ProgramFact(Change):
    """How a change affects existing programs.

    `what` is the event. `facts` are what the templates of its rule can name besides. `before` and `after` are what base
    and head declare, None where one does not; `field` is what of it differs, "" for all of it. `new_name` is what head
    calls it, None where that is its name. `place` is where head says it, None for where it declares `after`.
    """

    what: str
    field: str = ""
    new_name: str | None = None
    facts: Mapping[str, object] = {}
    before: Declared | None = None
    after: Declared | None = None
    old: Any = None
    new: Any = None
    place: Origin | None = None

    @property
    def event(self) -> str:
        """The event."""
        return self.what

    @property
    def subject(self) -> Subject:
        """The op, and what of it."""
        return Subject(op=self.op or None, name=self.name, field=self.field or None)

    def origins(self) -> tuple[Origin | None, Origin | None]:
        """Return where both sides declare it."""
        base, head = (None if each is None else each.origin for each in (self.before, self.after))
        return base, self.place or head

    def values(self, table: Table) -> tuple[Any, Any]:  # noqa: ARG002
        """The old and the new value."""
        return values.thaw(self.old), values.thaw(self.new)

    def words(self) -> dict[str, object]:
        """Return the facts."""
        return {**super().words(), "old": self.old, "new": self.new, "new_name": self.new_name, **self.facts}
