"""The format of IR models: `NAME.xml` describes layers and edges, `NAME.bin` beside it has the weights.

The model is read as by `parse_generic_params` in src/frontends/ir/src/ir_deserializer.cpp of OpenVINO.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from opspec_lint.kit.errors import InputError
from opspec_lint.kit.record import Record
from opspec_lint.models.format import Candidate, ModelFormat
from opspec_lint.models.model import Graph, MetaGraph, Model, Node, Nodes, Signature, Tensor

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

BEGINNING = re.compile(rb"(\xef\xbb\xbf)?\s*(<\?xml[^>]*\?>)?\s*(<!--.*?-->\s*)*<net[\s>]", re.DOTALL)
EDGE = ("from-layer", "from-port", "to-layer", "to-port")
BODIES = ("body", "then_body", "else_body")
"""The elements of a layer that contain the layers and edges of a subgraph."""
ALIASES = {"Const": "Constant", "PReLU": "PRelu", "ReLU": "Relu", "SoftMax": "Softmax"}
"""The types that the reader of OpenVINO translates (`translate_type_name`)."""


class Net(Record):
    """The layers of a graph by id, the tensors at their ports, and the subgraphs in them.

    A tensor is called `LAYER:PORT`. An input of a layer is called like its port, and has the tensors of the edges to
    it: a valid file has one. A tensor has no `dtype` where the file states none, as for inputs in older files.
    """

    layers: dict[int, Node]
    tensors: dict[str, Tensor]
    bodies: dict[int, tuple[Net, ...]]


def claims(candidate: Candidate) -> bool:
    """Return True if a file begins with the element of a network."""
    return candidate.is_file and BEGINNING.match(candidate.head) is not None


def read(candidate: Candidate) -> Model[Net]:
    """Return the model in a file. Raises InputError if it is no network in XML."""
    from opspec_lint.documents.xml_text import parse_xml

    root = parse_xml(candidate.data, candidate.path)
    try:
        net, ir_version = read_net(root), int(root.get("version", "0"))
    except (KeyError, ValueError, RecursionError) as error:
        problem = f"lacks the value {error}" if isinstance(error, KeyError) else str(error)
        raise InputError(candidate.path, f"is no network: {problem}", advice="save the model again") from None
    # The element has the name of a build, such as 2023.3.0-13775-ceeafaf64f3.
    saved_by = root.find("rt_info/Runtime_version")
    release = None if saved_by is None else re.match(r"\d{4}\.\d+(?:\.\d+)?", saved_by.get("value", ""))
    weights = os.path.splitext(candidate.path)[0] + ".bin"
    sizes = {"graph": len(candidate.view)} | ({"weights": os.path.getsize(weights)} if os.path.isfile(weights) else {})
    meta_graph = MetaGraph(
        written_by=release[0] if release else None,
        producer=ir_version,
        graphs=tuple(graphs_of(net)),
        signatures=(signature_of(net),),
    )
    return Model(file=candidate.path, meta_graphs=(meta_graph,), measure=lambda: sizes, content=net)


def read_net(element: Element) -> Net:
    """Return the layers of an element, with the subgraphs in them."""
    edges: dict[int, dict[str, list[str]]] = {}
    for edge in element.iterfind("edges/edge"):
        source, port, layer, target = (int(edge.attrib[key]) for key in EDGE)
        edges.setdefault(layer, {}).setdefault(str(target), []).append(f"{source}:{port}")
    net = Net(layers={}, tensors={}, bodies={})
    for part in element.iterfind("layers/layer"):
        identity, kind, data = int(part.attrib["id"]), part.attrib["type"], part.find("data")
        taken = [read_port(port, identity, port.get("precision")) for port in part.iterfind("input/port")]
        made = [read_port(port, identity, port.attrib["precision"]) for port in part.iterfind("output/port")]
        net.tensors.update({tensor.name: tensor for tensor in taken + made})
        # Behind the inputs that have ports come those that have only edges.
        inputs: dict[str, list[str]] = {tensor.name.partition(":")[2]: [] for tensor in taken} | edges.get(identity, {})
        net.layers[identity] = Node(
            name=part.attrib["name"] or f"{kind}#{identity}",
            op=f"{part.attrib['version']}.{ALIASES.get(kind, kind)}",
            inputs=tuple((port, tuple(tensors)) for port, tensors in inputs.items()),
            outputs=(("", tuple(tensor.name for tensor in made)),),
            attrs={} if data is None else dict(data.attrib),
        )
        net.bodies[identity] = tuple(read_net(body) for name in BODIES for body in part.iterfind(name))
    return net


def read_port(port: Element, layer: int, dtype: str | None) -> Tensor:
    """Return the tensor at a port, with -1 for a dimension that is not fixed; the reader takes no smaller one."""
    shape = tuple(int(dim.text or "") for dim in port.iterfind("dim"))
    if min(shape, default=0) < -1:
        raise ValueError(f"a port has the dimension {min(shape)}")
    return Tensor(name=f"{layer}:{int(port.attrib['id'])}", dtype=dtype, shape=shape)


def graphs_of(net: Net, name: str = "", within: int | None = None, before: int = 0) -> Iterator[Graph]:
    """Yield the graphs of a model, each after the one that contains it; `before` is the number of those yielded."""
    nodes = Nodes(tuple(net.layers.values()), lambda layer, _: layer, lambda layer: layer.op)
    yield Graph(name=name, nodes=nodes, within=within, state=lambda: net.tensors)
    count = before + 1
    for identity, bodies in net.bodies.items():
        for number, body in enumerate(bodies):
            for graph in graphs_of(body, f"{net.layers[identity].name}/{number}", before, count):
                count += 1
                yield graph


def signature_of(net: Net) -> Signature:
    """Return the parameters and results of a model as its signature."""
    layers = net.layers.values()
    made = {layer.name: layer.outputs for layer in layers if layer.op.endswith(".Parameter")}
    taken = {layer.name: layer.inputs for layer in layers if layer.op.endswith(".Result") and layer.inputs}
    inputs, outputs = (
        {name: net.tensors[end] for name, ((_, ends), *_) in side.items() for end in ends[:1] if end in net.tensors}
        for side in (made, taken)
    )
    return Signature(key="model", inputs=inputs, outputs=outputs)


MODEL_FORMAT = ModelFormat(summary="OpenVINO's IR (NAME.xml)", claims=claims, read=read)
