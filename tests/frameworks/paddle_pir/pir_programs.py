"""PIR programs of one or two ops, made of what a spec declares, and of what base would have declared before a change.

A `Change` is what head's ops were before, with the ops that a program of base has, and how they are connected.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from opspec_lint.frameworks.paddle.saved.pir.patches import ARRAY
from opspec_lint.frameworks.paddle_pir.compare.remedies import stored_type
from opspec_lint.spec import values
from opspec_lint.spec.model import UNKNOWN, Attr, Input, Op, Output
from tests.support.models.pir_models import kind, regions

DENSE = "paddle::dialect::DenseTensorType"
CODES = {
    "pir::BoolAttribute": ("0.a_bool", False),
    "pir::FloatAttribute": ("0.a_f32", 1.0),
    "pir::DoubleAttribute": ("0.a_f64", 1.0),
    "pir::Int32Attribute": ("0.a_i32", 1),
    "pir::Int64Attribute": ("0.a_i64", 1),
    "pir::StrAttribute": ("0.a_str", ""),
    "paddle::dialect::IntArrayAttribute": ("1.a_intarray", [1]),
    "paddle::dialect::DataTypeAttribute": ("1.a_dtype", "float32"),
    "paddle::dialect::PlaceAttribute": ("1.a_place", [0, 0, ""]),
}
"""What a program calls a type, and a value of it."""
ANOTHER = {
    "pir::BoolAttribute": ("pir::Int32Attribute", int),
    "pir::FloatAttribute": ("pir::DoubleAttribute", float),
    "pir::DoubleAttribute": ("pir::FloatAttribute", float),
    "pir::Int32Attribute": ("pir::Int64Attribute", int),
    "pir::Int64Attribute": ("pir::Int32Attribute", int),
    "pir::StrAttribute": ("pir::FloatAttribute", lambda _: 1.0),
}
"""What the type of an attr may have been before it changed, and what makes a value of it."""
GIVER, TAKER = "pd_op.huber_loss", "pd_op.abs"
"""Ops that stand beside another one: one whose last output has the shape of its inputs, and one that takes any."""
GIVEN, GIVEN_TOO = 100, 200
"""The first numbers of the values that an op gives, and of those of the op beside it; inputs begin with 1."""


class Step(NamedTuple):
    """An op of a program, with the numbers of the values that it takes and gives."""

    op: Op
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]


class Program(NamedTuple):
    """The ops of a program, and the numbers of the values that it gives."""

    steps: tuple[Step, ...]
    fetched: tuple[int, ...]

    def text(self, version):
        """The file; None where an attr has a type that is not written here."""
        attrs = [[attr_of(attr) for attr in step.op.attrs] for step in self.steps]
        if any(None in attr for attr in attrs):
            return None
        made = {number for step in self.steps for number in step.outputs}
        fed = sorted({number for step in self.steps for number in step.inputs} - made)
        first = max((*fed, *made)) + 1
        ops = [
            *map(_source, fed),
            *(_op(_code(step), step.inputs, step.outputs, attr) for step, attr in zip(self.steps, attrs, strict=True)),
            *(_fetch(at, number, first + at) for at, number in enumerate(self.fetched)),
        ]
        header = {"magic": "pir", "version": version, "trainable": False}
        return json.dumps({"base_code": header, "program": {"regions": regions(*ops)}})


class Change(NamedTuple):
    """A kind of change of an op, and the program that base saved; `like` is the program of head that means the same."""

    kind: str
    op: str
    base: Program
    like: Program


def attr_of(attr):
    """An attr as a program has it; None for a type that is not written here."""
    stored = stored_type(str(attr.type))
    is_list = stored.startswith(ARRAY)
    code, value = CODES.get(stored[len(ARRAY) + 1 : -1] if is_list else stored, (None, None))
    if code is None:
        return None
    known = attr.default_value not in (None, UNKNOWN)
    if is_list:
        items = values.thaw(attr.default_value) if known else [value]
        return {"N": attr.name, "AT": {"#": "0.a_array", "D": [{"#": code, "D": item} for item in items]}}
    if known and (code.startswith("0.") or isinstance(attr.default_value, (list, tuple))):
        value = values.thaw(attr.default_value)
    return {"N": attr.name, "AT": {"#": code, "D": value}}


def patch_value(attr):
    """The value of an attr as a patch says it."""
    result = attr_of(attr)["AT"]["D"]
    if not str(attr.type).startswith(ARRAY):
        return json.dumps(result)
    items = stored_type(str(attr.type))[len(ARRAY) + 1 : -1]
    listed = (f"{{type: {items}, data: {json.dumps(item['D'])}}}" for item in result)
    return f"[{', '.join(listed)}]"


def _code(step):
    return f"1.{step.op.name.partition('.')[2]}"


def _source(number):
    attrs = [
        {"N": "name", "AT": {"#": "0.a_str", "D": f"in{number}"}},
        {"N": "shape", "AT": {"#": "1.a_intarray", "D": [2, 3]}},
        {"N": "dtype", "AT": {"#": "1.a_dtype", "D": "float32"}},
        {"N": "place", "AT": {"#": "1.a_place", "D": [0, 0, ""]}},
    ]
    return _op("1.data", [], [number], attrs)


def _fetch(column, number, made):
    attrs = [
        {"N": "name", "AT": {"#": "0.a_str", "D": f"f{column}"}},
        {"N": "col", "AT": {"#": "0.a_i32", "D": column}},
    ]
    return _op("1.fetch", [number], [made], attrs)


def _op(name, inputs, outputs, attrs):
    stop = {"N": "stop_gradient", "AT": {"#": "0.a_array", "D": [{"#": "0.a_bool", "D": True} for _ in outputs]}}
    return {
        "#": name,
        "A": attrs,
        "I": [{"%": argument} for argument in inputs],
        "O": [{"%": output, "TT": kind((2, 3))} for output in outputs],
        "OA": [stop],
    }


def is_plain(op):
    """Whether all inputs of an op are dense tensors, as far as is known, so that a program of it can be made."""
    return bool(op.outputs) and not any(
        argument.get("mutable_attr") or argument.duplicable is True or argument.type not in (DENSE, UNKNOWN, None)
        for argument in op.inputs
    )


def alone(op, head=None, expected=0):
    """The program of one op that gives an output of head; each input that head names has the number it has there."""
    head = head or op
    names = list(dict.fromkeys(argument.name for argument in (*head.inputs, *op.inputs)))
    step = Step(op, tuple(names.index(argument.name) + 1 for argument in op.inputs), _numbers(op.outputs, GIVEN))
    numbers = {output.name: number for output, number in zip(op.outputs, step.outputs, strict=True)}
    return Program(steps=(step,), fetched=(numbers.get(head.outputs[expected].name, step.outputs[0]),))


def changes(head, ops):
    """Yield each change that can have made an op of head what it is.

    Args:
        head: the op.
        ops: all ops of head.
    """
    for name, base in _of_single(head):
        yield Change(name, head.name, alone(base, head), alone(head))
    if len(head.outputs) > 1:
        base = head.replace(outputs=head.outputs[1:])
        yield Change("first output added", head.name, alone(base, head, 1), alone(head, expected=1))
    yield from _of_two(head, ops)


def _of_single(op):
    yield "op renamed", op.replace(name=f"{op.name}_old")
    yield from _of_attrs(op)
    if op.inputs:
        yield "input added", op.replace(inputs=op.inputs[:-1])
        yield "first input removed", op.replace(inputs=(_gone(Input), *op.inputs))
    yield "input removed", op.replace(inputs=(*op.inputs, _gone(Input)))
    if len(op.inputs) > 1:
        yield "inputs reordered", op.replace(inputs=op.inputs[::-1])
    if len(op.outputs) > 1:
        yield "output added", op.replace(outputs=op.outputs[:-1])
        yield "outputs reordered", op.replace(outputs=op.outputs[::-1])
    yield "output removed", op.replace(outputs=(*op.outputs, _gone(Output)))


def _of_attrs(op):
    for at, attr in enumerate(op.attrs):
        rest = (*op.attrs[:at], *op.attrs[at + 1 :])
        yield "attr added", op.replace(attrs=rest)
        yield "attr renamed", op.replace(attrs=(*rest, attr.replace(name=f"{attr.name}_old")))
        another, converted = ANOTHER.get(str(attr.type), (None, None))
        if another is not None:
            value = converted(attr_of(attr)["AT"]["D"])
            yield "attr type", op.replace(attrs=(*rest, attr.replace(type=another, default_value=value)))
    yield "attr removed", op.replace(attrs=(*op.attrs, Attr(name="gone", type="pir::Int32Attribute", default_value=1)))
    if len(op.attrs) > 1:
        yield "attrs reordered", op.replace(attrs=op.attrs[::-1])


def _gone(kind_of):
    sides = {"dispensable": False} if kind_of is Input else {}
    return kind_of(name="gone", duplicable=False, **sides)


def _of_two(head, ops):
    """Yield what no patch of one op repairs: a value that another op gives to it, or takes of it."""
    giver, taker = ops[GIVER], ops[TAKER]
    if head.inputs and head.name != GIVER:
        older = giver.replace(outputs=giver.outputs[:-1]), head.replace(inputs=head.inputs[:-1])
        yield Change("value added", head.name, _given(*older, is_given=False), _given(giver, head, is_given=True))
    if head.name != TAKER:
        older = (
            head.replace(outputs=(*head.outputs, _gone(Output))),
            taker.replace(inputs=(*taker.inputs, _gone(Input))),
        )
        yield Change("value removed", head.name, _taken(*older, is_taken=True), _taken(head, taker, is_taken=False))


def _given(giver, op, *, is_given):
    """A program in which the last input of an op is the last output of another one, or neither is there."""
    first = Step(giver, _numbers(giver.inputs), _numbers(giver.outputs, GIVEN_TOO))
    taken = (*_numbers(op.inputs[:-1]), first.outputs[-1]) if is_given else _numbers(op.inputs)
    last = Step(op, taken, _numbers(op.outputs, GIVEN))
    return Program(steps=(first, last), fetched=(last.outputs[0], first.outputs[0]))


def _taken(op, taker, *, is_taken):
    """A program in which another op takes the last output of an op, or neither is there."""
    first = alone(op).steps[0]
    taken = (1, first.outputs[-1]) if is_taken else (1,)
    last = Step(taker, taken, _numbers(taker.outputs, GIVEN_TOO))
    return Program(steps=(first, last), fetched=(first.outputs[0], last.outputs[0]))


def _numbers(arguments, first=1):
    return tuple(range(first, first + len(arguments)))
