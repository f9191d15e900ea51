"""What the checkers of an attr say of its values: an enum, a comparison, a lambda; and what they leave unknown."""

from __future__ import annotations

import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.extract.bounds import bounds_of_comparison
from opspec_lint.kit.float32 import to_float32
from opspec_lint.spec.model import UNKNOWN
from tests.support.trees.paddle_trees import declared_of, read_maker

TINY = struct.unpack("<f", b"\1\0\0\0")[0]
BELOW_1 = struct.unpack("<f", struct.pack("<i", struct.unpack("<i", struct.pack("<f", 1.0))[0] - 1))[0]
FREE = (None, None, None)
UNTOLD = (UNKNOWN, UNKNOWN, UNKNOWN)


def bounds(kind, chain, before="", around=""):
    """Return the allowed values, minimum and maximum of an attr with some modifiers."""
    (attr,) = declared_of(read_maker(f'{before}\n    AddAttr<{kind}>("a", ""){chain};', around)).attrs
    return attr.allowed_values, attr.minimum, attr.maximum


def enforcing(kind, checks, capture=""):
    return f".AddCustomChecker([{capture}](const {kind}& v) {{ {checks} }})"


@pytest.mark.parametrize(
    ("kind", "chain", "expected"),
    [
        ("int", "", FREE),
        ("int", ".InEnum({2, 1})", ((1, 2), None, None)),
        ("int", ".InEnum({2, 1}).InEnum({3, 2})", ((2,), None, None)),
        ("int", ".GreaterThan(0)", (None, 1, None)),
        ("int", ".EqualGreaterThan(0)", (None, 0, None)),
        ("int", ".LargerThan(0)", (None, 1, None)),
        ("int64_t", ".EqualLargerThan(-1).GreaterThan(3)", (None, 4, None)),
        ("float", ".GreaterThan(0.0)", (None, TINY, None)),
        ("float", ".EqualGreaterThan(0.1)", (None, to_float32(0.1), None)),
        ("double", ".GreaterThan(1)", (None, math.nextafter(1.0, 2.0), None)),
        ("std::string", '.GreaterThan("b")', UNTOLD),
        ("std::vector<int>", ".GreaterThan({1})", UNTOLD),
        ("std::vector<int>", ".InEnum({{1}, {2}})", UNTOLD),
    ],
)
def test_the_checkers_of_paddle_bound_what_an_attr_may_be(kind, chain, expected):
    assert bounds(kind, chain) == expected


@pytest.mark.parametrize(
    ("kind", "checks", "expected"),
    [
        ("float", "PADDLE_ENFORCE(v >= 0.0f && v <= 1.0f);", (None, 0.0, 1.0)),
        ("float", 'PADDLE_ENFORCE_EQ(v >= 0.0f && v < 1.0f, true, Error("a, b"));', (None, 0.0, BELOW_1)),
        ("float", "PADDLE_ENFORCE_EQ(true, (v > 0), Error());", (None, TINY, None)),
        ("float", "PADDLE_ENFORCE_LE(v, 0.001f); PADDLE_ENFORCE_GE(v, 0.0);", (None, 0.0, to_float32(0.001))),
        ("float", "PADDLE_ENFORCE_LE(0.5, v, Error());", (None, 0.5, None)),
        ("float", "PADDLE_ENFORCE_EQ(v < 0, false);", UNTOLD),  # NaN passes
        ("int", "PADDLE_ENFORCE_EQ(v < 0, false);", (None, 0, None)),
        ("int", "PADDLE_ENFORCE_NE(v < 0, true);", (None, 0, None)),
        ("int", "PADDLE_ENFORCE_EQ(!(v < 0 || v > kMost), true);", (None, 0, 7)),
        ("int", "PADDLE_ENFORCE_EQ(v >= 1 && v <= 1 << 4, true, Error(v));", (None, 1, 16)),
        ("int", "PADDLE_ENFORCE_GT(v, 0.5);", (None, 1, None)),
        ("int", "PADDLE_ENFORCE_LT(v, 0.5);", (None, None, 0)),
        ("int", "PADDLE_ENFORCE_GE(v, 1U);", UNTOLD),  # as numbers without a sign, -1 is the largest
        ("int", "PADDLE_ENFORCE_NE(v, 0);", UNTOLD),
        ("int", "PADDLE_ENFORCE(v < 0 || v >= 1);", UNTOLD),
        ("int", "PADDLE_ENFORCE_EQ(v == 0 || v == -1 || v == 1, true);", ((-1, 0, 1), None, None)),
        ("int", "PADDLE_ENFORCE_EQ(v % 2, 0);", UNTOLD),
        ("int", "PADDLE_ENFORCE_GE(v, v - 1);", UNTOLD),
        ("int", "PADDLE_ENFORCE_GE(v, limit);", UNTOLD),
        ("int", "PADDLE_ENFORCE_GE(static_cast<unsigned>(v), 2);", UNTOLD),
        ("int", "PADDLE_ENFORCE_GE(0 < v, true);", UNTOLD),
        ("int", "PADDLE_ENFORCE_GE(v, 1); PADDLE_ENFORCE_NE(v, 5);", (UNKNOWN, 1, UNKNOWN)),
        ("int", "int kMost = 3; PADDLE_ENFORCE_LE(v, kMost);", UNTOLD),
        ("int", "if (v > 3) { return; } PADDLE_ENFORCE_GE(v, 1);", UNTOLD),
        ("int", "if (debug) PADDLE_ENFORCE_GE(v, 1);", UNTOLD),
        ("int", "for (;;) { break; } PADDLE_ENFORCE_GE(v, 1);", UNTOLD),
        ("int", "return v > 0;", FREE),  # what is returned is dropped
        ("int", "return Check(v);", UNTOLD),
        ("int", "return; PADDLE_ENFORCE_GE(v, 1);", FREE),
        ("std::string", 'PADDLE_ENFORCE_EQ(v == "b" || v == "a", true, "text");', (("a", "b"), None, None)),
        ("std::string", 'PADDLE_ENFORCE_EQ(v, "a");', (("a",), None, None)),
        ("std::string", "PADDLE_ENFORCE_EQ(v.empty(), false);", (None, 1, None)),
        ("std::string", "return !v.empty();", FREE),
        ("std::string", "PADDLE_ENFORCE_EQ(IsKnown(v), true);", UNTOLD),
        ("std::vector<int>", "PADDLE_ENFORCE_EQ(v.size(), 2UL);", (None, 2, 2)),
        ("std::vector<int>", "PADDLE_ENFORCE_EQ(v.size() == 2, true);", (None, 2, 2)),
        ("std::vector<int>", "PADDLE_ENFORCE_LT(static_cast<int>(v.size()), 6);", (None, None, 5)),
        ("std::vector<int>", "PADDLE_ENFORCE_GT(v.size(), -1);", UNTOLD),
        ("std::vector<int>", "PADDLE_ENFORCE(!v.empty());", (None, 1, None)),
        ("std::vector<int>", "PADDLE_ENFORCE_GT(v[0], 0);", UNTOLD),
        (
            "std::vector<int>",
            "PADDLE_ENFORCE_GT(v.size(), 0); for (int a : v) { PADDLE_ENFORCE_LT(a, 6); }",
            (UNKNOWN, 1, UNKNOWN),
        ),
        ("std::vector<int>", "for (int a : v) { if (!a) return; } PADDLE_ENFORCE_GT(v.size(), 0);", UNTOLD),
        ("bool", "PADDLE_ENFORCE_EQ(v, true);", UNTOLD),
        ("int", "PADDLE_ENFORCE(" + "(" * 5000 + "v > 0" + ")" * 5000 + ");", UNTOLD),
        ("int", "PADDLE_ENFORCE(" + "!" * 5000 + "v > 0);", UNTOLD),
        ("int", "PADDLE_ENFORCE(" + "(" * 100 + "v > 0" + ")" * 100 + ");", UNTOLD),
        ("int", "PADDLE_ENFORCE(" + "w<" * 20000 + "v);", UNTOLD),  # each may begin the arguments of a template
    ],
)
def test_a_lambda_states_what_it_enforces_in_plain_comparisons(kind, checks, expected):
    assert bounds(kind, enforcing(kind, checks), around="constexpr int kMost = 7;") == expected


