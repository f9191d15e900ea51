"""What Paddle's loaders do beyond what ops declare: where those of two releases differ and no declaration does."""

from __future__ import annotations

from opspec_lint.diff.changes.change import Change
from opspec_lint.frameworks.paddle.programs.alignment import AXIS, OP, aligns_at_ends
from opspec_lint.spec.fact import Subject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import ClassVar

    from opspec_lint.spec.model import Spec


class BroadcastChanged(Change):
    """The predictor of head aligns shapes in another way than that of base. `name` is the attr that says how."""

    is_of_contract: ClassVar[bool] = False

    @property
    def event(self) -> str:
        """`predictor_broadcast_changed`."""
        return "predictor_broadcast_changed"

    @property
    def subject(self) -> Subject:
        """The attr."""
        return Subject(op=self.op, name=self.name)


def standing(spec: Spec) -> Iterator[Change]:  # noqa: ARG001 - the files of Paddle's trees are judged where they are read
    """Yield nothing: one spec does not disagree with itself."""
    return iter(())


def changes(base: Spec, head: Spec, only: Collection[str] | None) -> Iterator[Change]:
    """Yield that the predictors of two releases align shapes in different ways."""
    is_meant = only is None or OP in only
    if is_meant and aligns_at_ends(base) is False and aligns_at_ends(head) and OP in base.ops and OP in head.ops:
        yield BroadcastChanged(op=OP, kind="attr", name=AXIS)
