"""Builds TFLite models without TFLite: FlatBuffers whose children follow their parents."""

from __future__ import annotations

import json
import struct

from opspec_lint.frameworks.tflite.saved import codes as numbers_of_ops
from tests.support.models import node_lines

SCALARS = {
    "bool": "?",
    "byte": "b",
    "ubyte": "B",
    "short": "h",
    "ushort": "H",
    "int": "i",
    "uint": "I",
    "long": "q",
    "ulong": "Q",
    "float": "f",
    "double": "d",
}


class Table:
    """A table: its fields by slot, each a scalar (kind, value), a string, bytes, a list (ints, tables), Scalars."""

    def __init__(self, fields):
        self.fields = fields


class Scalars:
    """A vector of scalars of a kind."""

    def __init__(self, kind, values):
        self.kind = kind
        self.values = values


class Repeated:
    """A vector whose items are all one table."""

    def __init__(self, table, count):
        self.table = table
        self.count = count


def build(root, identifier=b"TFL3"):
    """Return a FlatBuffer."""
    data = bytearray(4) + identifier
    struct.pack_into("<I", data, 0, _table(data, root))
    return bytes(data)


def _table(data, table):
    """Append a table and what belongs to it; return where it is."""
    slots = max(table.fields, default=-1) + 1
    _align(data, 4)
    vtable = len(data)
    data += bytes(4 + 2 * slots)
    _align(data, 4)
    at = len(data)
    data += struct.pack("<i", at - vtable)
    places = {}
    for slot, value in table.fields.items():
        form = SCALARS[value[0]] if isinstance(value, tuple) else "I"
        _align(data, struct.calcsize(form))
        places[slot] = len(data)
        data += struct.pack(f"<{form}", value[1] if isinstance(value, tuple) else 0)
        struct.pack_into("<H", data, vtable + 4 + 2 * slot, places[slot] - at)
    struct.pack_into("<HH", data, vtable, 4 + 2 * slots, len(data) - at)
    for slot, value in table.fields.items():
        if not isinstance(value, tuple):
            struct.pack_into("<I", data, places[slot], _child(data, value) - places[slot])
    return at


def _child(data, value):
    if isinstance(value, Table):
        return _table(data, value)
    if isinstance(value, Repeated):
        return _repeated(data, value)
    if isinstance(value, Scalars):
        return _scalars(data, value)
    _align(data, 4)
    at = len(data)
    if isinstance(value, (str, bytes)):
        raw = value.encode() if isinstance(value, str) else value
        data += struct.pack("<I", len(raw)) + raw + b"\0"
    elif value and isinstance(value[0], Table):
        data += struct.pack("<I", len(value)) + bytes(4 * len(value))
        for index, item in enumerate(value):
            place = at + 4 + 4 * index
            struct.pack_into("<I", data, place, _table(data, item) - place)
    else:
        data += struct.pack(f"<I{len(value)}i", len(value), *value)
    return at


def _scalars(data, value):
    """Append a vector of scalars; return where it is. Its items, not its length, are aligned to their size."""
    form = SCALARS[value.kind]
    data += bytes(-(len(data) + 4) % max(4, struct.calcsize(form)))
    at = len(data)
    data += struct.pack("<I", len(value.values)) + struct.pack(f"<{len(value.values)}{form}", *value.values)
    return at


def _repeated(data, value):
    """Append a vector of one table, again and again; return where it is."""
    _align(data, 4)
    at = len(data)
    data += struct.pack("<I", value.count) + bytes(4 * value.count)
    table = _table(data, value.table)
    for place in range(at + 4, at + 4 + 4 * value.count, 4):
        struct.pack_into("<I", data, place, table - place)
    return at


def _align(data, size):
    data += bytes(-len(data) % size)


def code(number, version=1, custom=None):
    """Return an OperatorCode; only the newer field has room for a number above 127."""
    fields = {0: ("byte", min(number, 127)), 2: ("int", version), 3: ("int", number)}
    return Table(fields if custom is None else fields | {1: custom})


def tensor(name, shape=(), kind=0, buffer=0, **more):
    fields = {0: list(shape), 1: ("byte", kind), 2: ("uint", buffer), 3: name, 8: ("bool", True)}
    return Table(fields | ({7: list(more["signature"])} if "signature" in more else {}))


def operator(index, inputs=(), outputs=()):
    return Table({0: ("uint", index), 1: list(inputs), 2: list(outputs)})


def subgraph(tensors=(), inputs=(), outputs=(), operators=(), name="main"):
    return Table({0: list(tensors), 1: list(inputs), 2: list(outputs), 3: list(operators), 4: name})


