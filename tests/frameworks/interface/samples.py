"""Samples of interfaces of saved models for the tests of all frameworks (`tests/support/per_framework.py`)."""

from __future__ import annotations

from opspec_lint.lint import examples
from opspec_lint.spec.interface import notation

FOREIGN = "dispensable|duplicable|op versions?|GraphDef|OpDef|quant|extra|attrs?"
DECLARATIONS = 'signature s(x: float32[None, 4]) -> {"y": float32[]} method "predict" tags "serve"'
WRONG = [
    ({"called_as": "singature"}, "called_as: expected "),
    ({"inputs": [{"name": "x", "passing": "by name"}]}, "inputs[0].passing: expected "),
]
INTERFACE = """\
from tensorflow 2.15.1
signature serving_default(x: float32[None, 4]) -> {"y": float32[None], "z": int64[None]} method "predict" tags "serve"
signature scaled(x: float32[None, 4], scale: float32[] = 3.0) -> {"y": float32[None, 1]} tags "serve"
function f(x, training=False): (float32[None], False) -> float32[] | (float32[None], True) -> float32[]
function g(x, *more, scale=2, **named) restricted: (float32[None, 2], scale=2) -> (float32[], [int32[None], "a"])
concrete function h(x, *, flag): (float32[2], flag=True) -> {"a": float32[2], "b": string[]}
graph model(x: float32[None, 4], n: int32[]) -> {"y": float32[None, 1], "w": float32[4]}
"""


declares = examples.is_interface


def kinds():
    return {"interface": (notation.parse_spec(INTERFACE),)}
