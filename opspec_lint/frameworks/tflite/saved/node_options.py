"""The checks of kernels that compare options, shapes and types of the inputs of a node (`Prepare` in kernels/).

Covered are SQUEEZE, PACK, UNPACK and GATHER; of types, only int16 by int8 in BATCH_MATMUL. The kernel of an op such as
CONCATENATION checks as much, but the delegate for XNNPACK, which newer releases apply first, takes such a node without
a check (measured). The interpreter computes the shapes of results, so a shape that the file states for one does not
decide: only the shapes of constants and of inputs of the first subgraph do.
"""

from __future__ import annotations

from opspec_lint.frameworks.tflite.compare.releases import is_since
from opspec_lint.frameworks.tflite.saved import codes, reading
from opspec_lint.kit.record import Record
from opspec_lint.models.fault import not_judged, op_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from opspec_lint.frameworks.tflite.saved.reading import ModelFile, Subgraph
    from opspec_lint.models.flatbuffer import Table
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Spec

    Shape: TypeAlias = tuple[int, ...]

_REFUSED: EventId = "model_node_refused"
_MULTIPLIES_INT16_BY_INT8 = (2, 2)
"""The first LiteRT whose BATCH_MATMUL takes these types (batch_matmul.cc; measured from TensorFlow 2.10.1 to LiteRT
2.3.0, with and without the delegate for XNNPACK)."""
_BLOCKWISE = 2
"""The number of `BlockwiseQuantization` in the union `QuantizationDetails`."""
_READ_BLOCKWISE = ("FULLY_CONNECTED",)
"""The ops whose kernel reads block-wise quantization, since TensorFlow 2.20 and LiteRT 1.4 (interpreter_builder.cc)."""
_MOST_DIMENSIONS = 8
"""The maximal number of dimensions of an input of SQUEEZE (squeeze.cc)."""


class _Node(Record):
    """A node: its options, the shapes of its inputs, and the number of its outputs."""

    options: Table
    shapes: Sequence[Shape]
    outputs: int


def node_faults(model: ModelFile) -> Iterator[Fact]:
    """Yield the faults of nodes in the first subgraph, whose inputs have the shapes that the file states."""
    graph = model.subgraphs[0]
    stated = {*graph.inputs, *(index for index, tensor in enumerate(graph.tensors) if tensor.weights)}
    for place in graph.operators:
        operator = reading.operator(model.data, place)
        op = model.codes[operator.code].name if operator.code < len(model.codes) else ""
        if op not in _CHECKS or operator.options is None or not _are_given(operator.inputs, graph):
            continue
        options_type, check = _CHECKS[op]
        # The accessor of a FlatBuffers union returns null for another type: its slots are other fields.
        if operator.options_type != options_type:
            continue
        shapes = [graph.tensors[index].sizes for index in operator.inputs]
        problem = check(_Node(options=operator.options, shapes=shapes, outputs=len(operator.outputs)))
        if problem is None:
            continue
        if stated.issuperset(operator.inputs):
            yield op_fault(_REFUSED, op, "refused", "shape", problem=problem)
        else:
            problem = f"by the stated shapes, {problem} in a node of '{op}', but the interpreter computes them itself"
            remedy = "allocate the tensors of the model with the release itself"
            yield op_fault("model_not_judged", op, "cannot_tell", problem=problem, remedy=remedy)


def type_faults(model: ModelFile, spec: Spec) -> Iterator[Fact]:
    """Yield the faults of nodes in the first subgraph whose kernel refuses the types of their inputs."""
    graph = model.subgraphs[0]
    if is_since(spec, None, litert=_MULTIPLIES_INT16_BY_INT8):
        return
    for place in graph.operators:
        operator = reading.operator(model.data, place)
        op = model.codes[operator.code].name if operator.code < len(model.codes) else ""
        if op == "BATCH_MATMUL" and _are_given(operator.inputs, graph):
            types = [codes.type_name(graph.tensors[index].type) for index in operator.inputs]
            if types == ["int16", "int8"]:
                problem = "it multiplies int16 by int8, which LiteRT does since 2.2.0, and TensorFlow in no release"
                yield op_fault(_REFUSED, op, "refused", "types", problem=problem)


