"""The facts about fields that only one of two specs knows: one fact for each field, with the number of ops.

A field that one side does not know cannot be compared. A change of it would not be reported, now or in a later change,
so a loss of knowledge is a fact of its own.
"""

from __future__ import annotations

from opspec_lint.diff.changes.change import SpecDifference
from opspec_lint.kit.text import plural, shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.fields import Table

_LONGEST = 200
"""Characters of the names of ops in a sentence; the finding holds all of them."""
_NAMED = 3
"""How many ops a sentence names."""

OF_UPDATES = "op_versions.default_value"
"""A field of updates of op versions that a source may not know."""
WHOLE = {
    "op_versions": "the op versions",
    "graph_versions": "the graph versions",
    "producer_since": "the date when it began to write graphs of its version",
    "earlier": "the earlier declarations",
}
"""Parts of a spec that are not fields of an op or argument, in words."""


class KnowledgeChanged(SpecDifference):
    """Only one side knows a field. It is about no single op.

    `things` are the subjects: for each, the op, and the name of the argument or update, "" for the op itself. `thing`
    is their kind: "op", "attr", "argument", "update". Both are empty if it is about the spec as a whole. `is_extra` is
    whether all of them are extra in base.
    """

    field: str
    thing: str = ""
    things: tuple[tuple[str, str], ...] = ()
    is_extra: bool = False

    @property
    def ops(self) -> list[str]:
        """The ops that it is about."""
        return list(dict.fromkeys(op for op, _ in self.things))

    @property
    def places(self) -> list[str]:
        """The things that it is about: `matmul`, or `matmul.X`."""
        return [f"{op}.{name}" if name else op for op, name in self.things]

    @property
    def is_exempt(self) -> bool:  # type: ignore[override]
        """Whether base says that all that it is about is extra, unless it is about that very field."""
        return self.is_extra and self.field != "extra"

    def without(self, is_ignored: Callable[[str], bool]) -> Fact | None:
        """Return the fact without some ops, None if none is left."""
        kept = tuple(each for each in self.things if not is_ignored(each[0]))
        return self.but(things=kept) if kept or not self.things else None

    def words(self) -> dict[str, object]:
        """Return the facts, with the field that one side does not know, in words."""
        field = WHOLE.get(self.field) or f"`{self.field.rpartition('.')[2]}`"
        things = self._shown()
        return {**super().words(), "what": f"{field} of {things}" if things else field, "things": things}

    def _shown(self) -> str:
        ops = self.ops
        if not ops:
            return ""
        named = shorten(", ".join(ops[:_NAMED]), _LONGEST) + ", ..." * (len(ops) > _NAMED)
        shown = f"the op '{ops[0]}'" if len(ops) == 1 else f"{len(ops)} ops ({named})"
        return shown if self.thing == "op" else f"{plural(len(self.things), self.thing)} of {shown}"


class KnowledgeLost(KnowledgeChanged):
    """Base knows a field, and head does not."""

    event = "knowledge_lost"

    def values(self, table: Table) -> tuple[Any, Any]:  # noqa: ARG002
        """Return the subjects for which only base knows it."""
        return self.places or None, None


class KnowledgeGained(KnowledgeChanged):
    """Head knows a field, and base does not."""

    event = "knowledge_gained"

    def values(self, table: Table) -> tuple[Any, Any]:  # noqa: ARG002
        """Return the ops for which only head knows it."""
        return None, self.ops or None


class ExtraLearned(KnowledgeGained):
    """Arguments of base are extra in head, and base does not know whether they are."""

    event = "extra_learned"

    def values(self, table: Table) -> tuple[Any, Any]:  # noqa: ARG002
        """Return the arguments that are extra."""
        return None, self.places


class SourceKindChanged(SpecDifference):
    """Head was made from another kind of source than base."""

    event = "source_kind_changed"

    def words(self) -> dict[str, object]:
        """Return the facts, with both kinds."""
        return {**super().words(), "old": self.old or "unknown", "new": self.new or "unknown"}


class LoaderChecksLess(SourceKindChanged):
    """Head says that its model is for a loader that looks at less. It is about no single op."""

    event = "loader_checks_less"


class BindingChanged(SpecDifference):
    """Saved models refer to the arguments of ops in another way than before."""

    event = "binding_changed"

    def words(self) -> dict[str, object]:
        """Return the facts, with both bindings."""
        return {**super().words(), "old": self.old, "new": self.new}
