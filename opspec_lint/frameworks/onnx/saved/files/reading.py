"""An ONNX model from its bytes: graphs are looked through field by field, so that no weight is read or copied."""

from __future__ import annotations

from opspec_lint.frameworks.onnx.saved.files.messages import message, text
from opspec_lint.kit.record import Record
from opspec_lint.models import wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    _Inner = tuple[str, memoryview, int]
    """A graph in a node: its label, its bytes, and the place of the node."""

MAX_DEPTH = 32
"""How deep graphs may stand in nodes of graphs: protobuf takes 100 messages in one another, and a graph is three."""

_LONGEST_LABEL = 100
"""Characters of a name that graphs in a node are called by: many may stand in one."""
_MODEL = {
    1: wire.VARINT,  # ir_version
    **dict.fromkeys((2, 3, 4, 6, 7, 8, 14, 20, 25, 26), wire.BYTES),
    5: wire.VARINT,  # model_version
}
"""The fields of a model, and how they are written."""
_EXTERNAL = 1
"""The data location of a tensor that lies in another file."""


class Initializer(Record):
    """A tensor with values: its name, type, shape and bytes, and the file of its values, None for that of the model.

    `stored` are the fields of TensorProto that have values, by number, and `raw_size` the bytes of `raw_data`.
    """

    name: str
    data_type: int = 0
    dims: tuple[int, ...] = ()
    size: int = 0
    file: str | None = None
    stored: frozenset[int] = frozenset()
    raw_size: int = 0
    is_sparse: bool = False


class GraphFile(Record):
    """A graph: its nodes as they are written, its inputs and outputs (ValueInfoProto), and its weights.

    `own_name` is the name that the graph gives itself. `values` are the values within whose types it states. `within`
    is the place of the graph around it among those of the model, None for the model's own graph and for a function,
    and `node` the place of the node that it stands in. Of a function `opsets` are its imports, None for a graph,
    `domain` is None if it states none, `parameters` and `results` are the names of its inputs and outputs, and
    `defaults` its attributes that have a default value, as they are written.
    """

    name: str = ""
    own_name: str = ""
    nodes: tuple[memoryview, ...] = ()
    inputs: tuple[Any, ...] = ()
    outputs: tuple[Any, ...] = ()
    values: tuple[Any, ...] = ()
    initializers: tuple[Initializer, ...] = ()
    within: int | None = None
    node: int | None = None
    opsets: tuple[tuple[str, int], ...] | None = None
    domain: str | None = None
    parameters: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    defaults: tuple[bytes, ...] = ()


class ModelFile(Record):
    """A model: numbers and names as the file has them, and its graphs, that of the model first.

    `opsets` are the imports of the model, domain and version; each function has its own. `metadata` are the keys of
    its properties.
    """

    ir_version: int | None = None
    producer: str = ""
    producer_version: str = ""
    opsets: tuple[tuple[str, int], ...] = ()
    metadata: tuple[str, ...] = ()
    graphs: tuple[GraphFile, ...] = ()


def is_model(data: memoryview) -> bool:
    """Tell whether bytes are like a model: a version, and a graph or imports, and nothing that no model has."""
    leading = wire.leading_fields(data)
    if not leading or any(_MODEL.get(number) != kind for number, kind in leading):
        return False
    numbers = {number for number, _ in leading}
    return 1 in numbers and not numbers.isdisjoint((7, 8, 25))


def read(data: memoryview) -> ModelFile:
    """Return the model of its bytes.

    Raises:
        ValueError: the bytes are no model; the message says why.
    """
    plain: dict[int, Any] = {}
    opsets: list[tuple[str, int]] = []
    main: list[memoryview] = []
    graphs: list[tuple[str, memoryview, bool]] = []
    metadata: list[str] = []
    for number, kind, begin, end in wire.fields(data):
        if _MODEL.get(number) != kind:
            continue
        if number in (1, 5):
            plain[number] = begin
        elif number in (2, 3):
            plain[number] = text(bytes(data[begin:end]))
        elif number == 7:
            main.append(data[begin:end])
        elif number == 8:
            opsets.append(_parse_opset(data[begin:end]))
        elif number == 14:
            metadata.append(text(wire.first_payload(data[begin:end], 1) or b""))
        elif number == 20:
            graphs += ((f"training {label}", view, False) for label, view in _training_graphs(data[begin:end]))
        elif number == 25:
            graphs.append(("", data[begin:end], True))
    return ModelFile(
        ir_version=plain.get(1),
        producer=plain.get(2, ""),
        producer_version=plain.get(3, ""),
        opsets=tuple(opsets),
        metadata=tuple(metadata),
        graphs=tuple(_all_graphs([("", view, False) for view in _join_parts(main)] + graphs)),
    )


