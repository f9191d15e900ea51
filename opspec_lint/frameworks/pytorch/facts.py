"""The facts about changed and removed schemas, with the promise of base and the upgrader of head."""

from __future__ import annotations

from opspec_lint.diff.changes.ops import op_removed
from opspec_lint.kit.pattern import pattern
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
    """Return the fact that two schemas of an op differ.

    `sides` are the argument, return or op in base and in head, None where a side has none; `texts` are the values that
    differ.
    """
    before, after = sides
    new_name = after.name if before and after and before.name != after.name else None
    return Fact(
        event=event,
        kind=kind,
        op=op.name,
        name=next((side.name for side in sides if side is not None), op.name),
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


def schema_removed(ops: Mapping[str, Op], op: str, schema: str, upgrader: str) -> Fact:
    """Return the fact that only base has an op.

    `upgrader` describes how head still loads archives with the op, "" for none: then old calls break.
    """
    ways: tuple[Direction, ...] = () if upgrader else ("backward",)
    promise = promised(ops[op])
    removed = op_removed(ops, op)
    return removed.replace(
        declared=(schema, None), refused=ways, broken=ways, promise=promise, remark=remark(upgrader, promise)
    )


def promised(op: Op) -> str:
    """Return the tag of an op that is a promise to keep it, "" if it has none."""
    tags = op.get("op_tags")
    return CORE if isinstance(tags, tuple) and CORE in tags else ""


def remark(upgrader: str, promise: str) -> str:
    """Return the end of a message: the upgrader of old archives, and the promise of base, each behind `; `."""
    promises = [f"the op is tagged '{promise}'"] if promise else []
    return "".join(f"; {clause}" for clause in ([upgrader] if upgrader else []) + promises)


def _describe(fact: Fact) -> Mapping[str, object]:
    """Return the texts for the message of a fact."""
    texts: dict[str, object] = {
        "old": fact.old or "none",
        "new": fact.new or "none",
        "new_name": fact.new_name or fact.name,
    }
    if fact.event == "schema_return_renamed":
        return texts | _return_names(fact.name or "", fact.new_name or "")
    is_inferred = fact.event == "schema_argument_added" and _INFERRED.fullmatch(fact.name or "")
    texts["how"] = _SCHEMA_STRING.format(name=fact.name) if is_inferred else ""
    return texts


def _return_names(old: str, new: str) -> dict[str, object]:
    """Return the texts for a return with another name; the name of a return without one is its position."""
    return {
        "was": f"the return {old}, which had no name," if old.isdecimal() else f"the return '{old}'",
        "now": "has no name any more" if new.isdecimal() else f"is now named '{new}'",
        "keep": "leave the return without a name" if old.isdecimal() else f"keep the name '{old}'",
    }


_INFERRED = pattern(r"_\d+")
"""A name that PyTorch gives to an argument of a C++ function (`infer_schema.cpp`)."""
_SCHEMA_STRING = (
    "; PyTorch infers no default value from a C++ function: register it with a schema string that gives '{name}' a "
    "default value and keeps all other names as they are inferred, _0, _1 and so on"
)
