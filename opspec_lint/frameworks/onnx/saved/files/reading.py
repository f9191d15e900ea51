"""A reader of ONNX models that walks through the protobuf fields, so that no weight is read or copied.

An `OnnxFile` has the main graph, the graphs nested in nodes, and the functions, all as `GraphFile`s in one tuple, whose
indices name them. Nodes stay encoded, and tensors (`Initializer`) have no values.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from opspec_lint.frameworks.onnx.saved.files.messages import message, text
from opspec_lint.kit.record import Record
from opspec_lint.models import wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

MAX_DEPTH = 32
"""The deepest nesting of graphs in nodes: protobuf takes 100 nested messages, and a graph in a node is three."""

_LONGEST_LABEL = 100
"""Characters of a node name in the label of its graphs, since each nested graph repeats the labels around it."""
_MODEL = {
    1: wire.VARINT,  # ir_version
    **dict.fromkeys((2, 3, 4, 6, 7, 8, 14, 20, 25, 26), wire.BYTES),
    5: wire.VARINT,  # model_version
}
"""The fields of a ModelProto, and their wire types."""
_EXTERNAL = 1
"""The `data_location` of a tensor whose values are in another file."""


class Initializer(Record):
    """A weight or other tensor: name, type, shape, size in bytes, and the file of its values (None: the model file).

    `stored` are the numbers of the fields of TensorProto that have values, `raw_size` is the number of bytes of
    `raw_data`.
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
    """A graph or function: its encoded nodes, its inputs and outputs (ValueInfoProto), and its weights.

    `own_name` is the name in the file, `values` are further tensors with stated types. `within` is the index of the
    enclosing graph in the model, None for the main graph and for a function, and `node` the index of the enclosing
    node.

    For a function, `opsets` are its imports (None for a graph), `domain` is None if not stated, `parameters` and
    `results` are the names of its inputs and outputs, and `defaults` the encoded attributes with default values.
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


class OnnxFile(Record):
    """A model as its file states it. The main graph, if any, is the first of `graphs`.

    `opsets` are the imports of the model as (domain, version); functions have their own. `metadata` are the keys of
    `metadata_props`.
    """

    ir_version: int | None = None
    producer: str = ""
    producer_version: str = ""
    opsets: tuple[tuple[str, int], ...] = ()
    metadata: tuple[str, ...] = ()
    graphs: tuple[GraphFile, ...] = ()


class _GraphBytes(NamedTuple):
    """A graph or function of the model whose fields are not parsed yet, with its label.

    `depth` is its nesting; `within` is the number of the enclosing graph among all graphs, and `node` the number of the
    enclosing node.
    """

    label: str
    data: memoryview
    is_function: bool = False
    depth: int = 0
    within: int | None = None
    node: int | None = None


class _NestedGraph(NamedTuple):
    """A graph in a node: its label, its bytes, and the number of the node."""

    label: str
    data: memoryview
    node: int


def is_model(data: memoryview) -> bool:
    """Return True if bytes look like a model: an IR version, a graph or imports, and only fields of a model."""
    leading = wire.leading_fields(data)
    if not leading or any(_MODEL.get(number) != kind for number, kind in leading):
        return False
    numbers = {number for number, _ in leading}
    return 1 in numbers and not numbers.isdisjoint((7, 8, 25))


def read(data: memoryview) -> OnnxFile:
    """Return the model from its bytes. Raises ValueError with the reason if they are no model."""
    # ModelProto: 1 ir_version, 2 producer_name, 3 producer_version, 5 model_version, 7 graph, 8 opset_import, 14
    # metadata_props, 20 training_info, 25 functions.
    plain: dict[int, Any] = {}
    opsets: list[tuple[str, int]] = []
    main: list[memoryview] = []
    graphs: list[_GraphBytes] = []
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
            graphs += (_GraphBytes(f"training {label}", view) for label, view in _training_graphs(data[begin:end]))
        elif number == 25:
            graphs.append(_GraphBytes("", data[begin:end], is_function=True))
    return OnnxFile(
        ir_version=plain.get(1),
        producer=plain.get(2, ""),
        producer_version=plain.get(3, ""),
        opsets=tuple(opsets),
        metadata=tuple(metadata),
        graphs=tuple(_all_graphs([*(_GraphBytes("", view) for view in _join_parts(main)), *graphs])),
    )


def _join_parts(parts: list[memoryview]) -> list[memoryview]:
    """Return the parts of one message as a single message."""
    # A protobuf parser merges repeated occurrences of a message field, which equals parsing their concatenation.
    return parts if len(parts) < 2 else [memoryview(b"".join(parts))]


def _parse_opset(data: memoryview) -> tuple[str, int]:
    """Return domain and version of an import."""
    opset = _parse("OperatorSetIdProto", data)
    return text(opset.domain), opset.version


def _training_graphs(data: memoryview) -> Iterator[tuple[str, memoryview]]:
    """Yield the labels and bytes of the graphs of a TrainingInfoProto: 1 initialization, 2 algorithm."""
    for number, kind, begin, end in wire.fields(data):
        if kind == wire.BYTES and number in (1, 2):
            yield "initialization" if number == 1 else "algorithm", data[begin:end]


def _all_graphs(top: list[_GraphBytes]) -> Iterator[GraphFile]:
    """Yield graphs and functions, each directly followed by the graphs nested in its nodes."""
    # A stack instead of recursion; reversed, so that graphs come in the order of the file.
    waiting = top[::-1]
    number = 0
    while waiting:
        current = waiting.pop()
        if current.depth > MAX_DEPTH:
            raise ValueError(f"its graphs are nested more than {MAX_DEPTH} levels deep")
        if current.is_function:
            graph, nested = _parse_function(current.data)
        else:
            graph, nested = _parse_graph(current.label, current.data)
        yield graph.replace(within=current.within, node=current.node)
        prefix = f"{graph.name}/" if graph.name else ""
        waiting += (
            _GraphBytes(f"{prefix}{label}", data, depth=current.depth + 1, within=number, node=node)
            for label, data, node in reversed(nested)
        )
        number += 1


def _parse_graph(name: str, data: memoryview) -> tuple[GraphFile, list[_NestedGraph]]:
    """Return a graph, and the graphs nested in its nodes."""
    nodes: list[memoryview] = []
    # GraphProto: 1 node, 2 name, 5 initializer, 11 input, 12 output, 13 value_info, 15 sparse_initializer.
    values: dict[int, list[Any]] = {11: [], 12: [], 13: []}
    own_name = ""
    initializers: list[Initializer] = []
    nested: list[_NestedGraph] = []
    for number, kind, begin, end in wire.fields(data):
        if kind != wire.BYTES:
            continue
        part = data[begin:end]
        if number == 1:
            nested += _graphs_in(part, len(nodes))
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
    return graph, nested


def _parse_function(data: memoryview) -> tuple[GraphFile, list[_NestedGraph]]:
    """Return a function as a graph without types and weights, and the graphs nested in its nodes."""
    nodes: list[memoryview] = []
    nested: list[_NestedGraph] = []
    # FunctionProto: 1 name, 4 input, 5 output, 7 node, 9 opset_import, 10 domain, 11 attribute_proto, 13 overload.
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
            nested += _graphs_in(part, len(nodes))
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
    return graph, nested


def qualified_name(domain: str, op: str, overload: str = "") -> str:
    """Return the full name of an op or function: `DOMAIN.OP:OVERLOAD`, without an empty domain or overload."""
    name = f"{domain}.{op}" if domain else op
    return f"{name}:{overload}" if overload else name


def _graphs_in(data: memoryview, index: int) -> list[_NestedGraph]:
    """Return the graphs in the attributes of a node, labelled `NODE.ATTRIBUTE`; `index` is the number of the node."""
    proto = parse_node(data)
    names = {}
    for attr in map(parse_attribute, proto.attribute):
        if attr.g or attr.graphs:
            names[attr.name] = text(attr.name)
    # Almost all nodes contain no graph. Only for the others, the fields are walked through to get views without copies.
    if not names:
        return []
    label = node_label(text(proto.name), text(proto.op_type), index)
    nested: list[_NestedGraph] = []
    for number, kind, begin, end in wire.fields(data):
        if number == 5 and kind == wire.BYTES:
            name, graphs = _split_graph_attribute(data[begin:end])
            nested += (_NestedGraph(f"{label}.{text(name)[:_LONGEST_LABEL]}", view, index) for view in graphs)
    return nested


def node_label(name: str, op: str, index: int) -> str:
    """Return the label of the graphs in a node: the name of the node, or its op and index."""
    return name[:_LONGEST_LABEL] if name else f"{op[:_LONGEST_LABEL]}#{index}"


def _split_graph_attribute(data: memoryview) -> tuple[bytes, list[memoryview]]:
    """Return the name of an attribute, and views of the graphs in it."""
    # AttributeProto: 1 name, 6 g, 11 graphs.
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
    """Return the type, shape and location of a TensorProto without its values."""
    dims: list[int] = []
    # TensorProto: 1 dims, 2 data_type, 8 name, 13 external_data, 14 data_location.
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
        # An empty packed field holds no value, but an empty string is one.
        elif number in _VALUES and (kind != wire.BYTES or end > begin or number == STRING_DATA):
            stored.add(number)
            raw_size = end - begin if number == RAW_DATA else raw_size
    return Initializer(
        name=name,
        data_type=data_type,
        dims=tuple(dims),
        size=len(data),
        # A damaged tensor may be external without stating a file.
        file=file or "?" if location == _EXTERNAL else None,
        stored=frozenset(stored),
        raw_size=raw_size,
    )


def _parse_sparse(data: memoryview) -> Iterator[Initializer]:
    """Yield the weight of a SparseTensorProto: it has the name of its values, and the shape of the whole."""
    # SparseTensorProto: 1 values, 3 dims.
    values, dims = Initializer(name=""), []
    for number, kind, begin, end in wire.fields(data):
        if number == 1 and kind == wire.BYTES:
            values = parse_tensor(data[begin:end])
        elif number == 3:
            dims += [_signed(begin)] if kind == wire.VARINT else _parse_packed(data[begin:end])
    yield values.replace(dims=tuple(dims), size=len(data), is_sparse=True)


def _external_file(data: memoryview) -> str | None:
    """Return the file that an entry of `external_data` names, None for any other entry."""
    key, value = (wire.first_payload(data, number) for number in (1, 2))
    return text(value or b"") if key == b"location" else None


def _parse_packed(data: memoryview) -> list[int]:
    """Return the numbers of a packed repeated field."""
    numbers, at = [], 0
    while at < len(data):
        value, at = wire.varint(data, at)
        numbers.append(_signed(value))
    return numbers


def _signed(value: int) -> int:
    """Return the signed value of a 64-bit varint."""
    value &= (1 << 64) - 1
    return value - (1 << 64) if value >> 63 else value


def parse_node(data: memoryview | bytes) -> Any:
    """Return a NodeProto, which is not to be changed. Raises ValueError if it cannot be decoded."""
    # An audit parses a node three times: for the graphs in it, for its op, and for its checks.
    return _parse_small_node(bytes(data)) if len(data) <= SMALL_NODE else _parse("NodeProto", data)


SMALL_NODE = 200
"""The bytes of a node up to which the parsed message is kept: larger ones mostly hold weights."""


@lru_cache(maxsize=4096)
def _parse_small_node(data: bytes) -> Any:
    return _parse("NodeProto", data)


def parse_attribute(data: bytes) -> Any:
    """Return an AttributeProto. Raises ValueError if it cannot be decoded."""
    return _parse("AttributeProto", data)


def _parse(name: str, data: memoryview | bytes) -> Any:
    """Return a message of the given name from its bytes."""
    from google.protobuf.message import DecodeError

    try:
        return message(name).FromString(bytes(data))
    except DecodeError:
        raise ValueError(f"{name} cannot be decoded") from None
