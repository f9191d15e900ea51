"""Constructors for the faults of ONNX models that make a loader refuse the model."""

from __future__ import annotations

from opspec_lint.models.fault import model_fault
from opspec_lint.spec.fact import Fact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.frameworks.onnx.saved.judging.resolution import ResolvedNode
    from opspec_lint.spec.ids import EventId

EXPORT = "export the model again, and do not edit the file"


def model_refused(event: EventId, name: str, reason: str, problem: str, remedy: str = EXPORT) -> Fact:
    """Return a fault of the model as a whole, with a remedy."""
    return model_fault(event, name, "refused", reason, problem=problem, remedy=remedy)


def node_refused(resolved: ResolvedNode, event: EventId, reason: str, name: str = "", **facts: object) -> Fact:
    """Return a fault of a node; `name` is the attribute or tensor at fault, by default the op."""
    # One construction, and no `replace`: a damaged model may have a million such nodes.
    return Fact(
        event=event,
        kind="op",
        op=resolved.op,
        name=name or resolved.op or None,
        graph=resolved.graph,
        node=resolved.name,
        facts={"remedy": EXPORT, **facts},
        is_of_contract=False,
        effect="refused",
        reason=reason,
    )


def node_unknown(resolved: ResolvedNode, problem: str, remedy: str) -> Fact:
    """Return the fault that it is unknown whether a release runs a node."""
    fault = node_refused(resolved, "model_not_judged", "", problem=problem, remedy=remedy)
    return fault.replace(effect="cannot_tell", reason=None)
