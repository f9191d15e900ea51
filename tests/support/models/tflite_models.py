"""Builds TFLite models without TFLite: FlatBuffers whose children follow their parents."""

from __future__ import annotations

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


def model(codes=(), subgraphs=(), signatures=(), version=3, buffers=(b"",), metadata=(), description="made"):
    return build(
        Table(
            {
                0: ("uint", version),
                1: list(codes),
                2: list(subgraphs),
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


def written(path, text):
    """Write the model of a scene: the ops that it lists, each of the version that `versions {...}` states."""
    nodes, lines = node_lines.read(text, "versions")
    stated = node_lines.stated(lines["versions"])
    listed = [code(numbers_of_ops.BUILTINS.index(node.name), stated.get(node.name, 1)) for node in nodes]
    path.write_bytes(model(listed, [subgraph()]))
