"""What Paddle's loaders do beyond what ops declare: where those of two releases differ and no declaration does."""

from __future__ import annotations

from opspec_lint.spec.fact import Fact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from opspec_lint.spec.model import Spec


def disagreements(spec: Spec) -> Iterator[Fact]:  # noqa: ARG001 - the files of Paddle's trees are judged where they are read
    """Yield nothing: one spec does not disagree with itself."""
    return iter(())


def new_disagreements(base: Spec, head: Spec, only: Collection[str] | None) -> Iterator[Fact]:
    """Yield that the predictors of two releases align shapes in different ways."""
    if not (base.provenance.version and head.provenance.version):
        return
    from opspec_lint.frameworks.paddle.saved.programs.alignment import AXIS, OPS, aligns_at_ends

    if aligns_at_ends(base) is not False or not aligns_at_ends(head):
        return
    for op in OPS:
        if (only is None or op in only) and op in base.ops and op in head.ops:
            yield Fact(event="predictor_broadcast_changed", kind="attr", op=op, name=AXIS, is_of_contract=False)
