"""The names that a model may use, and the texts of its types: each can be read again."""

from __future__ import annotations

import pytest

from opspec_lint.frameworks.interface import types as made
from opspec_lint.models.model import Structure, Tensor
from opspec_lint.spec.interface import types

ODD = (
    "",
    "0",
    "info",
    "nan",
    "True",
    "-1",
    "a b",
    "a'b",
    'a"b',
    "a\\b",
    "a\nb",
    "é",
    "(",
    "=",
    "None",
    "x" * 300,
    "\u202e",
    "a.b",
    "?",
)
NUMBER = Structure(kind="tensor", facts={"dtype": "int32", "shape": []})


@pytest.mark.parametrize("name", ODD)
def test_any_name_can_be_read_again(name):
    for result in (
        made.tensor_type(Tensor(name="t", dtype=name, shape=(1, -1))),
        made.tensor_type(Tensor(name="t", dtype=name, encoding=name or "odd")),
        made.structure_type(Structure(kind="dict", items=((name, NUMBER),))),
        made.structure_type(Structure(kind="named_tuple", facts={"name": name}, items=((name, NUMBER),))),
        made.structure_type(Structure(kind="type_spec", facts={"type": name})),
        made.structure_type(Structure(kind="value", facts={"type": "str", "value": name})),
        made.structure_type(Structure(kind="value", facts={"type": "DType", "value": name})),
        made.structure_type(Structure(kind=name)),
    ):
        text = str(result)
        assert str(types.parse(text)) == text


@pytest.mark.parametrize("value", [0, -1, 1.5, 1e300, -1e-7, "nan", "inf", "-inf", True, None])
def test_any_value_can_be_read_again(value):
    kind = "float" if isinstance(value, str) else type(value).__name__
    text = str(made.structure_type(Structure(kind="value", facts={"type": kind, "value": value})))
    assert str(types.parse(text)) == text
