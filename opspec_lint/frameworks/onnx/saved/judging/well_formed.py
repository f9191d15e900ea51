"""Checks of a graph that do not depend on its ops: check_graph, check_value_info and check_tensor of onnx/checker.cc.

ONNX Runtime lets the checker look at single nodes, which includes the graphs nested in them.
"""

from __future__ import annotations

from math import prod

from opspec_lint.frameworks.onnx.saved.files import reading
from opspec_lint.frameworks.onnx.saved.files.messages import text, type_name
from opspec_lint.frameworks.onnx.saved.files.reading import RAW_DATA
from opspec_lint.frameworks.onnx.saved.judging.faults import model_refused, node_refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from opspec_lint.frameworks.onnx.saved.files.reading import GraphFile, Initializer
    from opspec_lint.frameworks.onnx.saved.judging.resolution import ResolvedNode
    from opspec_lint.spec.fact import Fact

WEIGHTS_ARE_INPUTS = 3
"""The last IR version in which every weight must be an input as well."""
_TYPE_KINDS = {
    **dict.fromkeys(("tensor_type", "sparse_tensor_type"), True),
    **dict.fromkeys(("sequence_type", "map_type", "optional_type"), False),
}
"""The fields of a TypeProto, with True if the type has to state an element type and a shape."""
_FIELDS = {
    **dict.fromkeys(("float", "complex64"), 4),
    "string": 6,
    "int64": 7,
    **dict.fromkeys(("double", "complex128"), 10),
    **dict.fromkeys(("uint32", "uint64"), 11),
}
"""The fields of a TensorProto that hold the values of a type; values of other types are in `int32_data`."""
_INT32_DATA = 5
"""The field `int32_data` of a TensorProto."""
_STATE_TYPE = "state its type and shape (onnx.shape_inference.infer_shapes does it where it can)"
_BITS = {
    **dict.fromkeys(("uint2", "int2"), 2),
    **dict.fromkeys(("uint4", "int4", "float4e2m1"), 4),
    **dict.fromkeys(("uint16", "int16", "float16", "bfloat16"), 16),
    **dict.fromkeys(("float", "int32", "uint32"), 32),
    **dict.fromkeys(("double", "int64", "uint64", "complex64"), 64),
    "complex128": 128,
}
"""The bits of an element of a type; elements of other types have 8."""


def graph_faults(graph: GraphFile, ir_version: int, *, is_main: bool) -> Iterator[Fact]:
    """Yield the faults in the names, inputs, outputs and weights of a graph."""
    if not graph.own_name:
        yield model_refused("model_header", "graph.name", "graph_name", f"the graph '{graph.name}' has no name")
    for value in (*graph.inputs, *graph.outputs):
        if not value.name:
            yield model_refused("model_header", "", "type", "an input or output has no name")
        elif is_main and not is_typed(value):
            problem = f"the input or output '{text(value.name)}' has no type, or no shape"
            yield model_refused("model_header", text(value.name), "type", problem, _STATE_TYPE)
    names = [text(value.name) for value in graph.inputs]
    yield from _duplicate_faults(names, "the input '{}' is stated twice")
    yield from _duplicate_faults((weight.name for weight in graph.initializers), "the weight '{}' is stated twice")
    for weight in graph.initializers:
        if not weight.name:
            yield model_refused("model_header", "", "tensor", "a weight has no name")
        elif ir_version <= WEIGHTS_ARE_INPUTS and weight.name not in names and not weight.is_sparse:
            problem = f"the weight '{weight.name}' is no input of the graph, as IR version {ir_version} demands"
            yield model_refused("model_header", weight.name, "tensor", problem)
        fault = tensor_problem(weight)
        if fault:
            yield model_refused("model_header", weight.name, "tensor", f"the weight '{weight.name}' {fault}")


def function_faults(function: GraphFile) -> Iterator[Fact]:
    """Yield a fault for each input or output of a function that is stated twice."""
    yield from _duplicate_faults(
        function.parameters, f"the input '{{}}' of the function '{function.name}' is stated twice"
    )
    yield from _duplicate_faults(
        function.results, f"the output '{{}}' of the function '{function.name}' is stated twice"
    )


def attribute_faults(resolved: ResolvedNode) -> Iterator[Fact]:
    """Yield a fault for each malformed tensor in the attributes of a node."""
    for attribute in resolved.node.attributes:
        tensor = [attribute.value.t] if attribute.value.t else []
        for data in (*tensor, *attribute.value.tensors):
            problem = tensor_problem(reading.parse_tensor(memoryview(data)))
            if problem:
                problem = f"has a tensor as an attribute that {problem}"
                yield node_refused(resolved, "model_wiring", "tensor", attribute.name, problem=problem)


def size_faults(weight: Initializer) -> Iterator[Fact]:
    """Yield a fault if `raw_data` of a weight is too short for its type and shape."""
    if RAW_DATA in weight.stored and weight.raw_size < raw_bytes(weight) and not weight.is_sparse:
        problem = f"the weight '{weight.name}' has {weight.raw_size} bytes of values, and needs {raw_bytes(weight)}"
        yield model_refused("model_header", weight.name, "tensor", problem)


def undefined_output_faults(graph: GraphFile, defined: set[str]) -> Iterator[Fact]:
    """Yield a fault for each output of a graph that is not among the `defined` names."""
    for value in graph.outputs:
        if text(value.name) not in defined:
            problem = f"its output '{text(value.name)}' is not an output of any node"
            yield model_refused("model_header", text(value.name), "dangling", problem)


def _duplicate_faults(names: Iterable[str], problem: str) -> Iterator[Fact]:
    """Yield a fault for each repeated name; `problem` is a format string for the name."""
    seen: set[str] = set()
    for name in names:
        if name and name in seen:
            yield model_refused("model_header", name, "name_twice", problem.format(name))
        seen.add(name)


def is_typed(value: Any) -> bool:
    """Return True if a value states its type and, if it is a tensor, element type and shape, even an empty one."""
    for name, is_tensor in _TYPE_KINDS.items():
        if value.type.HasField(name):
            kind = getattr(value.type, name)
            return not is_tensor or (kind.HasField("elem_type") and kind.HasField("shape"))
    return False


def tensor_problem(tensor: Initializer) -> str | None:
    """Return the problem in how a tensor stores its values (check_tensor), None if there is none.

    The values are not read, only whether a field has any; `size_faults` compares the size of `raw_data`.
    """
    if not tensor.data_type:
        return "has no type"
    if tensor.file is not None:
        return "lies in another file, and has values in the model, too" if tensor.stored else None
    size = prod(tensor.dims)
    if size == 0:
        return "has no elements, but values" if tensor.stored else None
    if len(tensor.stored) != 1:
        return "has no values" if not tensor.stored else "has values in more than one field"
    kind = type_name(tensor.data_type)
    if RAW_DATA in tensor.stored:
        return "is a text, and has its values in raw_data" if kind == "string" else None
    return None if tensor.stored == {_FIELDS.get(kind, _INT32_DATA)} else f"has values of another type than {kind}"


def raw_bytes(tensor: Initializer) -> int:
    """Return the bytes of `raw_data` that the type and shape of a tensor need."""
    # The two signs round up: elements of less than a byte are packed.
    return -(-prod(tensor.dims) * _BITS.get(type_name(tensor.data_type), 8) // 8)