def _join_parts(parts: list[memoryview]) -> list[memoryview]:
    """Return a message that stands in parts as one, as protobuf reads it; it is copied where it does."""
    return parts if len(parts) < 2 else [memoryview(b"".join(parts))]


def _parse_opset(data: memoryview) -> tuple[str, int]:
    opset = _parse("OperatorSetIdProto", data)
    return text(opset.domain), opset.version


def _training_graphs(data: memoryview) -> Iterator[tuple[str, memoryview]]:
    for number, kind, begin, end in wire.fields(data):
        if kind == wire.BYTES and number in (1, 2):
            yield "initialization" if number == 1 else "algorithm", data[begin:end]


def _all_graphs(top: list[tuple[str, memoryview, bool]]) -> Iterator[GraphFile]:
    """Yield graphs and functions, each followed by the graphs that stand in its nodes."""
    waiting: list[tuple[str, memoryview, bool, int, tuple[int | None, int | None]]]
    waiting = [(name, data, is_function, 0, (None, None)) for name, data, is_function in reversed(top)]
    place = 0
    while waiting:
        name, data, is_function, depth, (around, holder) = waiting.pop()
        if depth > MAX_DEPTH:
            raise ValueError(f"its graphs are nested more than {MAX_DEPTH} levels deep")
        graph, inner = _parse_function(data) if is_function else _parse_graph(name, data)
        yield graph.replace(within=around, node=holder)
        within = f"{graph.name}/" if graph.name else ""
        waiting += (
            (f"{within}{label}", view, False, depth + 1, (place, holder)) for label, view, holder in reversed(inner)
        )
        place += 1


def _parse_graph(name: str, data: memoryview) -> tuple[GraphFile, list[_Inner]]:
    nodes: list[memoryview] = []
    values: dict[int, list[Any]] = {11: [], 12: [], 13: []}
    own_name = ""
    initializers: list[Initializer] = []
    inner: list[_Inner] = []
    for number, kind, begin, end in wire.fields(data):
        if kind != wire.BYTES:
            continue
        part = data[begin:end]
        if number == 1:
            inner += _graphs_in(part, len(nodes))
            nodes.append(part)
        elif number == 2:
            own_name = text(bytes(part))
        elif number in values:
            values[number].append(_parse("ValueInfoProto", part))
        elif number == 5:
            initializers.append(parse_tensor(part))
        elif number == 15:
            initializers += _parse_sparse(part)
    graph = GraphFile(
        name=name,
        own_name=own_name,
        nodes=tuple(nodes),
        inputs=tuple(values[11]),
        outputs=tuple(values[12]),
        values=tuple(values[13]),
        initializers=tuple(initializers),
    )
    return graph, inner


def _parse_function(data: memoryview) -> tuple[GraphFile, list[_Inner]]:
    """Return a function as a graph: it has no types, and no weights."""
    nodes: list[memoryview] = []
    inner: list[_Inner] = []
    texts = {1: "", 13: ""}
    domain = None
    opsets: list[tuple[str, int]] = []
    names: dict[int, list[str]] = {4: [], 5: []}
    defaults: list[bytes] = []
    for number, kind, begin, end in wire.fields(data):
        if kind != wire.BYTES:
            continue
        part = data[begin:end]
        if number in texts:
            texts[number] = text(bytes(part))
        elif number == 10:
            domain = text(bytes(part))
        elif number in names:
            names[number].append(text(bytes(part)))
        elif number == 11:
            defaults.append(bytes(part))
        elif number == 7:
            inner += _graphs_in(part, len(nodes))
            nodes.append(part)
        elif number == 9:
            opsets.append(_parse_opset(part))
    graph = GraphFile(
        name=qualified_name(domain or "", texts[1], texts[13]),
        own_name=texts[1],
        nodes=tuple(nodes),
        opsets=tuple(opsets),
        domain=domain,
        parameters=tuple(names[4]),
        results=tuple(names[5]),
        defaults=tuple(defaults),
    )
    return graph, inner


def qualified_name(domain: str, op: str, overload: str = "") -> str:
    """Return the name of an op or function: with its domain, but for that of ONNX itself, and its overload."""
    name = f"{domain}.{op}" if domain else op
    return f"{name}:{overload}" if overload else name


