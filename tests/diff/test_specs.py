from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opspec_lint.diff.specs import diff
from opspec_lint.documents.decode import Document, decode
from opspec_lint.frameworks.paddle.types import ATTR_TYPES
from opspec_lint.sources import recognise
from opspec_lint.spec import canonical
from opspec_lint.spec.model import UNKNOWN
from opspec_lint.spec.notation import parse_spec
from tests.diff.mirrors import facts, is_mirrored

CASES = [
    # Ops
    ("f(X) -> (Out)", "f(X) -> (Out)", []),
    ("f(X) -> (Out)", "", ["op_removed op f"]),
    ("", "f(X) -> (Out)", ["op_added op f"]),
    ("f(X) -> (Out)", "g(X) -> (Out)", ["op_removed op f", "op_added op g"]),
    ("f() -> () deprecated null", 'f() -> () deprecated "soon"', ["deprecation_changed op f"]),
    ('f() -> () deprecated "soon"', 'f() -> () deprecated "now"', ["deprecation_changed op f"]),
    ("f() -> ()", 'f() -> () deprecated "now"', []),
    # Inputs and outputs
    ("f(X) -> ()", "f(X, Y) -> ()", ["input_added_not_dispensable input Y"]),
    ("f(X) -> ()", "f(X, Y?) -> ()", ["input_added_dispensable input Y"]),
    ("f(X) -> ()", "f(X, Y {dispensable?}) -> ()", ["input_added_not_dispensable input Y"]),
    ("f() -> (Out)", "f() -> (Out, Mask)", ["output_added_not_dispensable output Mask"]),
    ("f() -> (Out)", "f() -> (Out, Mask?~)", ["output_added_dispensable output Mask"]),
    ("f(X, Y?) -> ()", "f(X) -> ()", ["input_removed input Y"]),
    ("f() -> (Out, Mask)", "f() -> (Out)", ["output_removed output Mask"]),
    ("f(X) -> (Out)", "f(X?) -> (Out?)", ["dispensable_set input X", "dispensable_set output Out"]),
    ("f(X*) -> (Out*)", "f(X) -> (Out)", ["duplicable_cleared input X", "duplicable_cleared output Out"]),
    ("f(X~) -> (Out)", "f(X) -> (Out~)", ["intermediate_cleared input X", "intermediate_set output Out"]),
    ("f(X {extra}) -> (Out)", "f(X) -> (Out {extra})", ["extra_cleared_not_optional input X", "extra_set output Out"]),
    ("f(X? {extra}) -> ()", "f(X?) -> ()", ["extra_cleared input X"]),
    ("f(X {quant}) -> (Out)", "f(X) -> (Out {quant})", ["quant_cleared input X", "quant_set output Out"]),
    ("f(X: T) -> (Y: T)", "f(X: U) -> (Y: T)", ["argument_type_changed input X"]),
    ("f(X: T) -> (Y)", "f(X: T) -> (Y: T)", []),
    (
        "f(X) -> ()",
        "f(X?* {quant}) -> ()",
        ["dispensable_set input X", "duplicable_set input X", "quant_set input X"],
    ),
    # Attrs
    ("f() -> ()", "f() -> () [a: INT = 0]", ["attr_added_with_default attr a"]),
    ("f() -> ()", "f() -> () [a: INT]", ["attr_added_without_default attr a"]),
    ("f() -> ()", "f() -> () [a: INT = ?]", ["attr_added_without_default attr a"]),
    ("f() -> () [a: INT = 0]", "f() -> ()", ["attr_removed attr a"]),
    ("f() -> () [a: INT = 0]", "f() -> () [a: INT = 1]", ["attr_default_changed attr a"]),
    ("f() -> () [a: INT]", "f() -> () [a: INT = 1]", ["attr_default_added attr a"]),
    ("f() -> () [a: INT = 1]", "f() -> () [a: INT]", ["attr_default_removed attr a"]),
    ("f() -> () [a: INT = 1]", "f() -> () [a: INT = ?]", []),
    ("f() -> () [a: INT]", "f() -> () [a: INT = ?]", []),
    ("f() -> () [a: INT = 0]", "f() -> () [a: LONG = 0]", ["attr_type_changed attr a"]),
    ("f() -> () [a = 0]", "f() -> () [a: LONG = 0]", []),
    (
        "f() -> () [a: LONG = 0]",
        "f() -> () [a: LONGS = [0]]",
        ["attr_type_changed attr a", "attr_default_changed attr a"],
    ),
    ("f() -> () [a: INT {generated}]", "f() -> () [a: INT]", ["generated_cleared attr a"]),
    ("f() -> () [a: INT = 0 {extra}]", "f() -> () [a: INT = 0]", ["extra_cleared attr a"]),
    ("f() -> () [a: INT {extra}]", "f() -> () [a: INT]", ["extra_cleared_not_optional attr a"]),
    ("f() -> () [a: INT {quant}]", "f() -> () [a: INT]", ["quant_cleared attr a"]),
    ("f() -> () [a: T in [1, 2]]", "f() -> () [a: T in [1]]", ["allowed_values_narrowed attr a"]),
    ("f() -> () [a: T in [1]]", "f() -> () [a: T in null]", ["allowed_values_widened attr a"]),
    ("f() -> () [a: T in [1]]", "f() -> () [a: T in [2]]", ["allowed_values_narrowed attr a"]),
    ("f() -> () [a: T in [1, 2]]", "f() -> () [a: T in [2, 1]]", ["allowed_values_reordered attr a"]),
    ("f() -> () [a: T in [1]]", "f() -> () [a: T]", []),
    ("f() -> () [a: int >= 1]", "f() -> () [a: int >= 2]", ["minimum_raised attr a"]),
    ("f() -> () [a: int >= 1]", "f() -> () [a: int >= null]", ["minimum_lowered attr a"]),
    ("f() -> () [p: FLOAT >= 0.0 <= 1.0]", "f() -> () [p: FLOAT >= 0.0 <= 0.5]", ["maximum_lowered attr p"]),
    ("f() -> () [p: FLOAT >= 0.0 <= 1.0]", "f() -> () [p: FLOAT >= 0.0 <= null]", ["maximum_raised attr p"]),
    ("f() -> () [a: int >= 1]", "f() -> () [a: int]", []),
    # Values, as a model file tells them apart
    ("f() -> () [a: INT = 1]", "f() -> () [a: INT = true]", ["attr_default_changed attr a"]),
    ("f() -> () [a: INT = 0]", "f() -> () [a: INT = 0.0]", ["attr_default_changed attr a"]),
    ("f() -> () [a: INT = 0]", "f() -> () [a: FLOAT = 0.0]", ["attr_type_changed attr a"]),
    ("f() -> () [a: INTS = [0, 1]]", "f() -> () [a: FLOATS = [0.0, 1.0]]", ["attr_type_changed attr a"]),
    (
        "f() -> () [a: INT = 0]",
        "f() -> () [a: FLOAT = 0.5]",
        ["attr_type_changed attr a", "attr_default_changed attr a"],
    ),
    ("f() -> () [a = 0]", "f() -> () [a: FLOAT = 0.0]", ["attr_default_changed attr a"]),
    ("f() -> () [a: FLOAT = NaN]", "f() -> () [a: FLOAT = NaN]", []),
    ("f() -> () [a: FLOATS = [NaN, 1.0]]", "f() -> () [a: FLOATS = [NaN, 1.0]]", []),
    ("f() -> () [a: FLOAT = NaN]", "f() -> () [a: FLOAT = Infinity]", ["attr_default_changed attr a"]),
    ("f() -> () [a: INTS = [[1], []]]", "f() -> () [a: INTS = [[], [1]]]", ["attr_default_changed attr a"]),
    ('f() -> () [a: STRING = ""]', "f() -> () [a: STRING]", ["attr_default_removed attr a"]),
    ("f() -> () [a: INTS = []]", "f() -> () [a: INTS]", ["attr_default_removed attr a"]),
    ("f() -> () [a: BOOLEAN = false]", "f() -> () [a: BOOLEAN]", ["attr_default_removed attr a"]),
    # Renames and moves
    ("f() -> () [dims: INTS]", "f() -> () [axis: INTS]", ["attr_renamed attr dims"]),
    ("f() -> (last_h)", "f() -> (LastH)", ["output_renamed output last_h"]),
    ("f() -> (Out, Stop)", "f(Stop) -> (Out)", ["output_moved output Stop"]),
    ("f(X, Stop) -> (Out)", "f(X) -> (Out, Stop)", ["input_moved input Stop"]),
    ("f(X) -> ()", "f() -> () [X]", ["input_removed input X", "attr_added_without_default attr X"]),
    # One name under several kinds
    ("f(X) -> (X) [X: INT = 0]", "f(X?) -> (X) [X: INT = 0]", ["dispensable_set input X"]),
    # Two ops, each with its own
    (
        "f(X) -> ()\ng(X) -> ()",
        "f(X?) -> ()\ng(X*) -> ()",
        ["dispensable_set input X", "duplicable_set input X"],
    ),
]

