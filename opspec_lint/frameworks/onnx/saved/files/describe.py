"""The conversion of an ONNX model to the form that all frameworks share (`opspec_lint.models.model`)."""

from __future__ import annotations

from functools import lru_cache

from opspec_lint.frameworks.onnx.saved.files import reading
from opspec_lint.frameworks.onnx.saved.files.messages import text, type_name
from opspec_lint.models.model import Asset, Graph, MetaGraph, Node, Nodes, Signature, Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from opspec_lint.frameworks.onnx.saved.files.reading import GraphFile, Initializer, OnnxFile

DOMAIN = "ai.onnx"
"""The name of the default domain, which files write as ""."""


def to_meta_graph(model: OnnxFile) -> MetaGraph:
    """Return a model in the common form."""
    # The main graph is the first one, and alone has no name.
    main = model.graphs[0] if model.graphs and not model.graphs[0].name else reading.GraphFile()
    weights = [weight for graph in model.graphs for weight in graph.initializers]
    return MetaGraph(
        written_by=" ".join(part for part in (model.producer, model.producer_version) if part) or None,
        producer=model.ir_version,
        opsets={domain or DOMAIN: version for domain, version in model.opsets},
        graphs=tuple(map(_to_graph, model.graphs)),
        signatures=_signatures(main),
        variables=tuple(map(_weight, weights)),
        assets=tuple(_assets(weights)),
    )


def _to_graph(graph: GraphFile) -> Graph:
    """Return a graph in the common form; its nodes are decoded on access."""
    nodes = Nodes(graph.nodes, _to_node, _op_name)
    return Graph(
        name=graph.name, nodes=nodes, within=graph.within, holder=graph.node, state=lambda: _stated_tensors(graph)
    )


def _stated_tensors(graph: GraphFile) -> dict[str, Tensor]:
    """Return the tensors whose type a graph states, by name."""
    values = map(_tensor, (*graph.values, *graph.outputs, *graph.inputs))
    return {tensor.name: tensor for tensor in (*values, *map(_weight, graph.initializers))}


def sizes(model: OnnxFile, whole: int) -> dict[str, int]:
    """Return the bytes of the weights in a model, and of the rest of a file of `whole` bytes."""
    weights = sum(weight.size for graph in model.graphs for weight in graph.initializers)
    return {"graph": max(0, whole - weights), "weights_in_graph": weights}


def remarks(model: OnnxFile) -> tuple[str, ...]:
    """Return remarks about imports that may surprise the user."""
    domains = [domain or DOMAIN for domain, _ in model.opsets]
    twice = sorted({domain for domain in domains if domains.count(domain) > 1})
    sentences = [f"the domain {domain} is imported more than once: the last import is shown" for domain in twice]
    if not model.opsets:
        sentences.append("the model imports no operator set, so the versions of its ops are unknown")
    return tuple(sentences)


def _op_name(data: memoryview) -> str:
    """Return the op of an encoded node with its domain and overload."""
    return _small_op_name(bytes(data)) if len(data) <= reading.SMALL_NODE else _decode_op_name(data)


def _decode_op_name(data: memoryview | bytes) -> str:
    node = reading.parse_node(data)
    return reading.qualified_name(text(node.domain), text(node.op_type), text(node.overload))


_small_op_name = lru_cache(maxsize=4096)(_decode_op_name)


def _to_node(data: memoryview, index: int) -> Node:
    """Return an encoded node in the common form."""
    node = reading.parse_node(data)
    op = _op_name(data)
    return Node(
        name=text(node.name) or f"{op}#{index}",
        op=op,
        inputs=(("", tuple(map(text, node.input))),),
        outputs=(("", tuple(map(text, node.output))),),
        attrs={text(attr.name): _attr_value(attr) for attr in map(reading.parse_attribute, node.attribute)},
    )


def _attr_value(attr: Any) -> Any:
    """Return the value of an attribute for display; of a tensor or graph, only its kind."""
    if attr.ref_attr_name:
        return {"ref": text(attr.ref_attr_name)}
    # By AttributeProto.AttributeType: 1 FLOAT, 2 INT, 3 STRING, 6 FLOATS, 7 INTS.
    plain = {1: attr.f, 2: attr.i, 3: text(attr.s), 6: list(attr.floats), 7: list(attr.ints)}
    if attr.type in plain:
        return plain[attr.type]
    if attr.type == _STRINGS:
        return list(map(text, attr.strings))
    return {"type": _TYPES.get(attr.type, str(attr.type))}


_STRINGS = 8
_TYPES = {
    4: "tensor",
    5: "graph",
    9: "tensors",
    10: "graphs",
    11: "sparse_tensor",
    12: "sparse_tensors",
    13: "type",
    14: "types",
}
"""The types of attributes whose values are not displayed."""


def _signatures(graph: GraphFile) -> tuple[Signature, ...]:
    """Return the one signature of a model, without the weights, which models before IR version 4 list as inputs."""
    weights = {weight.name for weight in graph.initializers}
    inputs = {tensor.name: tensor for tensor in map(_tensor, graph.inputs) if tensor.name not in weights}
    outputs = {tensor.name: tensor for tensor in map(_tensor, graph.outputs)}
    return (Signature(key="", inputs=inputs, outputs=outputs),) if inputs or outputs else ()


def _tensor(value: Any) -> Tensor:
    """Return the tensor of a ValueInfoProto; `encoding` names the sequences, maps and optionals around its type."""
    name, kind = text(value.name), value.type
    prefixes = []
    for _ in range(_MAX_TYPES):
        if kind.HasField("sequence_type"):
            prefixes.append("sequence")
            kind = kind.sequence_type.elem_type
        elif kind.HasField("optional_type"):
            prefixes.append("optional")
            kind = kind.optional_type.elem_type
        elif kind.HasField("map_type"):
            prefixes.append(f"map of {type_name(kind.map_type.key_type)} to")
            kind = kind.map_type.value_type
        else:
            break
    if kind.HasField("sparse_tensor_type"):
        prefixes.append("sparse")
    tensor_type = kind.sparse_tensor_type if kind.HasField("sparse_tensor_type") else kind.tensor_type
    dtype = type_name(tensor_type.elem_type) if tensor_type.elem_type else None
    shape = tuple(map(_size, tensor_type.shape.dim)) if tensor_type.HasField("shape") else None
    return Tensor(
        name=name, dtype=dtype, shape=shape, encoding=" ".join(prefixes) or "name", code=tensor_type.elem_type or None
    )


_MAX_TYPES = 100
"""The deepest nesting of types: protobuf decodes no more than 100 levels."""


def _size(dimension: Any) -> int:
    """Return the size of a dimension, -1 if it is symbolic or unknown."""
    return int(dimension.dim_value) if dimension.WhichOneof("value") == "dim_value" else -1


def _weight(weight: Initializer) -> Tensor:
    """Return a weight in the common form."""
    return Tensor(name=weight.name, dtype=type_name(weight.data_type), shape=weight.dims, code=weight.data_type)


def _assets(weights: Iterable[Initializer]) -> Iterable[Asset]:
    """Return the files that contain weights, with the first weight of each."""
    first: dict[str, str] = {}
    for weight in weights:
        if weight.file is not None:
            first.setdefault(weight.file, weight.name)
    return (Asset(file=file, tensor=tensor) for file, tensor in first.items())
