"""The facts about an op as a whole: added, removed, refused by its framework, in other builds."""

from __future__ import annotations

from opspec_lint.diff.changes.change import LONGEST, Change
from opspec_lint.kit.text import shorten
from opspec_lint.spec import values
from opspec_lint.spec.fact import Subject
from opspec_lint.spec.op_table import origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from opspec_lint.spec.fields import Table
    from opspec_lint.spec.model import Op, Origin


class OpAdded(Change):
    """Only head has the op. `ops` are those of head; the op is built when it is accessed.

    `predecessor` is the op of head that it may replace, by its name: `Sum` for `SumV2`.
    """

    ops: Mapping[str, Op]
    predecessor: str | None = None

    @property
    def new(self) -> Op:
        """The op of head."""
        return self.ops[self.op]

    @property
    def event(self) -> str:
        """`op_added`."""
        return "op_added"

    def origins(self) -> tuple[Origin | None, Origin | None]:
        """Return where head declares the op."""
        return None, origin(self.ops, self.op)

    def words(self) -> dict[str, object]:
        """Return the facts, with the predecessor."""
        return {**super().words(), "predecessor": self.predecessor}


class OpRemoved(Change):
    """Only base has the op. `ops` are those of base; the op is built when it is accessed.

    `successor` is the op of head that may replace it, by its name: `SumV2` for `Sum`. `graph_version` is the version of
    the graphs that base writes, None if it is not known.
    """

    ops: Mapping[str, Op]
    successor: str | None = None
    graph_version: int | None = None

    @property
    def old(self) -> Op:
        """The op of base."""
        return self.ops[self.op]

    @property
    def event(self) -> str:
        """`op_removed`."""
        return "op_removed"

    def origins(self) -> tuple[Origin | None, Origin | None]:
        """Return where base declares the op."""
        return origin(self.ops, self.op), None

    def words(self) -> dict[str, object]:
        """Return the facts, with the successor and the version of base's graphs."""
        written = "base's" if self.graph_version is None else str(self.graph_version)
        return {**super().words(), "successor": self.successor, "graph_version": written}


class OpInvalid(Change):
    """The framework refuses head's declaration of the op, new or changed; `reason` is its message."""

    reason: str

    @property
    def event(self) -> str:
        """`op_invalid`."""
        return "op_invalid"

    @property
    def subject(self) -> Subject:
        """The op."""
        return Subject(op=self.op, name=self.name, field="invalid")

    def values(self, table: Table) -> tuple[Any, Any]:  # noqa: ARG002
        """Return the reason."""
        return None, self.reason

    def words(self) -> dict[str, object]:
        """Return the facts, with the reason."""
        return {**super().words(), "reason": shorten(self.reason, LONGEST)}


class BuildsChanged(Change):
    """Other builds of the framework have the op. `ops` are base's and head's.

    `old` and `new` are the builds, empty for every build; `lost` and `gained` are the differences, as far as the builds
    have names. `is_exempt` is whether no released build lost the op.
    """

    old: tuple[str, ...]
    new: tuple[str, ...]
    lost: tuple[str, ...]
    gained: tuple[str, ...]
    ops: tuple[Op, Op]
    is_exempt: bool = False  # type: ignore[misc]

    @property
    def event(self) -> str:
        """`builds_lost`, or `builds_gained` where it lost none."""
        return "builds_lost" if self.lost or not self.old else "builds_gained"

    @property
    def subject(self) -> Subject:
        """The builds."""
        return Subject(op=self.op, name=self.name, field="builds")

    def origins(self) -> tuple[Origin | None, Origin | None]:
        """Return where both sides declare the op."""
        return self.ops[0].origin, self.ops[1].origin

    def values(self, table: Table) -> tuple[Any, Any]:  # noqa: ARG002
        """Return the builds on both sides, none for every build."""
        return values.thaw(self.old), values.thaw(self.new)

    def words(self) -> dict[str, object]:
        """Return the facts, with the builds that lost the op or have it now, and those that have it at all."""
        changed = self.lost if self.event == "builds_lost" else self.gained
        return {
            **super().words(),
            "builds": ", ".join(changed) or "all but those that are named",
            "left": ", ".join(self.new) or "every build",
        }