UNKNOWN_CASES = [
    # What one side does not know is not compared, whatever the other says (test_knowledge.py: that it does not know)
    *(
        (f"f({base}) -> ()", f"f({head}) -> ()", [])
        for flag, mark in (("dispensable", "?"), ("duplicable", "*"), ("intermediate", "~"))
        for base, head in (
            (f"X {{{flag}?}}", "X"),
            (f"X {{{flag}?}}", f"X{mark}"),
            (f"X {{{flag}?}}", f"X {{{flag}?}}"),
        )
    ),
    *(
        (f"f() -> () [a: INT {{{flag}?}}]", f"f() -> () [a: INT{head}]", [])
        for flag in ("generated", "extra", "quant")
        for head in ("", f" {{{flag}}}", f" {{{flag}?}}")
    ),
    ("f(X {extra?}) -> ()", "f(X {extra}) -> ()", []),
    ("f(X {quant?}) -> ()", "f(X {quant}) -> ()", []),
]

TABLE = [
    pytest.param(base, head, sorted(events), id=f"{base} -> {head}") for base, head, events in CASES + UNKNOWN_CASES
]
FLAGS = ("duplicable", "dispensable", "intermediate", "generated", "extra", "quant")


def on_ops(changes):
    known = [change for change in changes if change.event != "extra_unsaid"]  # which is what one side does not say
    return [change for change in known if change.kind not in ("registration", "source")]


