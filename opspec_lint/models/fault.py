"""Constructors for the facts of an audit (faults): a problem of a model under a loader of a release, and its effect."""

from __future__ import annotations

from opspec_lint.spec.fact import Fact
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.spec.fact import Effect, Kind
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Op

EFFECTS: tuple[Effect, ...] = ("loads", "changed", "cannot_tell", "fails_at_run", "refused")
"""The effects of faults, from the mildest to the worst."""
NOT_FETCHED: EventId = "model_not_fetched"
MAX_FINDINGS = 1000
"""Distinct findings that one audit keeps, and nodes that it keeps per finding; further nodes are only counted.

A finding that decides the verdict is always kept.
"""


def new_fault(  # noqa: PLR0913 - a fact is what it says
    *,
    event: EventId,
    kind: Kind,
    op: str | None,
    effect: Effect,
    name: str = "",
    reason: str | None = None,
    facts: Mapping[str, object] | None = None,
) -> Fact:
    """Return a fault of the main graph of a model; the caller sets another graph or a node with `replace`.

    Args:
        event: the name of the rule that judges the fault.
        kind: the kind of thing that is at fault, such as "attr".
        op: the op, None for a fault that concerns no op.
        effect: the effect on the load, from "loads" to "refused".
        name: the attr, input, key or file at fault.
        reason: a short code for the error of the loader, None if it has none.
        facts: further values for the message templates of the rule.
    """
    return Fact(
        event=event,
        kind=kind,
        op=op,
        name=name or None,
        graph="",
        facts=facts or {},
        is_of_contract=False,
        effect=effect,
        reason=reason,
    )


def model_fault(event: EventId, name: str, effect: Effect, reason: str | None = None, **facts: object) -> Fact:
    """Return a fault of the model as a whole; `name` is the key or file at fault. See `new_fault`."""
    return new_fault(event=event, kind="model", op=None, name=name, effect=effect, reason=reason, facts=facts)


def op_fault(  # noqa: PLR0913 - a fault is what it says
    event: EventId,
    op: str,
    effect: Effect,
    reason: str | None = None,
    *,
    kind: Kind = "op",
    name: str | None = None,
    **facts: object,
) -> Fact:
    """Return a fault of an op in a model, or of the argument `name` of the op. See `new_fault`."""
    name = op if name is None else name
    return new_fault(event=event, kind=kind, op=op, name=name, effect=effect, reason=reason, facts=facts)


def not_judged(name: str, problem: str, remedy: str, *, op: str | None = None) -> Fact:
    """Return a fault for a part of a model that cannot be judged: the obstacle, and how to remove it."""
    return model_fault("model_not_judged", name, "cannot_tell", problem=problem, remedy=remedy).replace(op=op)


def not_fetched(path: str) -> Fact:
    """Return a fault for a file that is a pointer of git-lfs, so that its content is unknown but not wrong."""
    problem, remedy = f"{path}: is a pointer of git-lfs", "`git lfs pull` fetches it"
    return model_fault(NOT_FETCHED, path, "loads", problem=problem, remedy=remedy)


def not_followed(path: str, problem: str) -> Fact:
    """Return a fault for a file that is not read because it is outside the folder of the model."""
    return not_judged(path, f"{path} {problem}", "copy the file into the model's folder")


def unreadable(path: str, problem: str, remedy: str) -> Fact:
    """Return a fault for a path that is no model, or cannot be read."""
    return model_fault("model_unreadable", path, "refused", problem=problem, remedy=remedy)


def input_count_fault(op: Op, given: int) -> Fact | None:
    """Return the fault of a node whose op takes another number of inputs, None if it may take as many."""
    if any(argument.duplicable is UNKNOWN or argument.dispensable is UNKNOWN for argument in op.inputs):
        return None
    least = sum(not argument.dispensable for argument in op.inputs)
    most = None if any(argument.duplicable for argument in op.inputs) else len(op.inputs)
    if given >= least and (most is None or given <= most):
        return None
    exactly = str(least) if least == most else f"{least} to {most}"
    expected = f"at least {least}" if most is None else exactly
    return op_fault("model_input_count", op.name, "refused", "input_count", expected=expected, given=given)


def attr_value_fault(op: str, name: str, value: object, problem: str) -> Fact:
    """Return the fault of an attr of a node with a value that the release refuses; `problem` completes "VALUE ..."."""
    return op_fault(
        "model_attr_value", op, "refused", "attr_value", kind="attr", name=name, value=repr(value), problem=problem
    )


def attr_ignored_fault(op: str, name: str, value: object, default: object) -> Fact:
    """Return the fault of an attr of a node that the release ignores, as if the node had the default of the saver."""
    return op_fault("model_attr_ignored", op, "changed", kind="attr", name=name, value=repr(value), default=default)
