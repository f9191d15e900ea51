"""The facts about the schema of an op, and which of PyTorch's predicates refuses it because of that."""

from __future__ import annotations

from opspec_lint.diff.changes.ops import op_removed
from opspec_lint.spec.fact import Fact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.spec.fact import Direction, Kind
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Declared, Op

CORE = "core"
"""The tag of the ops that PyTorch promises to keep."""


def schema_change(
    event: EventId,
    op: Op,
    kind: Kind,
    sides: tuple[Declared | None, Declared | None],
    texts: tuple[str | None, str | None],
) -> Fact:
    """Return a difference between two schemas of an op.

    Args:
        event: what happened.
        op: the op of base.
        kind: the kind of what it is about.
        sides: the argument, return or op in base and in head, each None where a side has none.
        texts: what differs, in base and in head.
    """
    before, after = sides
    new_name = after.name if before and after and before.name != after.name else None
    return Fact(
        event=event,
        kind=kind,
        op=op.name,
        name=next((each.name for each in sides if each is not None), op.name),
        new_name=new_name,
        confidence=None if new_name is None else 1.0,
        old=texts[0],
        new=texts[1],
        before=before,
        after=after,
        origins=(None if before is None else before.origin, None if after is None else after.origin),
        describe=_describe,
        refused=(),
        broken=(),
    )


def schema_removed(ops: Mapping[str, Op], op: str, schema: str, served: str) -> Fact:
    """Return that only base has an op.

    Args:
        ops: those of base.
        op: the name of the op.
        schema: the schema of the op.
        served: how head upgrades archives with it, "" for not at all.
    """
    ways: tuple[Direction, ...] = () if served else ("backward",)
    promise = promised(ops[op])
    removed = op_removed(ops, op)
    return removed.replace(
        declared=(schema, None), refused=ways, broken=ways, promise=promise, remark=remark(served, promise)
    )


def promised(op: Op) -> str:
    """Return the tag of an op that promises that it stays, "" for none."""
    tags = op.get("op_tags")
    return CORE if isinstance(tags, tuple) and CORE in tags else ""


def remark(served: str, promise: str) -> str:
    """Return what upgrades old archives, and what base promised, as the end of a sentence."""
    told = [f"the op is tagged '{promise}'"] if promise else []
    return "".join(f"; {each}" for each in ([served] if served else []) + told)


def _describe(fact: Fact) -> Mapping[str, object]:
    """Return both texts and the new name."""
    return {"old": fact.old or "none", "new": fact.new or "none", "new_name": fact.new_name or fact.name}
