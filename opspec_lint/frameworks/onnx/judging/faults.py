"""The faults of a model, as the loaders report them."""

from __future__ import annotations

from opspec_lint.models.fault import Fault, model_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.frameworks.onnx.judging.place import Place


def of_model(event: str, name: str, reason: str, problem: str) -> Fault:
    """Return the fault of a model as a whole."""
    return model_fault(event, name, "refused", reason, problem=problem)


def of_node(place: Place, event: str, reason: str, name: str = "", **facts: object) -> Fault:
    """Return the fault of a node."""
    return Fault(
        event=event,
        kind="op",
        op=place.op,
        name=name or place.op,
        effect="refused",
        reason=reason,
        graph=place.graph,
        node=place.node.name,
        facts=facts,
    )


def unknown(place: Place, problem: str, remedy: str) -> Fault:
    """Return that it cannot be told what becomes of a node."""
    fault = of_node(place, "model_not_judged", "", problem=problem, remedy=remedy)
    return fault.but(effect="cannot_tell", reason=None)
