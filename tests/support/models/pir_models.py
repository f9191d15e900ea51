"""Builds PIR programs of Paddle 3 without Paddle."""

from __future__ import annotations

import json

from tests.support.models import node_lines


def kind(shape, element="0.t_f32"):
    return {"#": "0.t_dtensor", "D": [{"#": element}, list(shape), "NCHW", [], 0]}


def attr(name, value, code="0.a_str"):
    return {"N": name, "AT": {"#": code, "D": value}}


def op(name, inputs=(), outputs=(), attrs=(), shape=(-1, 3), **more):
    """Return an op: inputs and outputs are the numbers of values."""
    made = {
        "#": name,
        "A": list(attrs),
        "I": [{"%": value} for value in inputs],
        "O": [{"%": value, "TT": kind(shape)} for value in outputs],
        "OA": [],
    }
    return made | more


def parameter(name, value, shape):
    return {"#": "p", "A": [0, 1, 1, name], "DA": [], "QA": [], "O": {"%": value, "TT": kind(shape)}, "OA": [1, 0, 1]}


def regions(*ops):
    return [{"#": "region_0", "blocks": [{"#": "block_0", "args": [], "ops": list(ops)}]}]


def whole():
    inner = op("1.relu", [2], [5])
    return [
        parameter("w", 1, (3, 4)),
        op("1.data", [], [2], [attr("name", "x")]),
        op("1.matmul", [2, 1], [3], [attr("transpose_x", False, "0.a_bool")], (-1, 4)),
        op("1.if", [3], [4], regions=regions(inner)),
        op("1.fetch", [4], [6], [attr("name", "out")]),
    ]


def program(*ops, **header):
    members = {"magic": "pir", "version": 1, "trainable": True} | header
    base = {name: member for name, member in members.items() if member is not None}
    made = {"base_code": base} if base else {}
    return json.dumps(made | {"program": {"regions": regions(*(ops or whole()))}}).encode()


def written(path, text):
    """Write the program of a scene: nodes without attrs, and `header {...}`."""
    nodes, lines = node_lines.read(text, "header")
    made, numbers = [], {}
    for node in nodes:
        given, results = (
            [numbers.setdefault(argument.name, len(numbers) + 1) for argument in section]
            for section in (node.inputs, node.outputs)
        )
        made.append(op(node.name.replace("pd_op.", "1."), given, results))
    path.write_bytes(program(*made, **node_lines.stated(lines["header"])))
