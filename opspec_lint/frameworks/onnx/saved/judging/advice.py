"""Faults of ONNX models with a specific remedy: the field to set, or the opset to convert to."""

from __future__ import annotations

from opspec_lint.frameworks.onnx.identity import DEFAULT, domain_title, split_identity
from opspec_lint.frameworks.onnx.saved.judging import conversion
from opspec_lint.frameworks.onnx.saved.judging.faults import EXPORT, model_refused, node_refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec_lint.frameworks.onnx.saved.files.reading import OnnxFile
    from opspec_lint.frameworks.onnx.saved.judging.resolution import ResolvedNode
    from opspec_lint.spec.fact import Fact

__all__ = ["EXPORT"]

_IR_VERSIONS = {1: 3, 9: 4, 10: 5, 11: 6, 12: 7, 15: 8, 19: 9, 21: 10, 23: 11, 24: 12, 25: 13, 28: 14}
"""The IR version of the onnx release that published an opset, by its first opset (VERSION_TABLE of onnx/helper.py)."""


def _needed_ir_version(opset: int) -> int:
    """Return the IR version of the onnx release that published an opset."""
    return max(version for first, version in _IR_VERSIONS.items() if first <= max(opset, 1))


def add_import(domain: str) -> str:
    """Return the remedy for a missing import of a domain."""
    return f"add an opset_import of {domain_title(domain)}, with the version that the nodes were written for"


def state_ir_version() -> str:
    """Return the remedy for a missing IR version."""
    return "set ir_version: onnx.helper.find_min_ir_version_for(model.opset_import) returns the lowest one that fits"


def ir_version_too_high(model: OnnxFile, version: int, most: int, limit: int) -> Fact:
    """Return the fault of an IR version above `most`, the highest that a release takes; `limit` is its newest opset."""
    problem = f"has IR version {version}, and the release takes {most} at most"
    opset = max((number for domain, number in model.opsets if domain_title(domain) == DEFAULT), default=0)
    needed = _needed_ir_version(opset)
    if opset and needed > most:
        # Lowering the IR version is not enough if the opset needs a newer one: the model has to be converted as well.
        newest = min(first for first, own in _IR_VERSIONS.items() if own > most) - 1
        remedy = f"set ir_version to {most}, and {conversion.remedy(model, min(newest, limit))}"
    else:
        reason = f": opset {opset} needs IR version {needed} only" if opset else ""
        remedy = f"set ir_version to {most}, and keep the nodes{reason}"
    return model_refused("model_graph_version", "ir_version", "ir_version", problem, remedy)


def opset_too_high(model: OnnxFile, domain: str, opset: int, limit: int, verb: str) -> Fact:
    """Return the fault of an import of `domain` above `limit`, the highest version that a release takes."""
    problem = f"{verb} opset {opset} of {domain}, and the release takes {limit} at most"
    remedy = f"export it again with opset {limit} of {domain}, which no converter converts to"
    if domain == DEFAULT and opset == conversion.imported_opset(model):
        remedy = conversion.remedy(model, limit)
    return model_refused("model_graph_version", f"opset of {domain}", "opset", problem, remedy)


def op_missing(model: OnnxFile, resolved: ResolvedNode, known: Sequence[int]) -> Fact:
    """Return the fault of an op that has no version for the imported opset; `known` are its versions in the release."""
    later = [since for since in known if resolved.imported is not None and since > resolved.imported]
    if not later or conversion.imported_opset(model) != resolved.imported:
        return node_refused(resolved, "model_op_unknown", "unknown_op")
    _, op, _ = split_identity(resolved.op)
    problem = f"is of '{op}', which came with opset {later[0]}, and opset {resolved.imported} is imported"
    remedy = f"import opset {later[0]} or later if the nodes were written for it, or export the model again"
    return node_refused(resolved, "model_wiring", "unknown_op", problem=problem, remedy=remedy)


def kernel_missing(model: OnnxFile, resolved: ResolvedNode, types: str, running: Sequence[int], limit: int) -> Fact:
    """Return the fault of a node that no kernel runs with the types of its tensors.

    `types` is the text of these types, `running` are the versions of the op that a kernel runs with them, and `limit`
    is the newest opset of the release.
    """
    return node_refused(
        resolved,
        "model_kernel_missing",
        "not_implemented",
        types=types,
        remedy=_kernel_remedy(model, resolved, running, limit),
    )


def _kernel_remedy(model: OnnxFile, resolved: ResolvedNode, running: Sequence[int], limit: int) -> str:
    """Return the remedy for a missing kernel: the nearest opset in which a kernel runs the node."""
    domain, op, since = split_identity(resolved.op)
    start = conversion.imported_opset(model)
    if not running or start is None or domain_title(domain) != DEFAULT:
        return "use types that the release runs the op with, or a release that has the kernel"
    later = [version for version in running if version > since]
    if not later:
        newest = next(version for version in reversed(conversion.op_versions(op)) if version <= since)
        return conversion.remedy(model, newest - 1)
    # Whether a kernel runs every version of the op from that one on.
    has_all = [version for version in conversion.op_versions(op) if later[0] <= version <= limit] == later
    return conversion.remedy(model, later[0], " or later" if has_all else "")


def not_imported(resolved: ResolvedNode) -> Fact:
    """Return the fault of a node whose domain its graph does not import."""
    problem = f"is of the domain {domain_title(resolved.node.domain)}, which is not imported"
    return node_refused(resolved, "model_wiring", "opset", problem=problem, remedy=add_import(resolved.node.domain))


def deprecated(model: OnnxFile, resolved: ResolvedNode) -> Fact:
    """Return the fault of a node whose op version is deprecated."""
    _, _, since = split_identity(resolved.op)
    is_default = domain_title(resolved.node.domain) == DEFAULT and conversion.imported_opset(model) is not None
    explanation = conversion.remedy(model, since - 1) if is_default else "export the model again"
    facts = {"since": since, "producer": resolved.imported, "explanation": explanation}
    return node_refused(resolved, "model_op_deprecated", "deprecated").replace(facts=facts)
