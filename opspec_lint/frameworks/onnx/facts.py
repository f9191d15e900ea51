"""The facts about releases of ONNX that are more than a difference of two declarations."""

from __future__ import annotations

from opspec_lint.diff.changes.change import LONGEST, Change, StatedChange
from opspec_lint.kit.text import shorten
from opspec_lint.spec.fact import Subject
from opspec_lint.spec.op_table import origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from opspec_lint.spec.fields import Table
    from opspec_lint.spec.model import Op, Origin


class VersionAdded(Change):
    """Only head has this version of an op. `name` is the name of the op, `since` the opset that brings the version.

    `ops` are those of head, `predecessor` the version before it, None for the first. `published` is the version of the
    domain that base has, None for a domain that base does not have.
    """

    ops: Mapping[str, Op]
    since: int
    domain: str
    published: int | None
    predecessor: str | None
    framework: str

    @property
    def event(self) -> str:
        """`version_added`, or `op_added_late` for an opset that base had."""
        is_late = self.published is not None and self.since <= self.published
        return "op_added_late" if is_late else "version_added"

    def origins(self) -> tuple[Origin | None, Origin | None]:
        """Return where head declares the op."""
        return None, origin(self.ops, self.op)

    def values(self, table: Table) -> tuple[Any, Any]:  # noqa: ARG002
        """Return the version before it, and its version."""
        return self.predecessor, self.op

    def words(self) -> dict[str, object]:
        """Return the facts, with what the version changes."""
        more = {"since": self.since, "domain": self.domain, "published": self.published}
        return {**super().words(), **more, "differences": shorten(self._differences(), 2 * LONGEST)}

    def _differences(self) -> str:
        """Return the differences between the versions, in the words of the rules that judge such changes."""
        if self.predecessor is None:
            return "it is the first version of the op"
        from opspec_lint.diff.binding import BINDINGS
        from opspec_lint.frameworks.onnx.framework import BINDING
        from opspec_lint.lint import rulebook
        from opspec_lint.lint.wording import in_words_of
        from opspec_lint.spec import fields

        old, new = self.ops[self.predecessor], self.ops[self.op]
        found = BINDINGS.load(BINDING).compare(old, new, (), fields.table(self.framework))
        told = (
            in_words_of(rulebook.load(each.event), self.framework).message.format_map(each.words()) for each in found
        )
        return f"since {self.predecessor}, {'; '.join(told) or 'its meaning changed, and not its signature'}"


class AdapterMissing(StatedChange):
    """The version converter lacks an adapter of a version that only head has. `name` is the name of the op."""

    event: str = "adapter_missing"


class LimitLowered(StatedChange):
    """Head takes models up to a lower version than base. `name` is what of models has the version."""

    event: str = "limit_lowered"

    @property
    def subject(self) -> Subject:
        """The version; it is about no op."""
        return Subject(op=None, name=self.name)