def compare(base, head):
    return on_ops(diff(base, head))


def spoken(changes):
    return sorted(" ".join(fact) for fact in facts(changes))


@pytest.mark.parametrize(("base", "head", "expected"), TABLE)
def test_events(base, head, expected):
    assert spoken(compare(parse_spec(base), parse_spec(head))) == expected


@pytest.mark.parametrize(("base", "head", "expected"), TABLE)
def test_an_op_against_itself_is_no_event(base, head, expected):  # noqa: ARG001 - one table for all forms
    assert diff(parse_spec(base), parse_spec(base)) == diff(parse_spec(head), parse_spec(head)) == []


@pytest.mark.parametrize(("base", "head", "expected"), TABLE)
def test_events_the_other_way_round(base, head, expected):
    forth = compare(parse_spec(base), parse_spec(head))
    back = compare(parse_spec(head), parse_spec(base))
    assert len(back) == len(expected)
    assert is_mirrored(forth, back)
    assert is_mirrored(back, forth)


@pytest.mark.parametrize(("base", "head", "expected"), TABLE)
def test_events_among_different_ops(base, head, expected):
    others = "a_first(X, Z) -> (Out) [a: INT = 0]\n{}\nz_last(Y {{extra?}}) -> () [b: FLOAT = NaN, c = ?]"
    report = compare(parse_spec(others.format(base)), parse_spec(others.format(head)))
    assert spoken(report) == expected
    assert [change.op for change in report] == sorted(change.op for change in report)


@pytest.mark.parametrize(("base", "head", "expected"), TABLE)
def test_events_of_canonical_files(base, head, expected):
    specs = [
        recognise.spec_of(decode(canonical.dumps(parse_spec(text)).encode(), "spec.json")) for text in (base, head)
    ]
    assert spoken(compare(*specs)) == expected


@pytest.mark.parametrize(("base", "head", "expected"), TABLE)
def test_events_of_arguments_in_another_order(base, head, expected):
    for seed in range(5):
        order = random.Random(seed)  # noqa: S311
        assert spoken(compare(shuffled(parse_spec(base), order), shuffled(parse_spec(head), order))) == expected


def shuffled(spec, order):
    def mixed(arguments):
        return tuple(order.sample(arguments, len(arguments)))

    ops = {
        name: op.replace(inputs=mixed(op.inputs), outputs=mixed(op.outputs), attrs=mixed(op.attrs))
        for name, op in spec.ops.items()
    }
    return spec.replace(ops={name: ops[name] for name in mixed(tuple(ops))})


WORDLESS = ("deprecation", "allowed_values", "minimum", "maximum")


def raw(thing):
    """Return an argument as print_op_desc writes it."""
    record = {field: thing.get(field) for field in (*FLAGS, "default_value")}
    if thing.type is not UNKNOWN:
        record["type"] = ATTR_TYPES.index(thing.type)
    return {field: value for field, value in record.items() if value is not UNKNOWN}


