"""Remedies for the faults of ONNX models: each names the field to set, or the opset to convert to."""

from __future__ import annotations

from opspec_lint.frameworks.onnx.identity import DEFAULT, parts, shown
from opspec_lint.frameworks.onnx.saved.judging.faults import EXPORT, of_model, of_node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.frameworks.onnx.saved.files.reading import ModelFile
    from opspec_lint.frameworks.onnx.saved.judging.place import Place
    from opspec_lint.spec.fact import Fact

__all__ = ["EXPORT"]

_IR_VERSIONS = {1: 3, 9: 4, 10: 5, 11: 6, 12: 7, 15: 8, 19: 9, 21: 10, 23: 11, 24: 12, 25: 13, 28: 14}
"""The IR version of the onnx that released an opset, by the first such opset (VERSION_TABLE of onnx/helper.py)."""


def _ir_version_of(opset: int) -> int:
    """Return the IR version of the onnx that released an opset."""
    return max(version for first, version in _IR_VERSIONS.items() if first <= max(opset, 1))


def add_import(domain: str) -> str:
    """Return how an import of a domain is added."""
    return f"add an opset_import of {shown(domain)}, with the version that the nodes were written for"


def state_ir_version() -> str:
    """Return how a model gets an IR version."""
    return "set ir_version: onnx.helper.find_min_ir_version_for(model.opset_import) returns the lowest one that fits"


def ir_version_too_high(model: ModelFile, version: int, most: int) -> Fact:
    """Return that a model has an IR version which a release does not take."""
    problem = f"has IR version {version}, and the release takes {most} at most"
    opset = max((number for domain, number in model.opsets if shown(domain) == DEFAULT), default=0)
    needed = _ir_version_of(opset)
    remedy = f"set ir_version to {most}, and keep the nodes"
    if not opset:
        pass
    elif needed <= most:
        remedy += f": opset {opset} needs IR version {needed} only"
    else:
        newest = max(first for first in _IR_VERSIONS if _IR_VERSIONS[first] <= most)
        remedy = f"convert it to opset {newest} (onnx.version_converter), and set ir_version to {most}"
    return of_model("model_graph_version", "ir_version", "ir_version", problem, remedy)


def opset_too_high(domain: str, opset: int, limit: int, verb: str) -> Fact:
    """Return that a model imports a version of a domain which a release does not take."""
    problem = f"{verb} opset {opset} of {domain}, and the release takes {limit} at most"
    return of_model("model_graph_version", f"opset of {domain}", "opset", problem, f"convert it to opset {limit}")


def not_imported(place: Place) -> Fact:
    """Return that a node is of a domain that its graph does not import."""
    problem = f"is of the domain {shown(place.node.domain)}, which is not imported"
    return of_node(place, "model_wiring", "opset", problem=problem, remedy=add_import(place.node.domain))


def deprecated(place: Place) -> Fact:
    """Return that a node is of a version of an op that is deprecated."""
    facts = {"since": parts(place.op)[2], "producer": place.imported, "explanation": "export the model again"}
    return of_node(place, "model_op_deprecated", "deprecated").but(facts=facts)
