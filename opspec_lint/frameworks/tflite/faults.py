"""The facts about op versions on which the files of a TFLite tree disagree."""

from __future__ import annotations

from opspec_lint.diff.changes.change import Change
from opspec_lint.spec.fact import Subject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from opspec_lint.spec.fields import Table
    from opspec_lint.spec.model import Origin


class Disagreement(Change):
    """Something that the files of a tree do not agree on, for an op or one of its options.

    `what` is the event. `versions` are those of the op that it is about, `field` which field of the op, or of a
    delegate or an option, says otherwise than the others. `needs` are the fields that have to be known to tell. `facts`
    are what the templates of the event's rule can name besides. `place` is where head says it, `base_place` where base
    does.
    """

    what: str
    versions: tuple[int, ...] = ()
    field: str = ""
    needs: tuple[str, ...] = ()
    facts: Mapping[str, object] = {}
    old: Any = None
    new: Any = None
    place: Origin | None = None
    base_place: Origin | None = None

    @property
    def event(self) -> str:
        """The event."""
        return self.what

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from other faults of the op; those of one key may be about other versions."""
        return self.what, self.name, self.field

    @property
    def subject(self) -> Subject:
        """The op or option, and what of it says otherwise."""
        return Subject(op=self.op, name=self.name, field=self.field or None)

    def origins(self) -> tuple[Origin | None, Origin | None]:
        """Return where both sides say it."""
        return self.base_place, self.place

    def values(self, table: Table) -> tuple[Any, Any]:  # noqa: ARG002
        """Return the old and the new value."""
        return self.old, self.new

    def words(self) -> dict[str, object]:
        """Return the facts, with the versions."""
        return {**super().words(), "versions": spelt(self.versions), **self.facts}


def spelt(versions: tuple[int, ...]) -> str:
    """Return versions in words: `version 5`, `versions 3 to 5`, `versions 1, 3`."""
    if len(versions) == 1:
        return f"version {versions[0]}"
    if versions and list(versions) == list(range(versions[0], versions[-1] + 1)) and len(versions) > 2:
        return f"versions {versions[0]} to {versions[-1]}"
    return f"versions {', '.join(map(str, versions))}"
