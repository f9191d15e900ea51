from __future__ import annotations

import json
import math
from struct import pack, unpack

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opspec_lint.spec import values
from opspec_lint.spec.model import UNKNOWN
from opspec_lint.spec.values import NAN, freeze, is_attr_value, same, show, show_both, thaw

INF = float("inf")
SCALARS = st.none() | st.booleans() | st.integers(-(1 << 63), (1 << 64) - 1) | st.floats() | st.text(st.characters())
DECODED = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=5), inner, max_size=3).filter(lambda value: "float" not in value)
    ),
    max_leaves=12,
)


def typed(value):
    """Return a text that tells all values apart that are not one and the same; written for these tests alone."""
    if isinstance(value, (list, tuple)):
        return f"[{','.join(map(typed, value))}]"
    if isinstance(value, dict):
        return f"{{{','.join(f'{key!r}:{typed(value[key])}' for key in sorted(value))}}}"
    if value == 0:
        value = abs(value) if isinstance(value, float) else value
    return f"{type(value).__name__} {value!r}"


@pytest.mark.parametrize(
    ("a", "b", "equal"),
    [
        (1, 1, True),
        (1, True, False),
        (1, 1.0, False),
        (True, 1.0, False),
        (0, False, False),
        (0, 0.0, False),
        (0.0, -0.0, False),
        ((0.0,), (-0.0,), False),
        (0, 0, True),
        (False, False, True),
        (False, None, False),
        ("", None, False),
        ((), None, False),
        ((), {}, False),
        ("1", 1, False),
        (NAN, NAN, True),
        (float("nan"), float("nan"), True),
        (NAN, 0.0, False),
        (NAN, INF, False),
        (INF, -INF, False),
        ((1, 2), (1, 2), True),
        ((1, 2), (2, 1), False),
        ((1,), (1, 1), False),
        ((1,), (True,), False),
        (((0,),), ((0.0,),), False),
        ((NAN,), (float("nan"),), True),
        ({"a": 1}, {"a": 1}, True),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": 1}, {"a": 1.0}, False),
        ({"a": 1}, {"b": 1}, False),
        ({"a": (NAN,)}, {"a": (float("nan"),)}, True),
        (UNKNOWN, UNKNOWN, True),
        (UNKNOWN, None, False),
        (UNKNOWN, False, False),
    ],
)
def test_same_distinguishes_what_a_model_file_does(a, b, equal):
    assert same(a, b) is equal
    assert same(b, a) is equal


@settings(max_examples=150)
@given(DECODED, DECODED)
def test_same_agrees_with_the_types_and_texts_of_values(a, b):
    assert same(freeze(a), freeze(a))
    assert same(freeze(a), freeze(b)) is (typed(a) == typed(b))


@pytest.mark.parametrize(
    ("decoded", "frozen"),
    [
        ([1, [2, []]], (1, (2, ()))),
        ({"a": [1]}, {"a": (1,)}),
        ({"float": "Infinity"}, INF),
        ([{"float": "-Infinity"}], (-INF,)),
        ({"float": "NaN", "other": 1}, {"float": "NaN", "other": 1}),
        ("NaN", "NaN"),
        (9223372036854775807, 9223372036854775807),
    ],
)
def test_freeze(decoded, frozen):
    assert same(freeze(decoded), frozen)


@pytest.mark.parametrize("decoded", [float("nan"), -float("nan"), {"float": "NaN"}])
def test_every_nan_freezes_to_a_single_object(decoded):
    assert freeze(decoded) is NAN
    assert freeze([decoded]) == (NAN,)


@settings(max_examples=150)
@given(DECODED)
def test_frozen_values_round_trip_through_strict_json(value):
    frozen = freeze(value)
    text = json.dumps(thaw(frozen), allow_nan=False)
    assert same(freeze(json.loads(text)), frozen)
    assert same(freeze(frozen), frozen)


def test_an_object_is_written_with_sorted_keys_and_without_bare_floats_that_json_lacks():
    thawed = thaw({"b": (NAN, {"d": -INF, "c": ()}), "a": 1})
    assert json.dumps(thawed, allow_nan=False) == (
        '{"a": 1, "b": [{"float": "NaN"}, {"c": [], "d": {"float": "-Infinity"}}]}'
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (1, "1"),
        (1.0, "1.0"),
        (0.8999999761581421, "0.9"),
        (9.999999747378752e-05, "0.0001"),
        (-9.99999993922529e-09, "-1e-08"),
        (0.30000000000000004, "0.30000000000000004"),
        (1.401298464324817e-45, "1e-45"),
        (3.4028234663852886e38, "3.4028235e+38"),
        (1e300, "1e+300"),
        (123456789.123456, "123456789.123456"),
        ((0.8999999761581421, {"a": 0.10000000149011612}), '[0.9, {"a": 0.1}]'),
        ({"float": [True, None]}, '{"float": [true, null]}'),
        ("ü\n", '"ü\\n"'),
        ((1, (2,)), "[1, [2]]"),
        (NAN, "NaN"),
        (-INF, "-Infinity"),
    ],
)
def test_show(value, text):
    assert show(value) == text


def test_two_values_are_never_shown_alike():
    assert show_both(9.999999747378752e-06, 1e-05) == ("9.999999747378752e-06", "1e-05")
    assert show_both((0.8999999761581421,), (0.9,)) == ("[0.8999999761581421]", "[0.9]")
    assert show_both(0.8999999761581421, 1.0) == ("0.9", "1.0")


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_the_shortest_text_of_a_single_represents_it(value):
    (read,) = unpack("f", pack("f", float(show(value))))
    assert same(read, value)


@pytest.mark.parametrize(
    ("value", "fits"),
    [
        ((1 << 64) - 1, True),
        (1 << 64, False),
        (-(1 << 63), True),
        (-(1 << 63) - 1, False),
        ([[1 << 64]], False),
        ({"a": [1 << 64]}, False),
        ({"a": [1]}, True),
        (1e300, True),
        (math.inf, True),
        (None, True),
        (True, True),
        ("x" * 100, True),
        ({"float": "NaN"}, True),
        ({"float": "Infinity"}, True),
        ({"float": "nan"}, False),
        ({"float": 3}, False),
        ({"float": []}, False),
        ({"a": {"float": None}}, False),
    ],
)
def test_in_range(value, fits):
    assert is_attr_value(value) is fits
    if fits:
        values.freeze(value)


@pytest.mark.parametrize("wrap", [lambda inner: [inner], lambda inner: {"a": inner}])
def test_values_are_not_nested_without_end(wrap):
    value = 0
    for _ in range(values.MAX_DEPTH):
        value = wrap(value)
    assert is_attr_value(value)
    assert not is_attr_value(wrap(value))
