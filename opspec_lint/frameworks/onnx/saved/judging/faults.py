"""The faults of a model, as the loaders report them."""

from __future__ import annotations

from opspec_lint.models.fault import model_fault, new_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.frameworks.onnx.saved.judging.resolution import ResolvedNode
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId

EXPORT = "export the model again, and do not edit the file"


def model_refused(event: EventId, name: str, reason: str, problem: str, remedy: str = EXPORT) -> Fact:
    """Return the fault of a model as a whole, with what its owner can do."""
    return model_fault(event, name, "refused", reason, problem=problem, remedy=remedy)


def node_refused(resolved: ResolvedNode, event: EventId, reason: str, name: str = "", **facts: object) -> Fact:
    """Return the fault of a node."""
    name, facts = name or resolved.op, {"remedy": EXPORT, **facts}
    fault = new_fault(event=event, kind="op", op=resolved.op, name=name, effect="refused", reason=reason, facts=facts)
    return fault.replace(graph=resolved.graph, node=resolved.node.name)


def node_unknown(resolved: ResolvedNode, problem: str, remedy: str) -> Fact:
    """Return that it cannot be told what becomes of a node."""
    fault = node_refused(resolved, "model_not_judged", "", problem=problem, remedy=remedy)
    return fault.replace(effect="cannot_tell", reason=None)