def raw_spec(text):
    ops = parse_spec(text).ops
    sections = {"Inputs": "inputs", "Outputs": "outputs", "Attrs": "attrs"}
    records = {
        name: {key: {item.name: raw(item) for item in getattr(op, section)} for key, section in sections.items()}
        for name, op in ops.items()
    }
    return recognise.spec_of(decode(json.dumps(records).encode(), "raw.json"))


def has_texts(text):
    """Tell whether print_op_desc can express some ops: it has attr types alone, and only Paddle's."""
    for op in parse_spec(text).ops.values():
        variables = [*op.inputs, *op.outputs]
        if any(getattr(thing, field, UNKNOWN) is not UNKNOWN for thing in (op, *op.attrs) for field in WORDLESS):
            return False
        if any(variable.type is not UNKNOWN for variable in variables):
            return False
        if any(attr.type not in (UNKNOWN, *ATTR_TYPES) for attr in op.attrs):
            return False
    return True


RAW_TABLE = [case for case in TABLE if has_texts(case.values[0]) and has_texts(case.values[1])]


@pytest.mark.parametrize(("base", "head", "expected"), RAW_TABLE)
def test_events_of_print_op_desc_files(base, head, expected):
    assert spoken(compare(raw_spec(base), raw_spec(head))) == expected


def test_most_of_the_table_has_a_raw_form():
    assert len(RAW_TABLE) > 0.7 * len(TABLE)


ORDERED = [
    ("f(x, y) -> ()", "f(y, x) -> ()", ["arguments_swapped input x"]),
    ("f(x: T, y: S) -> ()", "f(y: S, x: T) -> ()", ["argument_order_changed input x"]),
    ("f() -> (x, y, z)", "f() -> (x, z, y)", ["argument_order_changed output y"]),
    ("f(x, y) -> ()", "f(x, w, y) -> ()", ["input_added_not_dispensable input w"]),
    ("f(x, y) -> ()", "f(x, y, w) -> ()", ["input_added_not_dispensable input w"]),
    ("f(x, y, z) -> ()", "f(z, x) -> ()", ["argument_order_changed input x", "input_removed input y"]),
    ("f() -> () [a: T, b: T]", "f() -> () [b: T, a: T]", []),
]


@pytest.mark.parametrize(("base", "head", "expected"), ORDERED)
def test_order_counts_where_both_sides_bind_by_position(base, head, expected):
    spec, two = parse_spec(base, binding="signature"), parse_spec(head, binding="signature")
    forth, back = compare(spec, two), compare(two, spec)
    assert spoken(forth) == sorted(expected)
    assert is_mirrored(forth, back)
    assert is_mirrored(back, forth)
    rest = [event for event in expected if "order" not in event and "swapped" not in event]
    assert spoken(compare(spec, parse_spec(head))) == spoken(compare(parse_spec(base), two)) == rest


@pytest.mark.parametrize(("base", "head", "expected"), ORDERED)
def test_order_survives_the_canonical_file(base, head, expected):
    specs = [
        recognise.spec_of(decode(canonical.dumps(parse_spec(text, binding="signature")).encode(), "spec.json"))
        for text in (base, head)
    ]
    assert spoken(compare(*specs)) == sorted(expected)


@pytest.mark.parametrize(
    ("base", "head", "exempt"),
    [
        # What base does not say is extra is not, whatever head says
        ("{extra?}", "{extra}", False),
        ("{extra}", "{extra?}", True),
        ("{extra?}", "", False),
        ("", "{extra?}", False),
        ("{extra?}", "{extra?}", False),
        # Both know
        ("{extra}", "{extra}", True),
        ("", "", False),
        ("{extra}", "", True),
        ("", "{extra}", False),
    ],
)
@pytest.mark.parametrize(
    ("lines", "field"),
    [
        (("f() -> () [a: INT = 0 {}]", "f() -> () [a: INT = 1 {}]"), "default_value"),
        (("f() -> () [a: INT = 0 {}]", "f() -> () [a: LONG = 0 {}]"), "type"),
        (("f(X {}) -> ()", "f(X? {}) -> ()"), "dispensable"),
        (("f() -> (Out* {})", "f() -> (Out {})"), "duplicable"),
    ],
)
def test_base_alone_states_what_is_extra(lines, field, base, head, exempt):
    was, now = (parse_spec(line.replace("{}", flags)) for line, flags in zip(lines, (base, head), strict=True))
    changes = {change.field: change for change in compare(was, now)}
    both_know = "?" not in base + head
    assert changes.keys() == {field} | ({"extra"} if both_know and base != head else set())
    assert changes[field].is_exempt is exempt
    assert "extra" not in changes or changes["extra"].is_exempt is False


