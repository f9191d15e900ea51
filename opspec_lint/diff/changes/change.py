"""The base class of the facts that a comparison of two specs yields. A change states a difference, and judges nothing.

Every change is an event, and the rule of the same name judges it.
"""

from __future__ import annotations

from opspec_lint.kit.text import plural
from opspec_lint.spec.fact import Fact, Subject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.spec.model import Update

LONGEST = 300
"""Characters of a value in a sentence; the finding contains the whole value."""


class Change(Fact):
    """A fact about an op. `kind` and `name` are its subject; for `kind` "op", `name` is the name of the op.

    A fact of kind "source" is about no single op. `against` is the earlier declaration that head is compared with,
    counted back from base's, which is 0.
    """

    op: str
    name: str
    against: int = 0

    @property
    def subject(self) -> Subject:
        """The op, and its argument."""
        return Subject(op=self.op, name=self.name)

    @property
    def remark(self) -> str:
        """The earlier declaration that head is compared with, in words."""
        if not self.against:
            return ""
        return f", counted from the declaration {plural(self.against, 'version')} before base's"

    def updates(self) -> Iterator[Update]:
        """Yield the updates that op versions have to register, none if it is exempt (Paddle pull request 37600)."""
        return iter(())
