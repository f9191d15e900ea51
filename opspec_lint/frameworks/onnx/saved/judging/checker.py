"""`onnx.checker.check_model`, without `full_check`: versions, names, and whether each node is as its schema says.

It looks at no types, and takes the newest schema that it has for an opset that it does not know (onnx/checker.cc;
measured with 1.12.0 to 1.23.2). An op of a domain that is neither ONNX's nor known to it is not looked up.
"""

from __future__ import annotations

from opspec_lint.frameworks.onnx.saved.files.messages import text
from opspec_lint.frameworks.onnx.saved.judging import conformity
from opspec_lint.frameworks.onnx.saved.judging.faults import of_model, of_node
from opspec_lint.frameworks.onnx.saved.judging.place import Release, is_whole
from opspec_lint.frameworks.onnx.saved.judging.recursion import Calls
from opspec_lint.frameworks.onnx.saved.judging.wiring import Names
from opspec_lint.models.files import BrokenModelError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.frameworks.onnx.saved.files.reading import GraphFile, ModelFile
    from opspec_lint.frameworks.onnx.saved.judging.place import Place
    from opspec_lint.models.model import Model
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec

_STANDARD = ("", "ai.onnx", "ai.onnx.ml", "ai.onnx.training")
"""The domains whose ops have to be known."""
_EXPERIMENTAL = (
    *("ATen", "Affine", "ConstantFill", "Crop", "DynamicSlice", "GRUUnit", "GivenTensorFill", "ImageScaler"),
    *("ParametricSoftplus", "Scale", "ScaledTanh"),
)
"""Ops that were never published, and that are passed over."""
_IMPORTS_SINCE = 3
"""The IR version from which on models import opsets."""
_WEIGHTS_ARE_INPUTS = 3
"""The last IR version in which each weight is an input as well."""
_FUNCTIONS_SINCE = 8
_PLAIN = {"tensor_type": True, "sequence_type": False, "map_type": False, "sparse_tensor_type": True}
_PLAIN |= {"optional_type": False}
"""The kinds of types, each with whether it has to state a shape."""


def faults_of(model: Model[ModelFile], spec: Spec) -> Iterator[Fact]:
    """Yield what the checker refuses.

    Raises:
        BrokenModelError: a node cannot be decoded.
    """
    found = model.content
    yield from _header(found, spec)
    release, names, calls = Release(spec), Names(found), Calls(found)
    for graph in found.graphs:
        try:
            places = list(release.places(graph, found))
        except ValueError as error:
            raise BrokenModelError(model.file, str(error), advice="is it complete?") from None
        calls.enter(graph, places)
        faults = [*_of_graph(graph, found), *names.faults_of(graph, places)]
        faults += (fault for place in places for fault in _of_node(place))
        if _is_looked_at(graph, found):
            yield from faults
    if (found.ir_version or 0) >= _FUNCTIONS_SINCE:
        yield from calls.refused_by_checker(spec)


def _is_looked_at(graph: GraphFile, model: ModelFile) -> bool:
    """Tell whether the checker looks at a graph: at functions from an IR version on, at those of training never."""
    while graph.within is not None:
        graph = model.graphs[graph.within]
    if graph.opsets is not None:
        return (model.ir_version or 0) >= _FUNCTIONS_SINCE
    return not graph.name


def _header(model: ModelFile, spec: Spec) -> Iterator[Fact]:
    version, most = model.ir_version or 0, spec.loading.get("ir_version")
    if not version:
        yield of_model("model_graph_version", "ir_version", "ir_version", "has no IR version")
    elif type(most) is int and version > most:
        problem = f"has IR version {version}, and the release takes {most} at most"
        yield of_model("model_graph_version", "ir_version", "ir_version", problem)
    if not is_whole(model):
        yield of_model("model_header", "graph", "graph_name", "it has no graph")
    if version >= _IMPORTS_SINCE and not model.opsets:
        yield of_model("model_header", "opset_import", "opset", "it imports no opset")
    elif 0 < version < _IMPORTS_SINCE and model.opsets:
        problem = f"it imports an opset, which models of IR version {version} do not"
        yield of_model("model_header", "opset_import", "opset", problem)


def _of_graph(graph: GraphFile, model: ModelFile) -> Iterator[Fact]:
    if not graph.own_name:
        yield of_model("model_header", "graph.name", "graph_name", f"the graph '{graph.name}' has no name")
    inputs = {text(each.name) for each in graph.inputs}
    for each in graph.initializers:
        if not each.name or not each.data_type:
            yield of_model("model_header", each.name, "tensor", "a weight has no name or no type")
        elif (model.ir_version or 0) <= _WEIGHTS_ARE_INPUTS and each.name not in inputs:
            yield of_model("model_header", each.name, "tensor", f"the weight '{each.name}' is no input of the graph")
    if not graph.name:
        for value in (*graph.inputs, *graph.outputs):
            if not _is_typed(value):
                problem = f"the input or output '{text(value.name)}' has no type, or no shape"
                yield of_model("model_header", text(value.name), "type", problem)


def _is_typed(value: Any) -> bool:
    """Tell whether a value states its type, and a tensor its shape, be it empty."""
    kinds = [(name, has_shape) for name, has_shape in _PLAIN.items() if value.type.HasField(name)]
    return any(not has_shape or getattr(value.type, name).HasField("shape") for name, has_shape in kinds)


def _of_node(place: Place) -> Iterator[Fact]:
    node = place.node
    if place.imported is None:
        yield of_node(place, "model_op_unknown", "unknown_op")
        return
    yield from conformity.own_faults(place)
    if node.domain in _STANDARD[:2] and node.op in _EXPERIMENTAL:
        return
    if place.schema is None:
        if node.domain in _STANDARD:
            yield of_node(place, "model_op_unknown", "unknown_op")
    elif place.schema.get("deprecated") is True:
        since, instead = place.op.rpartition("@")[2], "export the model again"
        facts = {"since": since, "producer": place.imported, "explanation": instead}
        yield of_node(place, "model_op_deprecated", "deprecated").but(facts=facts)
    else:
        yield from conformity.faults_of(place, place.schema)
