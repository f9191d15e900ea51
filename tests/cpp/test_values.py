"""The default of an attr that a value of C++ becomes, and the results of operators."""

from __future__ import annotations

import math

import pytest

from opspec_lint.cpp.numbers import Float32
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.values import NULL, Null, add_values, arithmetic
from opspec_lint.frameworks.paddle.extract.attr_types import attr_type, to_attr_value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int", "INT"),
        ("int32_t", "INT"),
        ("const std::string", "STRING"),
        ("::std::string", "STRING"),
        ("string", "STRING"),
        ("int64_t", "LONG"),
        ("double", "FLOAT64"),
        ("framework::BlockDesc *", "BLOCK"),
        ("framework::BlockDescBind *", "BLOCK"),
        ("class framework::VarDesc*", "VAR"),
        ("paddle::experimental::Scalar", "SCALAR"),
        ("std::vector<bool>", "BOOLEANS"),
        ("vector< ::std::string >", "STRINGS"),
        ("std::vector<typename framework::VarDesc*>", "VARS"),
        ("std::vector<double>", "FLOAT64S"),
        ("std::vector<std::vector<int>>", None),
        ("std::vector<T>", None),
        ("std::vector<int", None),
        ("std::vector<" * 20 + "int" + ">" * 20, None),
        ("unsigned", None),
        ("BlockDesc", None),
        ("", None),
    ],
)
def test_the_attr_type_of_a_type(text, expected):
    assert attr_type(text) == expected


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        (7, "INT", 7),
        (2.7, "INT", 2),
        (-2.7, "LONG", -2),
        ((1 << 31) - 1, "INT", (1 << 31) - 1),
        (1 << 31, "INT", -(1 << 31)),
        ((1 << 32) + 5, "INT", 5),
        (-1, "INT", -1),
        (1 << 31, "LONG", 1 << 31),
        (1 << 63, "LONG", -(1 << 63)),
        (True, "INT", 1),
        (1, "BOOLEAN", True),
        (0.0, "BOOLEAN", False),
        (0.1, "FLOAT", 0.10000000149011612),
        (0.1, "FLOAT64", 0.1),
        (1, "FLOAT64", 1.0),
        ("a", "STRING", "a"),
        (NULL, "BLOCK", None),
        (NULL, "VAR", None),
        ([], "INT", 0),
        ([], "LONG", 0),
        ([], "FLOAT", 0.0),
        ([], "FLOAT64", 0.0),
        ([], "BOOLEAN", False),
        ([], "STRING", ""),
        ([3], "INT", 3),
        ([1, 2.5], "INTS", (1, 2)),
        (["a"], "STRINGS", ("a",)),
        ([], "BLOCKS", ()),
    ],
)
def test_a_value_as_an_attr_holds_it(value, kind, expected):
    actual = to_attr_value(value, kind)
    assert actual == expected
    assert type(actual) is type(expected)


@pytest.mark.parametrize(
    ("value", "kind", "reason"),
    [
        ("a", "INT", "a default of type INT cannot be 'a'"),
        (1, "STRING", "a default of type STRING cannot be 1"),
        (1, "BLOCK", "a default of type BLOCK cannot be 1"),
        (NULL, "INT", "a default of type INT cannot be a null pointer"),
        (1, "INTS", "a default of type INTS cannot be 1"),
        ([1, 2], "INT", "a default of type INT cannot be [1, 2]"),
        ([[1]], "INT", "a default of type INT cannot be [[1]]"),
        ([], "BLOCK", "a default of type BLOCK cannot be []"),
        ([["a"]], "INTS", "a default of type INT cannot be 'a'"),
        (math.inf, "INT", "inf is not of type int"),
        (-math.inf, "LONG", "-inf is not of type long"),
        (math.nan, "LONG", "nan is not of type long"),
        (1, "VARIANT", "a default of type VARIANT cannot be 1"),
        ("x" * 80, "INT", f"a default of type INT cannot be '{'x' * 59}"),
    ],
)
def test_a_value_that_an_attr_cannot_hold(value, kind, reason):
    with pytest.raises(UnresolvedError) as caught:
        to_attr_value(value, kind)
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    ("a", "sign", "b", "expected"),
    [
        (7, "/", 2, 3),
        (-7, "/", 2, -3),
        (7, "/", -2, -3),
        (-7, "/", -2, 3),
        (-7, "%", 2, -1),
        (7, "%", -2, 1),
        (7.0, "/", 2, 3.5),
        (1, "<<", 0, 1),
        (1, "<<", 31, -(1 << 31)),
        (256, ">>", 4, 16),
        (6, "&", 3, 2),
        (6, "|", 3, 7),
        (6, "^", 3, 5),
        (2, "*", 3, 6),
        (2, "-", 3, -1),
        (1, "<", 1, False),
        (1, "<=", 1, True),
        (1, ">", 1, False),
        (1, ">=", 1, True),
        (1.5, "==", 1.5, True),
        (1.5, "!=", 1.5, False),
        ("a", "==", "a", True),
        ("a", "==", "b", False),
        ("a", "!=", "b", True),
        ("a", "!=", "a", False),
        ([1], "==", [1], True),
        (Float32(0.5), "+", 1, Float32(1.5)),
        (0.5, "+", Float32(1), 1.5),
    ],
)
def test_operators(a, sign, b, expected):
    actual = arithmetic(sign, a, b)
    assert actual == expected
    assert type(actual) is type(expected)


@pytest.mark.parametrize(
    ("a", "sign", "b", "reason"),
    [
        ("a", "+", 1, "'a' + 1 cannot be evaluated"),
        (1, "+", "a", "1 + 'a' cannot be evaluated"),
        ("a", "==", 1, "'a' == 1 cannot be evaluated"),
        ("a", "<", "b", "'a' < 'b' cannot be evaluated"),
        (NULL, "==", 0, "a null pointer == 0 cannot be evaluated"),
        (1, "/", 0, "a division by zero"),
        (1, "%", 0, "a division by zero"),
        (1.5, "%", 2, "1.5 % 2 cannot be evaluated"),
        (1.5, "&", 2, "1.5 & 2 cannot be evaluated"),
        (2, "|", 1.5, "2 | 1.5 cannot be evaluated"),
        (1, "^", 1.5, "1 ^ 1.5 cannot be evaluated"),
        (1, "<<", 64, "1 << 64 cannot be evaluated"),
        (1, ">>", -1, "1 >> -1 cannot be evaluated"),
        (1.0, "<<", 1, "1.0 << 1 cannot be evaluated"),
        (1, "<<", 1.0, "1 << 1.0 cannot be evaluated"),
    ],
)
def test_operators_that_make_nothing_of_their_values(a, sign, b, reason):
    with pytest.raises(UnresolvedError) as caught:
        arithmetic(sign, a, b)
    assert caught.value.reason == reason


def test_a_sum_of_texts_is_a_single_text():
    assert add_values("a", "b") == "ab"
    assert add_values(1, 2) == 3
    with pytest.raises(UnresolvedError, match=r"'a' \+ 1 cannot be evaluated"):
        add_values("a", 1)


def test_the_null_pointer_does_not_hold():
    assert not Null()
