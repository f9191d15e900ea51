"""Writes the PIR program of one op, as Paddle 3 saves it: a `data` op for each input, the op, and a `fetch`."""

from __future__ import annotations

import json

from opspec_lint.frameworks.paddle.saved.pir.patches import ARRAY
from opspec_lint.frameworks.paddle_pir.compare.remedies import stored_type
from opspec_lint.proof.sample import UnwritableError
from opspec_lint.proof.writer import Writer
from opspec_lint.spec import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from opspec_lint.proof.sample import Sample
    from opspec_lint.spec.model import Attr, Spec

_CODES: dict[str, tuple[str, tuple[Any, ...]]] = {
    "pir::BoolAttribute": ("0.a_bool", (False, True)),
    "pir::FloatAttribute": ("0.a_f32", (1.0, 0.5)),
    "pir::DoubleAttribute": ("0.a_f64", (1.0, 0.5)),
    "pir::Int32Attribute": ("0.a_i32", (1, 0, -1)),
    "pir::Int64Attribute": ("0.a_i64", (1, 0, -1)),
    "pir::StrAttribute": ("0.a_str", ("", "a")),
    "paddle::dialect::IntArrayAttribute": ("1.a_intarray", ((1,), (1, 2))),
    "paddle::dialect::DataTypeAttribute": ("1.a_dtype", ("float32", "int64")),
    "paddle::dialect::PlaceAttribute": ("1.a_place", ((0, 0, ""),)),
}
"""The code of a type in a program, and valid values, the simplest first."""
_SHAPE = (2, 3)


def write(sample: Sample, spec: Spec) -> bytes:
    """Return the program of a sample as the release of a spec saves it.

    Raises UnwritableError for an op outside of `pd_op`, with lists of tensors, or with an attr of an unknown type.
    """
    op = sample.op
    if not op.name.startswith("pd_op.") or op.get("variadic") is True:
        raise UnwritableError(f"{op.name!r} has no operands that a spec states")
    if any(argument.duplicable is True for argument in (*op.inputs, *op.outputs)):
        raise UnwritableError(f"{op.name!r} has a list of tensors")
    if not op.outputs:
        raise UnwritableError(f"{op.name!r} has no output that a program could fetch")
    kinds = {attr.name: str(attr.type) for attr in op.attrs}
    attrs = [
        _stored_attr(name, *_stored_value(kinds[name], values.thaw(value))) for name, value in sample.attrs.items()
    ]
    # Values are numbered in the order of their ops; 0 stands for an input that is not given.
    given = [number + 1 if argument.name in sample.inputs else 0 for number, argument in enumerate(op.inputs)]
    first = len(op.inputs) + 1
    outputs = range(first, first + len(op.outputs))
    ops = [
        *(_data_op(number) for number in given if number),
        _operation(f"1.{op.name.removeprefix('pd_op.')}", given, outputs, attrs),
        _operation(
            "1.fetch",
            [first],
            [first + len(op.outputs)],
            [_string_attr("name", "y"), _stored_attr("col", "0.a_i32", 0)],
        ),
    ]
    blocks = [{"#": "block_0", "args": [], "ops": ops}]
    header = {"magic": "pir", "version": _version(spec), "trainable": False}
    return json.dumps({"base_code": header, "program": {"regions": [{"#": "region_0", "blocks": blocks}]}}).encode()


def candidate_values(attr: Attr) -> list[Any]:
    """Return valid values of an attr; raises UnwritableError for an unknown type."""
    kind = stored_type(str(attr.type))
    if kind.startswith(ARRAY):
        _, items = _code_and_values(kind[len(ARRAY) + 1 : -1])
        return [(), items[:1]]
    _, candidates = _code_and_values(kind)
    return list(candidates)


def _version(spec: Spec) -> int:
    """Return the version of PIR that a release writes; 1 if its spec does not state it."""
    producer = None if spec.graph_versions is None else spec.graph_versions.producer
    return producer if isinstance(producer, int) else 1


def _code_and_values(kind: str) -> tuple[str, tuple[Any, ...]]:
    """Return the code of a type and valid values; raise UnwritableError for an unknown type."""
    if kind not in _CODES:
        raise UnwritableError(f"values of the type {kind} cannot be written")
    return _CODES[kind]


def _stored_value(kind: str, value: Any) -> tuple[str, Any]:
    """Return the code of a type, and a value in the form that a program stores."""
    stored = stored_type(kind)
    if not stored.startswith(ARRAY):
        code, _ = _code_and_values(stored)
        return code, value
    code, _ = _code_and_values(stored[len(ARRAY) + 1 : -1])
    return "0.a_array", [{"#": code, "D": item} for item in value]


def _stored_attr(name: str, code: str, value: Any) -> dict[str, Any]:
    """Return the JSON of an attr, given the code of its type."""
    return {"N": name, "AT": {"#": code, "D": value}}


def _string_attr(name: str, value: str) -> dict[str, Any]:
    """Return the JSON of an attr that is a string."""
    return _stored_attr(name, "0.a_str", value)


def _data_op(number: int) -> dict[str, Any]:
    """Return the op `data` that feeds an input."""
    attrs = [
        _string_attr("name", f"x{number}"),
        _stored_attr("shape", "1.a_intarray", list(_SHAPE)),
        _stored_attr("dtype", "1.a_dtype", "float32"),
        _stored_attr("place", "1.a_place", [0, 0, ""]),
    ]
    return _operation("1.data", [], [number], attrs)


def _operation(name: str, inputs: Iterable[int], outputs: Iterable[int], attrs: list[dict[str, Any]]) -> dict[str, Any]:
    """Return an op of a program; its outputs are float tensors."""
    tensors = [
        {"%": value_id, "TT": {"#": "0.t_dtensor", "D": [{"#": "0.t_f32"}, list(_SHAPE), "NCHW", [], 0]}}
        for value_id in outputs
    ]
    stop = _stored_attr("stop_gradient", "0.a_array", [{"#": "0.a_bool", "D": True} for _ in tensors])
    return {"#": name, "A": attrs, "I": [{"%": value_id} for value_id in inputs], "O": tensors, "OA": [stop]}


WRITER = Writer(
    summary="a PIR program, as Paddle 3 saves it",
    format="paddle_pir",
    suffix=".json",
    write=write,
    values=candidate_values,
    writes_defaults=True,
)
