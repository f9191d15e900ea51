"""Constructors of facts about a whole op: added, removed, refused by its framework, declared in other builds."""

from __future__ import annotations

from opspec_lint.kit.text import shorten
from opspec_lint.spec import op_table
from opspec_lint.spec.condition import ALWAYS, implies, show
from opspec_lint.spec.fact import LONGEST, Fact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.spec.condition import Condition
    from opspec_lint.spec.fact import Direction
    from opspec_lint.spec.model import Op, Origin


def op_added(ops: Mapping[str, Op], op: str, predecessor: str | None = None) -> Fact:
    """Return the fact that only head has an op; the op itself is not built for this.

    Args:
        ops: the ops of head.
        op: the name of the op.
        predecessor: the op of head that it may replace, by its name: `Sum` for `SumV2`.
    """
    place = op_table.origin(ops, op)
    return Fact(event="op_added", kind="op", op=op, name=op, origins=(None, place), facts={"predecessor": predecessor})


def op_removed(ops: Mapping[str, Op], op: str, successor: str | None = None, graph_version: int | None = None) -> Fact:
    """Return the fact that only base has an op; the op itself is not built for this.

    Args:
        ops: the ops of base.
        op: the name of the op.
        successor: the op of head that may replace it, by its name: `SumV2` for `Sum`.
        graph_version: the version of the graphs that base writes, None if unknown.
    """
    return Fact(
        event="op_removed",
        kind="op",
        op=op,
        name=op,
        origins=(op_table.origin(ops, op), None),
        facts={
            "successor": successor,
            "graph_version": "base's" if graph_version is None else str(graph_version),
            "deprecation": op_table.field_value(ops, op, "deprecation"),
        },
    )


def op_invalid(op: Op, before: Op | None = None) -> Fact:
    """Return the fact that the framework refuses head's declaration of an op, new or changed from `before`."""
    reason = str(op.invalid)
    facts = {"reason": shorten(reason, LONGEST)}
    return Fact(
        event="op_invalid",
        kind="op",
        op=op.name,
        name=op.name,
        field="invalid",
        new=reason,
        origins=(None if before is None else before.origin, op.places.get("invalid", op.origin)),
        facts=facts,
    )


def condition_changed(before: Op, after: Op, sides: tuple[Condition, Condition]) -> Fact:
    """Return the fact that an op is declared under another condition that cannot be evaluated, such as an `#if`.

    Args:
        before: the op in base.
        after: the op in head.
        sides: the condition in base and in head.
    """
    old, new = sides
    # If base's condition implies head's, every build that had the op still has it.
    is_stricter = not implies(old, new)
    ways: tuple[Direction, ...] = ("backward",) if is_stricter else ()
    return Fact(
        event="op_condition_added" if is_stricter else "op_condition_dropped",
        kind="op",
        op=before.name,
        name=before.name,
        field="declared_if",
        old=before.declared_if,
        new=after.declared_if,
        before=before,
        after=after,
        origins=(_condition_origin(before), _condition_origin(after)),
        facts={side: shorten(_condition_text(condition), LONGEST) for side, condition in (("old", old), ("new", new))},
        refused=ways,
        broken=ways,
    )


def _condition_text(condition: Condition) -> str:
    """Return a condition as a phrase: `always`, or "only under `A and not B`"."""
    return "always" if condition == ALWAYS else f"only under `{show(condition)}`"


def _condition_origin(op: Op) -> Origin | None:
    return op.places.get("declared_if", op.origin)


def builds_changed(
    ops: tuple[Op, Op], sides: tuple[tuple[str, ...], tuple[str, ...]], lost: tuple[str, ...], gained: tuple[str, ...]
) -> Fact:
    """Return the fact that other builds of the framework have an op.

    Args:
        ops: the op in base and in head.
        sides: the builds in base and in head, empty for every build.
        lost: the names of the builds that lost the op.
        gained: the names of the builds that gained it.
    """
    before, after = ops
    old, new = sides
    is_loss = bool(lost) or not old
    return Fact(
        event="builds_lost" if is_loss else "builds_gained",
        kind="op",
        op=before.name,
        name=before.name,
        field="builds",
        old=old,
        new=new,
        origins=(before.origin, after.origin),
        facts={
            "builds": ", ".join(lost if is_loss else gained) or "all but those that are named",
            "left": ", ".join(new),
        },
    )
