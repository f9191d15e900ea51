"""The base class of the facts that a comparison of two specs yields. A change states a difference, and judges nothing.

Every change is an event, and the rule of the same name judges it.
"""

from __future__ import annotations

from opspec_lint.kit.text import plural
from opspec_lint.spec import values
from opspec_lint.spec.fact import Fact, Subject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from opspec_lint.spec.fields import Table
    from opspec_lint.spec.model import Origin, Update

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


class Difference(Change):
    """A change of a value. `old` and `new` are the values of `field`, or of the whole thing where that is None."""

    field: str | None = None
    old: Any = None
    new: Any = None

    @property
    def subject(self) -> Subject:
        """The op, and what of it."""
        return super().subject.but(field=self.field)

    def values(self, table: Table) -> tuple[Any, Any]:  # noqa: ARG002
        """Return both values."""
        return values.thaw(self.old), values.thaw(self.new)


class SpecDifference(Difference):
    """A change of what a spec says of itself. It is about no single op."""

    @property
    def subject(self) -> Subject:
        """The field."""
        return Subject(op=None, name=None, field=self.field)


class StatedChange(Difference):
    """A change that the one who found it names and describes.

    `new_name` is the name in head of what has another one there, `places` are where base and head declare it. `facts`
    are what the templates of the event's rule can name besides.
    """

    event: str
    new_name: str | None = None
    places: tuple[Origin | None, Origin | None] = (None, None)
    facts: Mapping[str, object] = {}

    @property
    def subject(self) -> Subject:
        """The op, and what of it, under both names if it has another one."""
        return super().subject.but(new_name=self.new_name, confidence=None if self.new_name is None else 1.0)

    def origins(self) -> tuple[Origin | None, Origin | None]:
        """Return where base and head declare it."""
        return self.places

    def words(self) -> dict[str, object]:
        """Return the facts, with both values."""
        return {**super().words(), "old": self.old, "new": self.new, "new_name": self.new_name, **self.facts}
