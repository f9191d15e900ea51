"""The facts about an op as a whole: added, removed, refused by its framework, in other builds."""

from __future__ import annotations

from opspec_lint.diff.changes.change import LONGEST, Change, Difference
from opspec_lint.kit.text import shorten
from opspec_lint.spec.op_table import origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.spec.model import Op, Origin


class OpAdded(Change):
    """Only head has the op. `ops` are those of head; the op is built when it is accessed.

    `predecessor` is the op of head that it may replace, by its name: `Sum` for `SumV2`.
    """

    event = "op_added"

    ops: Mapping[str, Op]
    predecessor: str | None = None

    @property
    def new(self) -> Op:
        """The op of head."""
        return self.ops[self.op]

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

    event = "op_removed"

    ops: Mapping[str, Op]
    successor: str | None = None
    graph_version: int | None = None

    @property
    def old(self) -> Op:
        """The op of base."""
        return self.ops[self.op]

    def origins(self) -> tuple[Origin | None, Origin | None]:
        """Return where base declares the op."""
        return origin(self.ops, self.op), None

    def words(self) -> dict[str, object]:
        """Return the facts, with the successor and the version of base's graphs."""
        written = "base's" if self.graph_version is None else str(self.graph_version)
        return {**super().words(), "successor": self.successor, "graph_version": written}


class OpInvalid(Difference):
    """The framework refuses head's declaration of the op, new or changed; `new` is its message."""

    event = "op_invalid"

    field: str = "invalid"

    def words(self) -> dict[str, object]:
        """Return the facts, with the reason."""
        return {**super().words(), "reason": shorten(self.new, LONGEST)}


class BuildsChanged(Difference):
    """Other builds of the framework have the op. `ops` are base's and head's.

    `old` and `new` are the builds, empty for every build; `lost` and `gained` are the differences, as far as the builds
    have names. `is_exempt` is whether no released build lost the op.
    """

    field: str = "builds"
    lost: tuple[str, ...]
    gained: tuple[str, ...]
    ops: tuple[Op, Op]
    is_exempt: bool = False  # type: ignore[misc]

    @property
    def event(self) -> str:
        """`builds_lost`, or `builds_gained` where it lost none."""
        return "builds_lost" if self.lost or not self.old else "builds_gained"

    def origins(self) -> tuple[Origin | None, Origin | None]:
        """Return where both sides declare the op."""
        return self.ops[0].origin, self.ops[1].origin

    def words(self) -> dict[str, object]:
        """Return the facts, with the builds that lost the op or have it now, and those that have it at all."""
        changed = self.lost if self.event == "builds_lost" else self.gained
        return {
            **super().words(),
            "builds": ", ".join(changed) or "all but those that are named",
            "left": ", ".join(self.new),
        }
