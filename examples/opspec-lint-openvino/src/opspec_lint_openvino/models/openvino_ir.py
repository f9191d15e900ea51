"""The format of IR models: NAME.xml, with the weights in NAME.bin beside it, which are not read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opspec_lint.models.format import Candidate, ModelFormat
from opspec_lint.models.model import Graph, MetaGraph, Model, Node, Nodes, Signature, Tensor
from opspec_lint_openvino.saved import ir

if TYPE_CHECKING:
    from collections.abc import Iterator


def claims(candidate: Candidate) -> bool:
    """Return True if a file begins with the element of a network."""
    return candidate.is_file and ir.is_model(candidate.head)


def read(candidate: Candidate) -> Model[ir.IrFile]:
    """Return the model in a file. Raises InputError if it cannot be read."""
    content = ir.read(candidate.path, candidate.data)
    graphs = tuple(graphs_of(content.net))
    versions = {op.partition(".")[0] for graph in graphs for op in graph.distinct_ops()}
    numbers = sorted(int(version[5:]) for version in versions if version[5:].isdecimal())
    meta_graph = MetaGraph(
        written_by=content.written_by,
        producer=content.ir_version,
        opsets={f"opset{number}": number for number in numbers},
        graphs=graphs,
        signatures=(signature_of(content.net),),
    )
    sizes = {"graph": len(candidate.view), "weights": content.weights or 0}
    return Model(file=candidate.path, meta_graphs=(meta_graph,), measure=lambda: sizes, content=content)


def graphs_of(net: ir.Net, name: str = "", within: int | None = None, before: int = 0) -> Iterator[Graph]:
    """Yield the graphs of a model, each after the one that contains it; `before` is the number of those yielded."""
    layers = tuple(net.layers.values())
    nodes = Nodes(layers, to_node, lambda layer: layer.op)
    yield Graph(name=name, nodes=nodes, within=within, state=lambda: tensors_in(net))
    count = before + 1
    for layer in layers:
        for number, body in enumerate(layer.bodies):
            for graph in graphs_of(body, f"{layer.name}/{number}", before, count):
                count += 1
                yield graph


def to_node(layer: ir.Layer, index: int) -> Node:
    """Return a layer in the common form."""
    taken = tuple(f"{source}:{port}" for source, port, _ in layer.edges)
    made = tuple(f"{layer.id}:{port.id}" for port in layer.outputs)
    name = layer.name or f"{layer.op}#{index}"
    return Node(name=name, op=layer.op, inputs=(("", taken),), outputs=(("", made),), attrs=layer.data)


def tensors_in(net: ir.Net) -> dict[str, Tensor]:
    """Return the tensors of a graph, by layer and port."""
    ports = {f"{layer.id}:{port.id}": port for layer in net.layers.values() for port in layer.outputs}
    return {name: Tensor(name=name, dtype=port.dtype, shape=port.shape) for name, port in ports.items()}


def signature_of(net: ir.Net) -> Signature:
    """Return the parameters and results of a model as its signature."""
    tensors, layers = tensors_in(net), net.layers.values()
    made = {layer.name: f"{layer.id}:0" for layer in layers if layer.type == "Parameter"}
    taken = {layer.name: f"{edge[0]}:{edge[1]}" for layer in layers if layer.type == "Result" for edge in layer.edges}
    inputs, outputs = (
        {name: tensors[tensor] for name, tensor in side.items() if tensor in tensors} for side in (made, taken)
    )
    return Signature(key="model", inputs=inputs, outputs=outputs)


MODEL_FORMAT = ModelFormat(summary="OpenVINO's IR (NAME.xml)", claims=claims, read=read)
