"""What every fact has that a comparison of two specs yields. A change states what is so, and judges nothing.

Every change is an event with a name, and for every event there is a rule of that name that judges it.
"""

from __future__ import annotations

from opspec_lint.kit.text import plural
from opspec_lint.spec.fact import Fact, Subject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.spec.model import Update

LONGEST = 300
"""Characters of a value in a sentence; the finding holds all of it."""


class Change(Fact):
    """A fact about one op. `kind` and `name` say what of it; for `kind` "op", `name` is the op's.

    A fact of kind "source" is about no one op. `against` is which of the op's earlier declarations it tells head's
    apart from, counted back from base's, and 0 for base's own.
    """

    op: str
    name: str
    against: int = 0

    @property
    def subject(self) -> Subject:
        """The op, and what of it."""
        return Subject(op=self.op, name=self.name)

    @property
    def remark(self) -> str:
        """Which declaration of base it is told apart from."""
        if not self.against:
            return ""
        return f", counted from the declaration {plural(self.against, 'version')} before base's"

    def updates(self) -> Iterator[Update]:
        """Yield what op versions have to register for it, nothing if it is exempt (Paddle pull request 37600)."""
        return iter(())
