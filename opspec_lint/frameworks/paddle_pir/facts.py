"""The facts about programs of PIR: how a loader of head reads one of base, and which patches are wrong."""

from __future__ import annotations

from opspec_lint.diff.changes.change import StatedChange
from opspec_lint.spec.fact import Subject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.frameworks.paddle.saved.pir.patches import NewEntry
    from opspec_lint.spec.model import Declared, Origin


class ProgramFact(StatedChange):
    """How a change affects existing programs.

    `before` and `after` are what base and head declare, None where one does not. `place` is where head says it, None
    for where it declares `after`. `entry` is that of a file of patches which makes existing programs whole.
    """

    before: Declared | None = None
    after: Declared | None = None
    place: Origin | None = None
    entry: NewEntry | None = None

    @property
    def subject(self) -> Subject:
        """The op, and what of it, under the name that programs have."""
        return Subject(op=self.op or None, name=self.name, field=self.field or None)

    @property
    def needs(self) -> NewEntry | None:
        """The entry of a file of patches that is missing."""
        return self.entry

    def origins(self) -> tuple[Origin | None, Origin | None]:
        """Return where both sides declare it."""
        base, head = (None if each is None else each.origin for each in (self.before, self.after))
        return base, self.place or head
