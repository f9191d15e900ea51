"""The facts about an input, output or attr as a whole: added, removed, renamed, moved."""

from __future__ import annotations

from opspec_lint.diff.changes.change import LONGEST, Change
from opspec_lint.kit.text import shorten
from opspec_lint.spec import values
from opspec_lint.spec.fact import Fact, Subject
from opspec_lint.spec.model import SECTIONS, UNKNOWN, Update

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.spec.fact import AnyArgument
    from opspec_lint.spec.fields import Table
    from opspec_lint.spec.model import Declared, Origin

_SURE = 0.8
"""The least confidence with which a rename is stated as certain."""


class ArgumentAdded(Change):
    """Only head's op has the input, output or attr.

    `optional` is whether models may omit it, None if the argument itself says so. `is_trusted` is whether base knows
    `extra`: if it does not, head alone cannot exempt an argument that models must not omit.
    """

    new: AnyArgument
    optional: bool | None = None
    is_trusted: bool = True

    @property
    def is_exempt(self) -> bool:  # type: ignore[override]
        """Whether it is added as extra."""
        return self.new.extra is True and (self.is_trusted or self._is_optional)

    @property
    def event(self) -> str:
        """`input_added_dispensable`, `input_added_not_dispensable`, `attr_added_with_default` and the like."""
        if self.kind == "attr":
            return "attr_added_with_default" if self._is_optional else "attr_added_without_default"
        return f"{self.kind}_added_{'dispensable' if self._is_optional else 'not_dispensable'}"

    @property
    def _is_optional(self) -> bool:
        return may_be_left_out(self.new) if self.optional is None else self.optional

    def origins(self) -> tuple[Origin | None, Origin | None]:
        """Return where head declares it."""
        return None, self.new.origin

    def values(self, table: Table) -> tuple[Any, Any]:
        """Return its declaration."""
        return None, _declaration(self.new, self.kind, table)

    def words(self) -> dict[str, object]:
        """Return the facts, of an attr with its default value."""
        if self.kind != "attr":
            return super().words()
        default = self.new.get("default_value")
        shown = "unknown" if default is UNKNOWN else shorten(values.show(default), LONGEST)
        return {**super().words(), "new": shown}

    def added(self) -> Iterator[Declared]:
        """Yield the argument, unless it is extra."""
        if not self.is_exempt:
            yield self.new

    def updates(self) -> Iterator[Update]:
        """Yield that it is new."""
        if not self.is_exempt:
            yield Update(action="new", kind=self.kind, name=self.name)  # type: ignore[arg-type]


class ArgumentRemoved(Change):
    """Only base's op has the input, output or attr."""

    old: AnyArgument

    @property
    def is_exempt(self) -> bool:  # type: ignore[override]
        """Whether it was extra."""
        return self.old.extra is True

    @property
    def event(self) -> str:
        """`input_removed`, `output_removed`, `attr_removed`."""
        return f"{self.kind}_removed"

    def origins(self) -> tuple[Origin | None, Origin | None]:
        """Return where base declares it."""
        return self.old.origin, None

    def values(self, table: Table) -> tuple[Any, Any]:
        """Return its declaration."""
        return _declaration(self.old, self.kind, table), None

    def updates(self) -> Iterator[Update]:
        """Yield that it is deleted."""
        if not self.is_exempt:
            yield Update(action="delete", kind=self.kind, name=self.name)  # type: ignore[arg-type]


class ArgumentRenamed(Change):
    """A removed and an added argument of one kind that are very likely the same. `name` is the name in base.

    `confidence` is between 0.5 and 1.
    """

    new_name: str
    gone: ArgumentRemoved
    come: ArgumentAdded
    confidence: float

    @property
    def is_exempt(self) -> bool:  # type: ignore[override]
        """Whether it was extra and still is."""
        return self.gone.is_exempt and self.come.is_exempt

    @property
    def event(self) -> str:
        """`input_renamed`, `output_renamed`, `attr_renamed`."""
        return f"{self.kind}_renamed"

    @property
    def subject(self) -> Subject:
        """The argument, under both names."""
        return Subject(op=self.op, name=self.name, new_name=self.new_name, confidence=self.confidence)

    @property
    def halves(self) -> tuple[Fact, ...]:
        """The removal and the addition that it consists of."""
        return self.gone, self.come

    def origins(self) -> tuple[Origin | None, Origin | None]:
        """Return where both sides declare it."""
        return self.gone.old.origin, self.come.new.origin

    def values(self, table: Table) -> tuple[Any, Any]:
        """Return both declarations."""
        return self.gone.values(table)[0], self.come.values(table)[1]

    def words(self) -> dict[str, object]:
        """Return the facts, with the new name and the confidence."""
        was_renamed = "was renamed" if self.confidence >= _SURE else "seems to have been renamed"
        more = {"new_name": self.new_name, "confidence": self.confidence, "was_renamed": was_renamed}
        return {**super().words(), **more}

    def added(self) -> Iterator[Declared]:
        """Yield the argument under its new name."""
        return self.come.added()

    def updates(self) -> Iterator[Update]:
        """Yield that one is deleted and one is new."""
        if not self.is_exempt:
            yield from self.gone.updates()
            yield from self.come.updates()


class ArgumentMoved(ArgumentRenamed):
    """An input that became an output of the same name, or the reverse. `kind` is base's."""

    @property
    def event(self) -> str:
        """`input_moved`, `output_moved`."""
        return f"{self.kind}_moved"


def may_be_left_out(argument: Declared) -> bool:
    """Tell whether a model may leave an argument out: it is dispensable, or has a default value."""
    if "dispensable" in argument._fields:
        return argument.get("dispensable") is True
    return argument.get("default_value") not in (None, UNKNOWN)


def _declaration(argument: AnyArgument, kind: str, table: Table) -> dict[str, Any]:
    fields = table.of(SECTIONS[kind]) if kind in SECTIONS else {}
    found = ((name, argument.get(name)) for name, field in fields.items() if field.is_shown)
    return {name: values.thaw(value) for name, value in found if value is not UNKNOWN}
