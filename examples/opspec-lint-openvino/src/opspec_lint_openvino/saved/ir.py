"""The reader of IR files: `NAME.xml` describes layers and edges, `NAME.bin` beside it has the weights.

It follows src/frontends/ir/src/ir_deserializer.cpp of OpenVINO: each layer is parsed (`parse_generic_params`), and
those that a result needs are created (`parse_function`).
"""

from __future__ import annotations

import os
import re
from xml.etree import ElementTree

from opspec_lint.kit.errors import InputError
from opspec_lint.kit.record import Record

BODIES = ("body", "then_body", "else_body")
"""The elements of a layer that contain the layers and edges of a subgraph."""
ALIASES = {"Const": "Constant", "PReLU": "PRelu", "ReLU": "Relu", "SoftMax": "Softmax"}
"""The types that the reader of OpenVINO translates (`translate_type_name`)."""
EDGE = ("from-layer", "from-port", "to-layer", "to-port")
"""The attributes of an edge."""
OUTPUTS = ("Result", "Assign")
"""The types of the layers that keep others in the model."""


class Port(Record):
    """A port of a layer; `dtype` is "" where the file states none, as for inputs of older files."""

    id: int
    dtype: str
    shape: tuple[int, ...]


class Layer(Record):
    """A layer; `edges` are those to it, as the layer and port that they come from and the port that they lead to."""

    id: int
    name: str
    type: str
    version: str
    data: dict[str, str]
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    edges: tuple[tuple[int, int, int], ...]
    bodies: tuple[Net, ...]

    @property
    def kind(self) -> str:
        """The type as the reader looks it up."""
        return ALIASES.get(self.type, self.type)

    @property
    def op(self) -> str:
        """The class of the op as the file names it."""
        return f"{self.version}.{self.kind}"


class Net(Record):
    """The layers of a graph or of a subgraph, by id."""

    layers: dict[int, Layer]

    def created(self) -> list[int]:
        """Return the ids of the layers that the reader creates, in its order; a layer of an id may not exist."""
        kinds = {layer.id: layer.type for layer in self.layers.values()}
        order = [identity for identity, kind in kinds.items() if kind == "Parameter"]
        seen = set(order)
        stack = [(identity, False) for identity, kind in reversed(kinds.items()) if kind in OUTPUTS]
        while stack:
            identity, has_sources = stack.pop()
            if has_sources:
                order.append(identity)
            elif identity not in seen:
                seen.add(identity)
                edges = self.layers[identity].edges if identity in self.layers else ()
                stack += [(identity, True), *((source, False) for source, _, _ in reversed(edges))]
        return order


class IrFile(Record):
    """A model: `ir_version` is 0 if the file states none, `weights` the size of the .bin, None without one."""

    net: Net
    ir_version: int
    written_by: str | None
    weights: int | None


def is_model(head: bytes) -> bool:
    """Return True if the first bytes of a file begin with the element of a network."""
    return re.match(rb"(\xef\xbb\xbf)?\s*(<\?xml[^>]*\?>)?\s*(<!--.*?-->\s*)*<net[\s>]", head, re.DOTALL) is not None


def read(path: str, data: bytes) -> IrFile:
    """Return the model in a file. Raises InputError if it is no network in XML."""
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise InputError(path, "declares entities, which a model never does", advice="save the model again")
    try:
        root = ElementTree.fromstring(data)  # noqa: S314 - without declarations, there is nothing to expand
        net, ir_version = read_net(root), int(root.get("version", "0"))
    except ElementTree.ParseError as error:
        raise InputError(path, f"is not XML: {error}", advice="is the file complete?") from None
    except (KeyError, ValueError, RecursionError) as error:
        problem = f"lacks the value {error}" if isinstance(error, KeyError) else str(error)
        raise InputError(path, f"is no network: {problem}", advice="save the model again") from None
    # The element has the name of a build, such as 2023.3.0-13775-ceeafaf64f3.
    saved_by = root.find("rt_info/Runtime_version")
    release = None if saved_by is None else re.match(r"\d{4}\.\d+(?:\.\d+)?", saved_by.get("value", ""))
    weights = os.path.splitext(path)[0] + ".bin"
    return IrFile(
        net=net,
        ir_version=ir_version,
        written_by=release[0] if release else None,
        weights=os.path.getsize(weights) if os.path.isfile(weights) else None,
    )


def read_net(element: ElementTree.Element) -> Net:
    """Return the layers of an element and of the subgraphs in it."""
    edges: dict[int, list[tuple[int, int, int]]] = {}
    for edge in element.iterfind("edges/edge"):
        source, port, layer, target = (int(edge.attrib[key]) for key in EDGE)
        edges.setdefault(layer, []).append((source, port, target))
    layers = [read_layer(layer, edges) for layer in element.iterfind("layers/layer")]
    return Net(layers={layer.id: layer for layer in layers})


def read_layer(element: ElementTree.Element, edges: dict[int, list[tuple[int, int, int]]]) -> Layer:
    """Return a layer, given the edges to each."""
    identity, data = int(element.attrib["id"]), element.find("data")
    return Layer(
        id=identity,
        name=element.attrib["name"],
        type=element.attrib["type"],
        version=element.attrib["version"],
        data={} if data is None else dict(data.attrib),
        inputs=tuple(read_port(port, port.get("precision", "")) for port in element.iterfind("input/port")),
        outputs=tuple(read_port(port, port.attrib["precision"]) for port in element.iterfind("output/port")),
        edges=tuple(edges.get(identity, ())),
        bodies=tuple(read_net(body) for name in BODIES for body in element.iterfind(name)),
    )


def read_port(port: ElementTree.Element, dtype: str) -> Port:
    """Return a port, with -1 for a dimension that is not fixed; the reader takes no smaller one."""
    shape = tuple(int(dim.text or "") for dim in port.iterfind("dim"))
    if min(shape, default=0) < -1:
        raise ValueError(f"a port has the dimension {min(shape)}")
    return Port(id=int(port.attrib["id"]), dtype=dtype, shape=shape)
