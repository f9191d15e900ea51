"""PIR programs of one op, made of what a spec declares, and what base would have declared for each change of them."""

from __future__ import annotations

import json

from pir_models import kind, regions

from opspec_lint.frameworks.paddle_pir.remedies import stored_type
from opspec_lint.spec import values
from opspec_lint.spec.model import UNKNOWN, Attr, Input, Output
from opspec_lint.spec.patches import ARRAY

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
OTHER = {
    "pir::BoolAttribute": "pir::Int32Attribute",
    "pir::FloatAttribute": "pir::DoubleAttribute",
    "pir::DoubleAttribute": "pir::FloatAttribute",
    "pir::Int32Attribute": "pir::Int64Attribute",
    "pir::Int64Attribute": "pir::Int32Attribute",
    "pir::StrAttribute": "pir::FloatAttribute",
}
"""What the type of an attr may have been before it changed."""


def attr_of(name, of_type, default=None):
    """An attr as a program has it; None for a type that is not written here."""
    stored = stored_type(of_type)
    is_list = stored.startswith(ARRAY)
    code, value = CODES.get(stored[len(ARRAY) + 1 : -1] if is_list else stored, (None, None))
    if code is None:
        return None
    known = default not in (None, UNKNOWN)
    if is_list:
        items = values.thaw(default) if known else [value]
        return {"N": name, "AT": {"#": "0.a_array", "D": [{"#": code, "D": each} for each in items]}}
    if known and code.startswith("0."):
        value = values.thaw(default)
    return {"N": name, "AT": {"#": code, "D": value}}


def program(op, version):
    """A program that runs one op as its declaration has it; None where it has a type that is not written here."""
    attrs = [attr_of(each.name, str(each.type), each.default_value) for each in op.attrs]
    if None in attrs:
        return None
    fed = len(op.inputs)
    made = list(range(fed + 1, fed + 1 + len(op.outputs)))
    fetch = [{"N": "name", "AT": {"#": "0.a_str", "D": "f0"}}, {"N": "col", "AT": {"#": "0.a_i32", "D": 0}}]
    ops = [
        *(_source(number) for number in range(1, fed + 1)),
        _op(f"1.{op.name.partition('.')[2]}", range(1, fed + 1), made, attrs),
        _op("1.fetch", made[:1], [made[-1] + 1], fetch),
    ]
    header = {"magic": "pir", "version": version, "trainable": False}
    return json.dumps({"base_code": header, "program": {"regions": regions(*ops)}})


def _source(number):
    attrs = [
        {"N": "name", "AT": {"#": "0.a_str", "D": f"in{number}"}},
        {"N": "shape", "AT": {"#": "1.a_intarray", "D": [2, 3]}},
        {"N": "dtype", "AT": {"#": "1.a_dtype", "D": "float32"}},
        {"N": "place", "AT": {"#": "1.a_place", "D": [0, 0, ""]}},
    ]
    return _op("1.data", [], [number], attrs)


def _op(name, inputs, outputs, attrs):
    stop = {"N": "stop_gradient", "AT": {"#": "0.a_array", "D": [{"#": "0.a_bool", "D": True} for _ in outputs]}}
    return {
        "#": name,
        "A": attrs,
        "I": [{"%": each} for each in inputs],
        "O": [{"%": each, "TT": kind((2, 3))} for each in outputs],
        "OA": [stop],
    }


def is_plain(op):
    """Whether all inputs of an op are tensors, so that a program of it can be made."""
    return bool(op.outputs) and not any(each.get("mutable_attr") or each.duplicable is True for each in op.inputs)


def before(op):
    """Yield a name for each kind of change, and what base declared before head came to declare an op so."""
    for at, attr in enumerate(op.attrs):
        rest = (*op.attrs[:at], *op.attrs[at + 1 :])
        yield "attr added", op.but(attrs=rest)
        yield "attr renamed", op.but(attrs=(*rest, attr.but(name=f"{attr.name}_old")))
        other = OTHER.get(str(attr.type))
        if other is not None:
            yield "attr type", op.but(attrs=(*rest, attr.but(type=other, default_value=None)))
    yield "attr removed", op.but(attrs=(*op.attrs, Attr(name="gone", type="pir::Int32Attribute", default_value=1)))
    if op.inputs:
        yield "input added", op.but(inputs=op.inputs[:-1])
    yield "input removed", op.but(inputs=(*op.inputs, Input(name="gone", dispensable=False, duplicable=False)))
    if len(op.outputs) > 1:
        yield "output added", op.but(outputs=op.outputs[:-1])
    yield "output removed", op.but(outputs=(*op.outputs, Output(name="gone", duplicable=False)))
