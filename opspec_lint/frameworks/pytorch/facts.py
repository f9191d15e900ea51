"""What changed in the schema of an op, and which of PyTorch's predicates refuses it because of that."""

from __future__ import annotations

from opspec_lint.diff.changes.change import StatedChange
from opspec_lint.diff.changes.ops import OpRemoved
from opspec_lint.spec.fact import Subject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.report.findings import Direction
    from opspec_lint.spec.model import Declared, Op, Origin

CORE = "core"
"""The tag of the ops that PyTorch promises to keep."""


class SchemaChange(StatedChange):
    """A difference between two schemas of an op.

    `before` and `after` are the argument, return or op in base and in head, each None where
    a side has none; `old` and `new` are what differs, as texts. `declared` are both schemas. `refused` are the
    directions in which a predicate of PyTorch refuses head's schema because of it, and `broken` those in which calls
    fail or mean something else, whether a predicate says so or not. `served` is what upgrades old archives, and
    `promise` the tag by which base promises to keep the op, each "" for nothing.
    """

    before: Declared | None = None
    after: Declared | None = None
    schemas: tuple[str | None, str | None] = (None, None)
    refused: tuple[Direction, ...] = ()
    broken: tuple[Direction, ...] = ()
    served: str = ""
    promise: str = ""

    @property
    def subject(self) -> Subject:
        """The argument, return or op, under both names if it has another one."""
        new_name = self.after.name if self.before and self.after and self.before.name != self.after.name else None
        return Subject(op=self.op, name=self.name, new_name=new_name, confidence=None if new_name is None else 1.0)

    @property
    def remark(self) -> str:
        """What upgrades old archives, and what base promised."""
        return _remark(self.served, self.promise)

    @property
    def declared(self) -> tuple[str | None, str | None]:
        """The schemas of base and head."""
        return self.schemas

    def origins(self) -> tuple[Origin | None, Origin | None]:
        """Return where base and head declare it."""
        before, after = (None if each is None else each.origin for each in (self.before, self.after))
        return before, after

    def words(self) -> dict[str, object]:
        """Return the facts, with both texts and the new name."""
        new_name = self.subject.new_name or self.name
        return {**super().words(), "old": self.old or "none", "new": self.new or "none", "new_name": new_name}


class SchemaRemoved(OpRemoved):
    """Only base has the op. `schema` is base's; `served` is how head upgrades archives with it, "" for not at all."""

    schema: str
    served: str = ""
    promise: str = ""

    @property
    def refused(self) -> tuple[Direction, ...]:
        """The directions in which PyTorch refuses it."""
        return () if self.served else ("backward",)

    @property
    def broken(self) -> tuple[Direction, ...]:
        """The directions in which calls fail."""
        return self.refused

    @property
    def declared(self) -> tuple[str | None, str | None]:
        """The schema of base."""
        return self.schema, None

    @property
    def remark(self) -> str:
        """What upgrades old archives, and what base promised."""
        return _remark(self.served, self.promise)


def promised(op: Op) -> str:
    """Return the tag of an op that promises that it stays, "" for none."""
    tags = op.get("op_tags")
    return CORE if isinstance(tags, tuple) and CORE in tags else ""


def _remark(served: str, promise: str) -> str:
    told = [f"the op is tagged '{promise}'"] if promise else []
    return "".join(f"; {each}" for each in ([served] if served else []) + told)