def signature(key, inputs, outputs):
    maps = [[Table({0: name, 1: ("uint", at)}) for name, at in names.items()] for names in (inputs, outputs)]
    return Table({0: maps[0], 1: maps[1], 2: key, 4: ("uint", 0)})


def model(codes=(), subgraphs=None, signatures=(), version=3, buffers=(b"",), metadata=(), description="made"):
    return build(
        Table(
            {
                0: ("uint", version),
                1: list(codes),
                2: [subgraph()] if subgraphs is None else list(subgraphs),
                3: description,
                4: [Table({0: data} if data else {}) for data in buffers],
                6: [Table({0: name, 1: ("uint", buffer)}) for name, buffer in metadata],
                7: list(signatures),
            }
        )
    )


def whole():
    """Return a model with all that a model can have."""
    return model(
        codes=[code(0, 2), code(150, 1), code(32, 1, "Mine"), code(14, 4)],
        subgraphs=[
            subgraph(
                tensors=[tensor("x", (1, 4), signature=(-1, 4)), tensor("w", (4,), buffer=1), tensor("y", (1, 4))],
                inputs=[0],
                outputs=[2],
                operators=[operator(0, [0, 1], [2]), operator(1, [2, -1], [2]), operator(2, [2], [2])],
            ),
            subgraph(tensors=[tensor("z")], operators=[operator(0, [0, 0], [0])], name="branch"),
        ],
        signatures=[signature("serving_default", {"in": 0}, {"out": 2})],
        buffers=[b"", bytes(16), b"1.14.0\0\0"],
        metadata=[("min_runtime_version", 2)],
    )


def named_again(name, count):
    """Return a model whose custom ops and tensors all share one name, stored once in the file."""
    custom = Table({0: ("byte", 32), 1: name, 2: ("int", 1), 3: ("int", 32)})
    graph = Table({0: Repeated(tensor(name, (1,), buffer=1), count), 4: "g"})
    return build(Table({0: ("uint", 3), 1: Repeated(custom, count), 2: [graph], 4: [Table({}), Table({0: b"w"})]}))


def quantized(scales=(1.0,), zero_points=(0,), dimension=0):
    """Return the quantization of a tensor; None leaves a list out."""
    fields = {6: ("int", dimension)}
    fields |= {} if scales is None else {2: Scalars("float", scales)}
    return Table(fields | ({} if zero_points is None else {3: Scalars("long", zero_points)}))


OPTIONS = {"GATHER": 23, "PACK": 59, "SQUEEZE": 30, "UNPACK": 64, "IF": 92}
"""The numbers of the options of some ops in the union `BuiltinOptions` of the schema."""


def with_options(index, op, options, inputs=(), outputs=()):
    """Return an operator with a table of options: their values by slot."""
    kind = ("ubyte", OPTIONS[op])
    return Table({0: ("uint", index), 1: list(inputs), 2: list(outputs), 3: kind, 4: Table(options)})


def written(path, text):
    """Write the model of a scene: a node a line, with the version that `versions {...}` states.

    `tensor {...}` is a tensor by its name, `shape`, `quantized_dimension`, and `input` for one of the subgraph. A node
    takes the tensors that it names, and has the options `slot0`, `slot1` ..., each a list of one int.
    """
    nodes, lines = node_lines.read(text, "versions", "tensor")
    versions = node_lines.stated(lines["versions"])
    tensors = [json.loads(line) for line in lines["tensor"]]
    indices = {made["name"]: index for index, made in enumerate(tensors)}
    listed, operators = [], []
    for index, node in enumerate(nodes):
        version = versions.get(node.name, 1)
        custom = node.name.removeprefix("CUSTOM:")
        is_custom = custom != node.name
        listed.append(
            code(32, version, custom) if is_custom else code(numbers_of_ops.BUILTINS.index(node.name), version)
        )
        inputs = [indices[taken.name] for taken in node.inputs if taken.name in indices]
        options = {int(attr.name.removeprefix("slot")): [attr.default_value] for attr in node.attrs}
        operators.append(with_options(index, node.name, options, inputs) if options else operator(index, inputs))
    graph = subgraph(list(map(_stated, tensors)), [indices[made["name"]] for made in tensors if "input" in made])
    graph.fields[3] = operators
    path.write_bytes(model(listed, [graph]))


def _stated(tensor_line):
    made = tensor(tensor_line["name"], tensor_line["shape"])
    if "quantized_dimension" in tensor_line:
        made.fields[4] = quantized(dimension=tensor_line["quantized_dimension"])
    return made
