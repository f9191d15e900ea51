"""Builds ONNX models without ONNX, field by field."""

from __future__ import annotations

import struct

from tests.support.models import node_lines


def field(number, value):
    """One field: a number, bytes or text, or the bytes of a message."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value & (1 << 64) - 1)
    if isinstance(value, float):
        return _varint(number << 3 | 5) + struct.pack("<f", value)
    raw = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(raw)) + raw


def _varint(value):
    digits = []
    while value > 0x7F:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*digits, value])


def message(*fields):
    return b"".join(field(number, value) for number, value in fields)


def attr(name, **value):
    """Return an attribute: `i`, `f`, `s`, `ints`, `g` (a graph) or `t` (a tensor)."""
    ((kind, given),) = value.items()
    numbers = {"f": (2, 1), "i": (3, 2), "s": (4, 3), "t": (5, 4), "g": (6, 5), "ints": (8, 7)}
    number, code = numbers[kind]
    items = given if isinstance(given, list) else [given]
    return message((1, name), *((number, item) for item in items), (20, code))


def node(op, inputs=(), outputs=(), *attrs, name="", domain=""):
    return message(
        *((1, name) for name in inputs),
        *((2, name) for name in outputs),
        *([(3, name)] if name else []),
        (4, op),
        *((5, attribute) for attribute in attrs),
        *([(7, domain)] if domain else []),
    )


def value(name, kind=1, dims=None):
    """Return a ValueInfoProto of a tensor: a dim is a number or a name, dims None is an unknown rank."""
    shape = b"" if dims is None else message((2, message(*((1, _dim(dim)) for dim in dims))))
    return message((1, name), (2, message((1, message((1, kind)) + shape))))


def _dim(size):
    return message((2, size)) if isinstance(size, str) else message((1, size))


def weight(name, dims, kind=1, data=b"", file=None):
    """Return a TensorProto, its numbers in the file or beside it."""
    external = [] if file is None else [(13, message((1, "location"), (2, file))), (14, 1)]
    return message(*((1, dim) for dim in dims), (2, kind), (8, name), *([(9, data)] if data else []), *external)


def graph(nodes=(), inputs=(), outputs=(), weights=()):
    return message(
        *((1, item) for item in nodes),
        (2, "g"),
        *((5, tensor) for tensor in weights),
        *((11, info) for info in inputs),
        *((12, info) for info in outputs),
    )


def function(domain, name, *nodes, opsets=()):
    return message((1, name), *((7, item) for item in nodes), *((9, _opset(*opset)) for opset in opsets), (10, domain))


def _opset(domain, version):
    return message((1, domain), (2, version))


def model(main, *functions, opsets=(("", 17),), ir=8):
    return message(
        (1, ir),
        (2, "made"),
        (3, "1.0"),
        (7, main),
        *((8, _opset(*opset)) for opset in opsets),
        *((25, item) for item in functions),
    )


def whole():
    """Return a model with everything that a model can have."""
    branch = graph([node("Identity", ["x"], ["t"])], outputs=[value("t")])
    main = graph(
        [
            node("If", ["c"], ["t"], attr("then_branch", g=branch), attr("else_branch", g=branch), name="choose"),
            node("Mine", ["t"], ["y"], attr("k", i=-2), domain="my.ops"),
        ],
        [value("x", 1, ["n", 3]), value("c", 9, []), value("w", 1, [2])],
        [value("y")],
        [weight("w", [2], data=bytes(8)), weight("far", [-1, 4], 7, file="../elsewhere.bin")],
    )
    return model(main, function("my.ops", "Mine", node("Relu", ["a"], ["b"])), opsets=[("", 17), ("my.ops", 1)])


def written(path, text):
    """Write the model of a scene: nodes, `function f: NODE` for each node of `f`, and `input x: int8` or `output`."""
    nodes, lines = node_lines.read(text, "function", "input", "output")
    bodies = {}
    for line in lines["function"]:
        name, _, body = line.partition(": ")
        bodies.setdefault(name, []).extend(_from_lines(node_lines.read(body)[0]))
    inputs, outputs = ([_from_line(line) for line in lines[kind]] for kind in ("input", "output"))
    opsets = [("", 17), *([(DOMAIN, 1)] if bodies else [])]
    functions = [function(DOMAIN, name, *body, opsets=opsets) for name, body in bodies.items()]
    path.write_bytes(model(graph(_from_lines(nodes), inputs, outputs), *functions, opsets=opsets))


DOMAIN = "mine"
KINDS = {"float": 1, "int8": 3}


def _from_lines(nodes):
    made = []
    for line in nodes:
        domain, _, op = line.name.rpartition("::")
        names = ([argument.name for argument in section] for section in (line.inputs, line.outputs))
        made.append(node(op, *names, name=line.outputs[0].name, domain=domain))
    return made


def _from_line(line):
    name, kind = line.split(": ")
    return value(name, KINDS[kind], [2])
