from __future__ import annotations

import re
import struct

import pytest

from opspec_lint.frameworks.tensorflow.extract.messages import data_type_number
from opspec_lint.frameworks.tensorflow.saved.graph_messages import message
from opspec_lint.frameworks.tensorflow.saved.graphs.constants import python_text
from opspec_lint.spec.interface import types


def tensor(kind, shape=(), **fields):
    made = message("TensorProto")(dtype=data_type_number(kind), **fields)
    for size in shape:
        made.tensor_shape.dim.add().size = size
    return made


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        (tensor("float", float_val=[0.1]), "0.1"),
        (tensor("float", float_val=[float("-inf")]), "-inf"),
        (tensor("float", float_val=[3]), "3.0"),
        (tensor("float"), "0.0"),
        (tensor("bool", bool_val=[True]), "True"),
        (tensor("string", string_val=[b"a"]), "b'a'"),
        (tensor("int64", [3], int64_val=[7]), "[7, 7, 7]"),
        (tensor("int32", [2, 2], tensor_content=struct.pack("<4i", 1, 2, 3, 4)), "[[1, 2], [3, 4]]"),
        (tensor("uint8", [0]), "[]"),
        (tensor("int32", [2, 0]), "[[], []]"),
    ],
)
def test_a_constant_is_written_as_python_does(expected, text):
    assert python_text(expected) == text
    assert str(types.parse(text)) == text


@pytest.mark.parametrize(
    ("expected", "another"),
    [
        (tensor("float", [17], float_val=[1.0]), tensor("float", [17], float_val=[2.0])),
        (tensor("half", half_val=[15360]), tensor("half", half_val=[0])),
        (tensor("int32", [2], tensor_content=b"123"), tensor("int32", [2], tensor_content=b"124")),
    ],
)
def test_a_constant_without_literal_has_a_digest(expected, another):
    text = python_text(expected)
    assert re.fullmatch("'sha256 [0-9a-f]{16}'", text)
    assert str(types.parse(text)) == text != python_text(another)
