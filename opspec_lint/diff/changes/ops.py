"""The facts about an op as a whole: added, removed, refused by its framework, in other builds."""

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
    """Return that only head has an op, which is not built for that.

    Args:
        ops: those of head.
        op: the name of the op.
        predecessor: the op of head that it may replace, by its name: `Sum` for `SumV2`.
    """
    place = op_table.origin(ops, op)
    return Fact(event="op_added", kind="op", op=op, name=op, origins=(None, place), facts={"predecessor": predecessor})


def op_removed(ops: Mapping[str, Op], op: str, successor: str | None = None, graph_version: int | None = None) -> Fact:
    """Return that only base has an op, which is not built for that.

    Args:
        ops: those of base.
        op: the name of the op.
        successor: the op of head that may replace it, by its name: `SumV2` for `Sum`.
        graph_version: the version of the graphs that base writes, None if it is not known.
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


def op_invalid(op: Op) -> Fact:
    """Return that the framework refuses head's declaration of an op, new or changed."""
    reason = str(op.invalid)
    facts = {"reason": shorten(reason, LONGEST)}
    return Fact(event="op_invalid", kind="op", op=op.name, name=op.name, field="invalid", new=reason, facts=facts)


def condition_changed(before: Op, after: Op, sides: tuple[Condition, Condition]) -> Fact:
    """Return that the unknown condition under which an op is declared is another one.

    Args:
        before: the op in base.
        after: the op in head.
        sides: the condition in base and in head.
    """
    old, new = sides
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
        origins=(_place_of_condition(before), _place_of_condition(after)),
        facts={side: shorten(_when(condition), LONGEST) for side, condition in (("old", old), ("new", new))},
        refused=ways,
        broken=ways,
    )


def _when(condition: Condition) -> str:
    return "always" if condition == ALWAYS else f"only under `{show(condition)}`"


def _place_of_condition(op: Op) -> Origin | None:
    return op.places.get("declared_if", op.origin)


def builds_changed(
    ops: tuple[Op, Op], sides: tuple[tuple[str, ...], tuple[str, ...]], lost: tuple[str, ...], gained: tuple[str, ...]
) -> Fact:
    """Return that other builds of the framework have an op.

    Args:
        ops: the op in base and in head.
        sides: the builds in base and in head, empty for every build.
        lost: the builds that lost the op, as far as they have names.
        gained: those that have it now.
    """
    old, new = sides
    is_loss = bool(lost) or not old
    return Fact(
        event="builds_lost" if is_loss else "builds_gained",
        kind="op",
        op=ops[0].name,
        name=ops[0].name,
        field="builds",
        old=old,
        new=new,
        origins=(ops[0].origin, ops[1].origin),
        facts={
            "builds": ", ".join(lost if is_loss else gained) or "all but those that are named",
            "left": ", ".join(new),
        },
    )
