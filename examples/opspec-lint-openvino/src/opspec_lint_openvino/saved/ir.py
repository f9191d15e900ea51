"""The reader of IR files: `NAME.xml` describes layers and edges, `NAME.bin` beside it has the weights."""

import os
import re
from xml.etree import ElementTree

from opspec_lint.kit.errors import InputError
from opspec_lint.kit.record import Record

BODIES = ("body", "then_body", "else_body")
"""The elements of a layer that contain the layers and edges of a subgraph."""
ALIASES = {"Const": "Constant", "PReLU": "PRelu", "ReLU": "Relu", "SoftMax": "Softmax"}
"""The types that the reader of OpenVINO translates (`translate_type_name` in ir_deserializer.cpp)."""


class Layer(Record):
    """A layer: the ids of its ports, and for each input port the source `(layer, port)`, None without an edge."""

    id: str
    name: str
    type: str
    version: str
    data: dict[str, str]
    inputs: tuple[tuple[str, tuple[str, str] | None], ...]
    outputs: dict[str, tuple[str, tuple[int, ...]]]
    bodies: tuple["Net", ...] = ()

    @property
    def op(self) -> str:
        """The class of the op as the file names it."""
        return f"{self.version}.{ALIASES.get(self.type, self.type)}"


class Net(Record):
    """The layers of a graph or of a subgraph; `loose` are edges from or to a port that does not exist."""

    layers: tuple[Layer, ...]
    loose: tuple[str, ...] = ()


class IrFile(Record):
    """A model: `ir_version` is None if the file states none, `weights` the size of the .bin, None without one."""

    net: Net
    ir_version: int | None
    written_by: str | None
    weights: int | None


def is_model(head):
    """Return True if the first bytes of a file begin with the element of a network."""
    return (
        re.match(rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*\?>)?\s*(?:<!--.*?-->\s*)*<net[\s>]", head, re.DOTALL) is not None
    )


def read(path, data):
    """Return the model in a file. Raises InputError if it is no network in XML."""
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise InputError(path, "declares entities, which a model never does", advice="save the model again")
    try:
        root = ElementTree.fromstring(data)  # noqa: S314 - without declarations, there is nothing to expand
        version = root.get("version")
        written = root.find("rt_info/Runtime_version")
        return IrFile(
            net=read_net(root),
            ir_version=None if version is None else int(version),
            written_by=None if written is None else release_in(written.get("value", "")),
            weights=size_of(os.path.splitext(path)[0] + ".bin"),
        )
    except ElementTree.ParseError as error:
        raise InputError(path, f"is not XML: {error}", advice="is the file complete?") from None
    except (KeyError, ValueError, RecursionError) as error:
        problem = f"lacks the value {error}" if isinstance(error, KeyError) else str(error)
        raise InputError(path, f"is no network: {problem}", advice="save the model again") from None


def release_in(text):
    """Return the release in the name of a build such as `2023.3.0-13775-ceeafaf64f3`, None if there is none."""
    match = re.match(r"\d{4}\.\d+(?:\.\d+)?", text)
    return None if match is None else match[0]


def size_of(path):
    """Return the size of a file, None if there is no such file."""
    return os.path.getsize(path) if os.path.isfile(path) else None


def read_net(element):
    """Return the layers of an element and of the subgraphs in it."""
    sources, targets = {}, {}
    for edge in element.iterfind("edges/edge"):
        target = edge.attrib["to-layer"], edge.attrib["to-port"]
        sources[target] = edge.attrib["from-layer"], edge.attrib["from-port"]
    layers = tuple(read_layer(layer, sources) for layer in element.iterfind("layers/layer"))
    for layer in layers:
        targets[layer.id] = {port for port, _ in layer.inputs}, set(layer.outputs)
    none = (set(), set())
    loose = [
        f"{source[0]}:{source[1]} -> {target[0]}:{target[1]}"
        for target, source in sources.items()
        if target[1] not in targets.get(target[0], none)[0] or source[1] not in targets.get(source[0], none)[1]
    ]
    return Net(layers=layers, loose=tuple(loose))


def read_layer(element, sources):
    """Return a layer, given the source of each input port."""
    identity, data = element.attrib["id"], element.find("data")
    ports = [port.attrib["id"] for port in element.iterfind("input/port")]
    return Layer(
        id=identity,
        name=element.get("name", ""),
        type=element.attrib["type"],
        version=element.attrib["version"],
        data={} if data is None else dict(data.attrib),
        inputs=tuple((port, sources.get((identity, port))) for port in ports),
        outputs={port.attrib["id"]: tensor_of(port) for port in element.iterfind("output/port")},
        bodies=tuple(read_net(body) for name in BODIES for body in element.iterfind(name)),
    )


def tensor_of(port):
    """Return the type and the shape of a port, with -1 for a size that is not fixed."""
    return port.attrib["precision"], tuple(int(dim.text or "") for dim in port.iterfind("dim"))
