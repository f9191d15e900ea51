"""The format of IR models: NAME.xml, with the weights in NAME.bin beside it, which are not read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opspec_lint.models.format import Candidate, ModelFormat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.models.model import Graph, Model, Node, Signature, Tensor
    from opspec_lint_openvino.saved.ir import IrFile, Layer, Net


def claims(candidate: Candidate) -> bool:
    """Return True if a file begins with the element of a network."""
    from opspec_lint_openvino.saved import ir

    return candidate.is_file and ir.is_model(candidate.head)


def read(candidate: Candidate) -> Model[IrFile]:
    """Return the model in a file. Raises InputError if it cannot be read."""
    from opspec_lint.models.model import MetaGraph, Model
    from opspec_lint_openvino.saved import ir

    content = ir.read(candidate.path, candidate.data)
    named = {layer.version for layer in layers_of(content.net)}
    numbers = sorted(int(version[5:]) for version in named if version[5:].isdecimal())
    meta_graph = MetaGraph(
        written_by=content.written_by,
        producer=content.ir_version,
        opsets={f"opset{number}": number for number in numbers},
        graphs=tuple(graphs_of(content.net)),
        signatures=(signature_of(content.net),),
    )
    sizes = {"graph": len(candidate.view), "weights": content.weights or 0}
    return Model(file=candidate.path, meta_graphs=(meta_graph,), measure=lambda: sizes, content=content)


def layers_of(net: Net) -> Iterator[Layer]:
    """Yield the layers of a graph, and those in its subgraphs."""
    for layer in net.layers.values():
        yield layer
        for body in layer.bodies:
            yield from layers_of(body)


def graphs_of(net: Net, name: str = "", within: int | None = None, before: int = 0) -> Iterator[Graph]:
    """Yield the graphs of a model, each after the one that contains it."""
    from opspec_lint.models.model import Graph, Nodes

    layers = tuple(net.layers.values())
    yield Graph(
        name=name, nodes=Nodes(layers, to_node, lambda layer: layer.op), within=within, state=lambda: tensors_in(net)
    )
    count = 1
    for layer in layers:
        for number, body in enumerate(layer.bodies):
            inner = list(graphs_of(body, f"{layer.name}/{number}", before, before + count))
            count += len(inner)
            yield from inner


def to_node(layer: Layer, index: int) -> Node:
    """Return a layer in the common form."""
    from opspec_lint.models.model import Node

    taken = tuple(f"{source}:{port}" for source, port, _ in layer.edges)
    made = tuple(f"{layer.id}:{port.id}" for port in layer.outputs)
    name = layer.name or f"{layer.op}#{index}"
    return Node(name=name, op=layer.op, inputs=(("", taken),), outputs=(("", made),), attrs=layer.data)


def tensors_in(net: Net) -> dict[str, Tensor]:
    """Return the tensors of a graph, by layer and port."""
    from opspec_lint.models.model import Tensor

    return {
        f"{layer.id}:{port.id}": Tensor(name=f"{layer.id}:{port.id}", dtype=port.dtype, shape=port.shape)
        for layer in net.layers.values()
        for port in layer.outputs
    }


def signature_of(net: Net) -> Signature:
    """Return the parameters and results of a model as its signature."""
    from opspec_lint.models.model import Signature

    tensors = tensors_in(net)
    layers = net.layers.values()
    made = {layer.name: f"{layer.id}:0" for layer in layers if layer.type == "Parameter"}
    taken = {layer.name: f"{edge[0]}:{edge[1]}" for layer in layers if layer.type == "Result" for edge in layer.edges}
    inputs, outputs = (
        {name: tensors[tensor] for name, tensor in side.items() if tensor in tensors} for side in (made, taken)
    )
    return Signature(key="model", inputs=inputs, outputs=outputs)


MODEL_FORMAT = ModelFormat(summary="OpenVINO's IR (NAME.xml)", claims=claims, read=read)