def blockwise_faults(model: ModelFile, spec: Spec) -> Iterator[Fact]:
    """Yield the nodes with an input of block-wise quantization that their kernel does not read.

    A kernel that takes such an input for one without scales may compute, fail or crash (measured: all three).
    """
    readers = _READ_BLOCKWISE if is_since(spec, (2, 20), litert=(1, 4)) else ()
    for graph in model.subgraphs:
        blockwise = {
            index
            for index, tensor in enumerate(graph.tensors)
            if tensor.quantization is not None and tensor.quantization.details == _BLOCKWISE
        }
        if not blockwise:
            continue
        for place in graph.operators:
            operator = reading.operator(model.data, place)
            op = model.codes[operator.code].name if operator.code < len(model.codes) else ""
            given = blockwise.intersection(operator.inputs)
            if given and op not in readers:
                problem = f"the kernel of '{op}' does not read the block-wise quantization of %{min(given)}"
                yield not_judged(op, problem, "load the model with the release itself", op=op)


def _are_given(inputs: Sequence[int], graph: Subgraph) -> bool:
    """Return whether a node has inputs, and each is a tensor of the subgraph: no optional one is omitted."""
    return bool(inputs) and all(0 <= index < len(graph.tensors) for index in inputs)


def _axis_problem(axis: int, rank: int, shape: Shape) -> str | None:
    """Return the problem of an axis that a shape of the given rank does not have, None for a valid one."""
    return None if -rank <= axis < rank else f"its axis {axis} is not one of the shape {list(shape)}"


def _squeeze(node: _Node) -> str | None:
    """Return the problem of a SQUEEZE, None if it passes squeeze.cc."""
    shape = node.shapes[0]
    if len(shape) > _MOST_DIMENSIONS:
        return f"it squeezes a shape of {len(shape)} dimensions, and {_MOST_DIMENSIONS} is the limit"
    for axis in node.options.ints(0):
        if not -len(shape) <= axis < len(shape) or shape[axis] != 1:
            return f"it squeezes the dimension {axis} of the shape {list(shape)}, which is not 1"
    return None


def _pack(node: _Node) -> str | None:
    """Return the problem of a PACK, None if it passes pack.cc."""
    first = node.shapes[0]
    count, axis = (node.options.scalar(slot, "int") for slot in (0, 1))
    if count != len(node.shapes):
        return f"its `values_count` is {count}, and it has {len(node.shapes)} inputs"
    for shape in node.shapes[1:]:
        if shape != first:
            return f"it packs the shapes {list(first)} and {list(shape)}"
    # The axis is one of the result, which has one dimension more than the inputs.
    return _axis_problem(axis, len(first) + 1, first)


def _unpack(node: _Node) -> str | None:
    """Return the problem of an UNPACK, None if it passes unpack.cc."""
    shape = node.shapes[0]
    count, axis = (node.options.scalar(slot, "int") for slot in (0, 1))
    if problem := _axis_problem(axis, len(shape), shape):
        return problem
    if count != node.outputs or shape[axis] != count:
        return f"it unpacks the axis {axis} of the shape {list(shape)} to {node.outputs} outputs, and `num` is {count}"
    return None


def _gather(node: _Node) -> str | None:
    """Return the problem of a GATHER, None if its axis passes gather.cc."""
    return _axis_problem(node.options.scalar(0, "int"), len(node.shapes[0]), node.shapes[0])


_CHECKS: Mapping[str, tuple[int, Callable[[_Node], str | None]]] = {
    "GATHER": (23, _gather),
    "PACK": (59, _pack),
    "SQUEEZE": (30, _squeeze),
    "UNPACK": (64, _unpack),
}
"""The number of the options in `BuiltinOptions`, and the check, by op."""