@pytest.mark.parametrize(
    ("chain", "expected"),
    [
        (".AddCustomChecker(check)", UNTOLD),
        (".AddCustomChecker([&](const int& v) -> void { PADDLE_ENFORCE_GE(v, least); })", (None, 3, None)),
        (".AddCustomChecker([least = 5](const int& v) { PADDLE_ENFORCE_GE(v, least); })", UNTOLD),
        (".AddCustomChecker([](const int&) { PADDLE_ENFORCE_GE(1, 0); })", UNTOLD),
        (".AddCustomChecker([](const int& v) { PADDLE_ENFORCE_GE(v, 1); }(1))", UNTOLD),
        (".GreaterThan(4).AddCustomChecker([](const int& v) { PADDLE_ENFORCE_GE(v, 1); })", (None, 5, None)),
        (".AddCustomChecker()", UNTOLD),
        (".AddCustomChecker([])", UNTOLD),
        (".AddCustomChecker([](const int& v))", UNTOLD),
    ],
)
def test_a_lambda_sees_what_is_around_it(chain, expected):
    assert bounds("int", chain, before="int least = 3;") == expected


SIGNS = {"<": float.__lt__, "<=": float.__le__, ">": float.__gt__, ">=": float.__ge__}
WIDE = st.floats(-1e30, 1e30)


@given(st.sampled_from(sorted(SIGNS)), WIDE, WIDE, st.sampled_from(["FLOAT", "FLOAT64", "INT"]))
def test_a_bound_holds_for_exactly_the_values_that_the_comparison_holds_for(sign, limit, value, kind):
    """The value next to the limit is tried as well, of either side."""
    result = bounds_of_comparison(sign, limit, kind)
    for item in (value, limit, math.nextafter(limit, math.inf), math.nextafter(limit, -math.inf)):
        held = to_float32(item) if kind == "FLOAT" else float(math.floor(item)) if kind == "INT" else item
        inside = (result.minimum is None or held >= result.minimum) and (
            result.maximum is None or held <= result.maximum
        )
        assert inside == SIGNS[sign](held, limit)


@given(st.sampled_from(["<", ">="]), WIDE)
def test_a_bound_of_single_precision_is_a_number_of_it(sign, limit):
    result = bounds_of_comparison(sign, limit, "FLOAT")
    bound = result.maximum if result.minimum is None else result.minimum
    assert to_float32(bound) == bound


@pytest.mark.parametrize(
    ("sign", "limit"), [(">", 3.4028234663852886e38), ("<", math.inf), (">=", math.nan), ("!=", 1)]
)
def test_what_no_bound_can_state_is_unresolved(sign, limit):
    with pytest.raises(UnresolvedError):
        bounds_of_comparison(sign, limit, "FLOAT")
