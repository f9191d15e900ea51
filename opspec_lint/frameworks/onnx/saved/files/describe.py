"""What is to be said of an ONNX model, in the words of the model that all frameworks share."""

from __future__ import annotations

from opspec_lint.frameworks.onnx.saved.files import reading
from opspec_lint.frameworks.onnx.saved.files.messages import text, type_name
from opspec_lint.models.model import Asset, Graph, MetaGraph, Node, Nodes, Signature, Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from opspec_lint.frameworks.onnx.saved.files.reading import GraphFile, Initializer, ModelFile

DOMAIN = "ai.onnx"
"""What the domain of ONNX itself, which is written as "", is called."""


def of_model(model: ModelFile) -> MetaGraph:
    """Return the description of a model."""
    main = model.graphs[0] if model.graphs and not model.graphs[0].name else reading.GraphFile()
    weights = [each for graph in model.graphs for each in graph.initializers]
    return MetaGraph(
        written_by=" ".join(each for each in (model.producer, model.producer_version) if each) or None,
        producer=model.ir_version,
        opsets={domain or DOMAIN: version for domain, version in model.opsets},
        graphs=tuple(map(_graph, model.graphs)),
        signatures=_signatures(main),
        variables=tuple(map(_weight, weights)),
        assets=tuple(_assets(weights)),
    )


def _graph(graph: GraphFile) -> Graph:
    nodes = Nodes(graph.nodes, _node, _op)
    return Graph(name=graph.name, nodes=nodes, within=graph.within, state=lambda: _stated(graph))


def _stated(graph: GraphFile) -> dict[str, Tensor]:
    values = map(_tensor, (*graph.values, *graph.outputs, *graph.inputs))
    return {each.name: each for each in (*values, *map(_weight, graph.initializers))}


def sizes(model: ModelFile, whole: int) -> dict[str, int]:
    """Return the bytes of a model in a file of `whole` bytes: the weights in it, and the rest."""
    weights = sum(each.size for graph in model.graphs for each in graph.initializers)
    return {"graph": max(0, whole - weights), "weights_in_graph": weights}


def remarks(model: ModelFile) -> tuple[str, ...]:
    """Return the remarks for the user of a model who might expect otherwise."""
    domains = [domain or DOMAIN for domain, _ in model.opsets]
    twice = sorted({each for each in domains if domains.count(each) > 1})
    said = [f"the domain {each} is imported more than once: the last import is shown" for each in twice]
    if not model.opsets:
        said.append("the model imports no operator set, so the versions of its ops are unknown")
    return tuple(said)


def _op(data: memoryview) -> str:
    found = reading.node(data)
    return reading.qualified(text(found.domain), text(found.op_type), text(found.overload))


def _node(data: memoryview, place: int) -> Node:
    found = reading.node(data)
    op = _op(data)
    return Node(
        name=text(found.name) or f"{op}#{place}",
        op=op,
        inputs=(("", tuple(map(text, found.input))),),
        outputs=(("", tuple(map(text, found.output))),),
        attrs={text(each.name): _value(each) for each in map(reading.attribute, found.attribute)},
    )


def _value(attr: Any) -> Any:
    """Return the value of an attribute; of tensors and graphs, what they are."""
    if attr.ref_attr_name:
        return {"ref": text(attr.ref_attr_name)}
    plain = {1: attr.f, 2: attr.i, 3: text(attr.s), 6: list(attr.floats), 7: list(attr.ints)}
    if attr.type in plain:
        return plain[attr.type]
    if attr.type == _STRINGS:
        return list(map(text, attr.strings))
    return {"type": _TYPES.get(attr.type, str(attr.type))}


_STRINGS = 8
_TYPES = {4: "tensor", 5: "graph", 9: "tensors", 10: "graphs", 11: "sparse_tensor", 12: "sparse_tensors"} | {
    13: "type",
    14: "types",
}
"""The types of attributes whose values are not shown."""


def _signatures(graph: GraphFile) -> tuple[Signature, ...]:
    """Return the one signature of a model: before IR version 4, a weight is an input as well, and is left out."""
    weights = {each.name for each in graph.initializers}
    inputs = {each.name: each for each in map(_tensor, graph.inputs) if each.name not in weights}
    outputs = {each.name: each for each in map(_tensor, graph.outputs)}
    return (Signature(key="", inputs=inputs, outputs=outputs),) if inputs or outputs else ()


def _tensor(value: Any) -> Tensor:
    name, kind = text(value.name), value.type
    words = []
    for _ in range(_MAX_TYPES):
        if kind.HasField("sequence_type"):
            words.append("sequence")
            kind = kind.sequence_type.elem_type
        elif kind.HasField("optional_type"):
            words.append("optional")
            kind = kind.optional_type.elem_type
        elif kind.HasField("map_type"):
            words.append(f"map of {type_name(kind.map_type.key_type)} to")
            kind = kind.map_type.value_type
        else:
            break
    if kind.HasField("sparse_tensor_type"):
        words.append("sparse")
    found = kind.sparse_tensor_type if kind.HasField("sparse_tensor_type") else kind.tensor_type
    dtype = type_name(found.elem_type) if found.elem_type else None
    shape = tuple(map(_size, found.shape.dim)) if found.HasField("shape") else None
    return Tensor(name=name, dtype=dtype, shape=shape, encoding=" ".join(words) or "name", code=found.elem_type or None)


_MAX_TYPES = 100
"""How deep types stand in one another at most: protobuf decodes no more."""


def _size(dimension: Any) -> int:
    return int(dimension.dim_value) if dimension.WhichOneof("value") == "dim_value" else -1


def _weight(each: Initializer) -> Tensor:
    return Tensor(name=each.name, dtype=type_name(each.data_type), shape=each.dims, code=each.data_type)


def _assets(weights: Iterable[Initializer]) -> Iterable[Asset]:
    """Yield the files that weights lie in, each once, with the first weight."""
    first: dict[str, str] = {}
    for each in weights:
        if each.file is not None:
            first.setdefault(each.file, each.name)
    return (Asset(file=file, tensor=tensor) for file, tensor in first.items())