@pytest.mark.parametrize(("flags", "exempt"), [("{extra}", True), ("", False), ("{extra?}", False)])
@pytest.mark.parametrize("line", ["f(X {}) -> ()", "f() -> (Out? {})", "f() -> () [a: INT {}]"])
def test_extra_of_what_a_single_side_alone_has(line, flags, exempt):
    without, with_it = parse_spec("f() -> ()"), parse_spec(line.replace("{}", flags))
    assert [change.is_exempt for change in compare(without, with_it)] == [exempt]
    assert [change.is_exempt for change in compare(with_it, without)] == [exempt]


def test_only_some_ops():
    base, head = parse_spec("f(X) -> ()\ng(X) -> ()\nh(X) -> ()"), parse_spec("f(Y) -> ()\nh(X?) -> ()")
    assert spoken(on_ops(diff(base, head, ["h"]))) == ["dispensable_set input X"]
    assert spoken(on_ops(diff(base, head, ["g", "h"]))) == ["dispensable_set input X", "op_removed op g"]
    assert diff(base, head, []) == []


def test_a_change_holds_both_sides():
    base, head = parse_spec("f() -> () [a: INT = 1]"), parse_spec("f() -> () [a: INT = 2]")
    (change,) = compare(base, head)
    assert (change.op, change.kind, change.name, change.field) == ("f", "attr", "a", "default_value")
    assert (change.old, change.new) == (1, 2)
    assert (change.before, change.after) == (base.ops["f"].attrs[0], head.ops["f"].attrs[0])


def test_equal_records_of_another_dialect_are_compared():
    records = {"f": {"Inputs": {"X": {"dispensable": False}}, "Outputs": {}, "Attrs": {}}}
    first = recognise.spec_of(Document(file="a", value=records))
    two = recognise.spec_of(decode(canonical.dumps(first).encode(), "b"))
    assert on_ops(diff(first, two)) == on_ops(diff(two, first)) == []
    assert spoken(compare(parse_spec("f(X?) -> ()"), first)) == ["dispensable_cleared input X"]


NAMES = st.sampled_from(["X", "x_1", "X1", "Stop", "Out", "axis", "dims", "dim"])
MARKS = st.sampled_from(["", "?", "*", " {extra}", " {extra?}", "? {quant}", "~ {dispensable?}"])
VARIABLES = st.lists(st.tuples(NAMES, MARKS), max_size=4, unique_by=lambda item: item[0])
TAILS = [
    ": INT = 0",
    ": INT = 1",
    ": INTS",
    " = ?",
    ": INT {extra}",
    ": INT = 0 {extra?}",
    ": FLOAT = NaN",
    ": FLOAT = 0.0",
]
ATTRS = st.lists(st.tuples(NAMES, st.sampled_from(TAILS)), max_size=4, unique_by=lambda item: item[0])


@st.composite
def lines(draw):
    inputs, outputs, attrs = (
        ", ".join(name + rest for name, rest in draw(strategy)) for strategy in (VARIABLES, VARIABLES, ATTRS)
    )
    return f"f({inputs}) -> ({outputs}) [{attrs}]"


@settings(max_examples=300)
@given(lines(), lines())
def test_any_two_ops_mirror_each_other(first, two):
    a, b = parse_spec(first), parse_spec(two)
    forth, back = compare(a, b), compare(b, a)
    assert is_mirrored(forth, back)
    assert is_mirrored(back, forth)


@settings(max_examples=150)
@given(lines(), lines(), st.randoms(use_true_random=False))
def test_any_two_ops_differ_alike_in_any_order(first, two, order):
    a, b = parse_spec(first), parse_spec(two)
    assert facts(compare(shuffled(a, order), shuffled(b, order))) == facts(compare(a, b))


@settings(max_examples=150)
@given(lines(), lines())
def test_what_changed_is_reported_once(first, two):
    changes = compare(parse_spec(first), parse_spec(two))
    keys = [(change.event, change.kind, change.name, getattr(change, "field", None)) for change in changes]
    assert len(keys) == len(set(keys))
