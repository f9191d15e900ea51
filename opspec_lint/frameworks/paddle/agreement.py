"""The facts about two Paddle releases that their declarations do not show: how their loaders differ."""

from __future__ import annotations

from opspec_lint.spec.fact import Fact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from opspec_lint.diff.memory import NoMemory
    from opspec_lint.spec.model import Spec


def new_disagreements(
    base: Spec,
    head: Spec,
    only: Collection[str] | None,
    memory: NoMemory,  # noqa: ARG001 - what every agreement is given
) -> Iterator[Fact]:
    """Yield the ops whose shapes the predictors of base and head align differently."""
    # Without both versions, it is unknown which releases these are.
    if not (base.provenance.version and head.provenance.version):
        return
    from opspec_lint.frameworks.paddle.saved.programs.alignment import AXIS, OPS, aligns_at_ends

    if aligns_at_ends(base) is not False or not aligns_at_ends(head):
        return
    for op in OPS:
        if (only is None or op in only) and op in base.ops and op in head.ops:
            yield Fact(event="predictor_broadcast_changed", kind="attr", op=op, name=AXIS, is_of_contract=False)
