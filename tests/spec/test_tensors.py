from __future__ import annotations

import base64

import pytest

from opspec_lint.spec import tensors, values


def tensor(dtype="DT_INT32", size=4, **fields):
    return {"tensor": {"dtype": dtype, "tensor_shape": {"dim": ({"size": size},)}, **fields}}


def content(*numbers):
    data = b"".join(number.to_bytes(4, "little") for number in numbers)
    try:
        return {"tensor_content": data.decode()}
    except UnicodeDecodeError:
        return {"tensor_content": {"bytes": base64.b64encode(data).decode()}}


@pytest.mark.parametrize(
    ("first", "two", "same"),
    [
        (tensor(int_val=(1,)), tensor(int_val=(1, 1)), True),
        (tensor(int_val=(1, 2)), tensor(int_val=(1, 2, 2, 2)), True),
        (tensor(int_val=(1, 2)), tensor(int_val=(1, 1, 2)), False),
        (tensor(int_val=(7,)), tensor(**content(7, 7, 7, 7)), True),
        (tensor(int_val=(200, 1)), tensor(**content(200, 1, 1, 1)), True),
        (tensor(int_val=(7,)), tensor(**content(7, 7, 7, 8)), False),
        (tensor(), tensor(int_val=(0,)), True),
        (tensor(int_val=(1,)), tensor(size=5, int_val=(1,)), False),
        (tensor("DT_INT64", int64_val=(1,)), tensor(int_val=(1,)), False),
        (tensor("DT_STRING", string_val=("a",)), tensor("DT_STRING", string_val=("a", "a")), False),
        (tensor("DT_STRING", string_val=("a",)), tensor("DT_STRING", string_val=("a",)), True),
        (tensor(int_val=(1 << 40,)), tensor(int_val=(1 << 40, 1 << 40)), False),
        (tensor(tensor_content="abc"), tensor(tensor_content="abcabc"), False),
        (tensor("DT_FLOAT", float_val=(0.1,)), tensor("DT_FLOAT", float_val=(0.1, 0.1)), True),
    ],
)
def test_two_ways_to_write_a_tensor(first, two, same):
    assert values.same(first, two) is same
    assert values.same(two, first) is same


def test_in_different_values_the_same_fields_are_compared_in_turn():
    first, two = tensor(int_val=(1,)), tensor(int_val=(1, 1))
    assert not values.same(first["tensor"], two["tensor"])
    assert not values.same((first["tensor"],), (two["tensor"],))


@pytest.mark.parametrize("dims", [(None,), (1,), "x", None, ({"size": None},)])
def test_what_has_no_shape_is_the_same_as_nothing(dims):
    tensor = {"dtype": "DT_INT32", "tensor_shape": {"dim": dims}, "int_val": (1,)}
    assert not tensors.same(tensor, {**tensor, "tensor_shape": {"dim": ({"size": 1},)}})