def _graphs_in(data: memoryview, place: int) -> list[_Inner]:
    """Return the graphs that stand in the attributes of a node, each with the node and attribute as its name."""
    proto = parse_node(data)
    names = {}
    for attr in map(parse_attribute, proto.attribute):
        if attr.g or attr.graphs:
            names[attr.name] = text(attr.name)
    if not names:
        return []
    label = node_label(text(proto.name), text(proto.op_type), place)
    inner: list[_Inner] = []
    for number, kind, begin, end in wire.fields(data):
        if number == 5 and kind == wire.BYTES:
            name, graphs = _split_graph_attribute(data[begin:end])
            inner += ((f"{label}.{text(name)[:_LONGEST_LABEL]}", view, place) for view in graphs)
    return inner


def node_label(name: str, op: str, place: int) -> str:
    """Return the label of the graphs in a node: its name, or its op and place."""
    return name[:_LONGEST_LABEL] if name else f"{op[:_LONGEST_LABEL]}#{place}"


def _split_graph_attribute(data: memoryview) -> tuple[bytes, list[memoryview]]:
    """Return the name of an attribute, and the graphs in it where they stand in the file: nothing is copied."""
    name, graphs = b"", []
    for number, kind, begin, end in wire.fields(data):
        if kind == wire.BYTES and number == 1:
            name = bytes(data[begin:end])
        elif kind == wire.BYTES and number in (6, 11):
            graphs.append(data[begin:end])
    return name, graphs


_VALUES = frozenset({4, 5, 6, 7, 9, 10, 11})
"""The fields of a TensorProto that hold values."""
RAW_DATA = 9
STRING_DATA = 6


def parse_tensor(data: memoryview) -> Initializer:
    """Return the type, shape and place of a TensorProto, without its numbers."""
    dims: list[int] = []
    name, data_type, location, raw_size = "", 0, 0, 0
    stored: set[int] = set()
    file = None
    for number, kind, begin, end in wire.fields(data):
        if number == 1 and kind == wire.VARINT:
            dims.append(_signed(begin))
        elif number == 1 and kind == wire.BYTES:  # packed
            dims += _parse_packed(data[begin:end])
        elif number == 2 and kind == wire.VARINT:
            data_type = begin
        elif number == 8 and kind == wire.BYTES:
            name = text(bytes(data[begin:end]))
        elif number == 13 and kind == wire.BYTES:
            file = _external_file(data[begin:end]) or file
        elif number == 14 and kind == wire.VARINT:
            location = begin
        elif number in _VALUES and (kind != wire.BYTES or end > begin or number == STRING_DATA):
            stored.add(number)
            raw_size = end - begin if number == RAW_DATA else raw_size
    return Initializer(
        name=name,
        data_type=data_type,
        dims=tuple(dims),
        size=len(data),
        file=file or "?" if location == _EXTERNAL else None,
        stored=frozenset(stored),
        raw_size=raw_size,
    )


def _parse_sparse(data: memoryview) -> Iterator[Initializer]:
    """Yield the weight of a SparseTensorProto: the name of its values, and the shape of the whole."""
    values, dims = Initializer(name=""), []
    for number, kind, begin, end in wire.fields(data):
        if number == 1 and kind == wire.BYTES:
            values = parse_tensor(data[begin:end])
        elif number == 3:
            dims += [_signed(begin)] if kind == wire.VARINT else _parse_packed(data[begin:end])
    yield values.replace(dims=tuple(dims), size=len(data), is_sparse=True)


def _external_file(data: memoryview) -> str | None:
    """Return the file that an entry of `external_data` names; None for the other entries."""
    key, value = (wire.first_payload(data, number) for number in (1, 2))
    return text(value or b"") if key == b"location" else None


def _parse_packed(data: memoryview) -> list[int]:
    numbers, at = [], 0
    while at < len(data):
        value, at = wire.varint(data, at)
        numbers.append(_signed(value))
    return numbers


def _signed(value: int) -> int:
    value &= (1 << 64) - 1
    return value - (1 << 64) if value >> 63 else value


def parse_node(data: memoryview) -> Any:
    """Return the NodeProto of a node.

    Raises:
        ValueError: the node cannot be decoded.
    """
    return _parse("NodeProto", data)


def parse_attribute(data: bytes) -> Any:
    """Return the AttributeProto of an attribute.

    Raises:
        ValueError: the attribute cannot be decoded.
    """
    return _parse("AttributeProto", data)


def _parse(name: str, data: memoryview | bytes) -> Any:
    from google.protobuf.message import DecodeError

    try:
        return message(name).FromString(bytes(data))
    except DecodeError:
        raise ValueError(f"{name} cannot be decoded") from None
