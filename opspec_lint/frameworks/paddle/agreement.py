"""What Paddle's loaders do beyond what ops declare: where those of two releases differ and no declaration does."""

from __future__ import annotations

from opspec_lint.diff.changes.change import Change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import ClassVar

    from opspec_lint.spec.model import Spec


class BroadcastChanged(Change):
    """The predictor of head aligns shapes in another way than that of base. `name` is the attr that says how."""

    event = "predictor_broadcast_changed"

    is_of_contract: ClassVar[bool] = False


def standing(spec: Spec) -> Iterator[Change]:  # noqa: ARG001 - the files of Paddle's trees are judged where they are read
    """Yield nothing: one spec does not disagree with itself."""
    return iter(())


def changes(base: Spec, head: Spec, only: Collection[str] | None) -> Iterator[Change]:
    """Yield that the predictors of two releases align shapes in different ways."""
    if not (base.provenance.version and head.provenance.version):
        return
    from opspec_lint.frameworks.paddle.saved.programs.alignment import AXIS, OPS, aligns_at_ends

    if aligns_at_ends(base) is not False or not aligns_at_ends(head):
        return
    for op in OPS:
        if (only is None or op in only) and op in base.ops and op in head.ops:
            yield BroadcastChanged(op=op, kind="attr", name=AXIS)
