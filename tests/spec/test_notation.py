from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opspec_lint.sources import recognise
from opspec_lint.spec import values
from opspec_lint.spec.fields import field_table_of_all_frameworks
from opspec_lint.spec.model import UNKNOWN, Attr, Checkpoint, Input, Op, Output, Update
from opspec_lint.spec.notation import NotationError, parse_spec, show_update
from tests.support.released_specs import some
from tests.support.written_notation import parse_op, show_argument, show_op


def shown_flags(section):
    """Return the flags that a line shows of an op, an attr, or an input or output."""
    fields = field_table_of_all_frameworks().fields_of(section)
    return [name for name, field in fields.items() if field.form == "flag" and field.is_shown]


PLAIN = dict.fromkeys(shown_flags("inputs"), False)
PLAIN.pop("is_ref")  # only a type tells
TYPED = {**dict.fromkeys(("type_attr", "number_attr", "type_list_attr", "full_type")), "is_ref": False}
"""What is known of an input or output with a type, beside the type."""
BARE = {"default_value": None, **dict.fromkeys(shown_flags("attrs"), False)}

OP_FLAGS = dict.fromkeys(shown_flags("ops"), False)
"""Where a line says one flag of an op, it says them all."""

LINES = [
    ("f() -> ()", Op(name="f")),
    (
        "f(X, Y?, Z*, M~) -> (Out)",
        Op(
            name="f",
            inputs=(
                Input(**PLAIN, name="X"),
                Input(**PLAIN | {"dispensable": True}, name="Y"),
                Input(**PLAIN | {"duplicable": True}, name="Z"),
                Input(**PLAIN | {"intermediate": True}, name="M"),
            ),
            outputs=(Output(**PLAIN, name="Out"),),
        ),
    ),
    (
        "f(X {extra}, Y {quant, extra?}, Z {dispensable?}) -> ()",
        Op(
            name="f",
            inputs=(
                Input(**PLAIN | {"extra": True}, name="X"),
                Input(**PLAIN | {"quant": True, "extra": UNKNOWN}, name="Y"),
                Input(**PLAIN | {"dispensable": UNKNOWN}, name="Z"),
            ),
        ),
    ),
    (
        "f(x: N * T, y: Ref(float)) -> (z: list(a, b))",
        Op(
            name="f",
            inputs=(
                Input(**PLAIN, **TYPED | {"number_attr": "N"}, name="x", type="T"),
                Input(**PLAIN, **TYPED | {"is_ref": True}, name="y", type="float"),
            ),
            outputs=(Output(**PLAIN, **TYPED, name="z", type="list(a, b)"),),
        ),
    ),
    (
        "f() -> () [a, b: INT, c: INT = -1, d: FLOAT = NaN, e = ?]",
        Op(
            name="f",
            attrs=(
                Attr(**BARE, name="a"),
                Attr(**BARE, name="b", type="INT"),
                Attr(**BARE | {"default_value": -1}, name="c", type="INT"),
                Attr(**BARE | {"default_value": values.NAN}, name="d", type="FLOAT"),
                Attr(**BARE | {"default_value": UNKNOWN}, name="e"),
            ),
        ),
    ),
    (
        'f() -> () [T: type in ["half", "float"] = "half", N: int >= 1 = 2, M: int >= null {generated, extra?}]',
        Op(
            name="f",
            attrs=(
                Attr(**BARE | {"default_value": "half"}, name="T", type="type", allowed_values=("half", "float")),
                Attr(**BARE | {"default_value": 2}, name="N", type="int", minimum=1),
                Attr(**BARE | {"generated": True, "extra": UNKNOWN}, name="M", type="int", minimum=None),
            ),
        ),
    ),
    (
        'f() -> () [in: in in [1], deprecated: INT, a: STRINGS = ["]", "}"]]',
        Op(
            name="f",
            attrs=(
                Attr(**BARE, name="in", type="in", allowed_values=(1,)),
                Attr(**BARE, name="deprecated", type="INT"),
                Attr(**BARE | {"default_value": ("]", "}")}, name="a", type="STRINGS"),
            ),
        ),
    ),
    (
        'f(x: N * T, y: Ts & {"type_id": 1}) -> () [T: type, N: int, Ts: list(type)]',
        Op(
            name="f",
            inputs=(
                Input(**PLAIN, **TYPED | {"number_attr": "N", "type_attr": "T"}, name="x", type=None),
                Input(**PLAIN, **TYPED | {"type_list_attr": "Ts", "full_type": {"type_id": 1}}, name="y", type=None),
            ),
            attrs=(
                Attr(**BARE, name="T", type="type"),
                Attr(**BARE, name="N", type="int"),
                Attr(**BARE, name="Ts", type="list(type)"),
            ),
        ),
    ),
    ('f() -> () deprecated "use g"', Op(name="f", deprecation="use g", deprecation_version=None)),
    ('f() -> () deprecated "use g" from 9', Op(name="f", deprecation="use g", deprecation_version=9)),
    ("f() -> () deprecated null", Op(name="f", deprecation=None, deprecation_version=None)),
    ('f() -> () invalid "no"', Op(name="f", invalid="no")),
    (
        "f() -> () {is_stateful}",
        Op(name="f", **OP_FLAGS | {"is_stateful": True}),
    ),
    (
        '"an op"("a,b"?, X@GRAD) -> ("", "Out~"~)',
        Op(
            name="an op",
            inputs=(Input(**PLAIN | {"dispensable": True}, name="a,b"), Input(**PLAIN, name="X@GRAD")),
            outputs=(Output(**PLAIN, name=""), Output(**PLAIN | {"intermediate": True}, name="Out~")),
        ),
    ),
    (
        'f(x: "a, b", y: "") -> ()',
        Op(
            name="f",
            inputs=(Input(**PLAIN, **TYPED, name="x", type="a, b"), Input(**PLAIN, **TYPED, name="y", type="")),
        ),
    ),
]


@pytest.mark.parametrize(("line", "op"), LINES, ids=[line for line, _ in LINES])
def test_a_line_is_an_op_and_the_op_that_line(line, op):
    assert parse_op(line) == op
    assert parse_op(show_op(op)) == op


@pytest.mark.parametrize(
    "line",
    [
        "f(X, Y?, Z*, M~) -> (Out)",
        "f(X {extra}, Y {quant, extra?}) -> ()",
        'f(x: N * T) -> () [T: type in ["half"] = "half", N: int >= 1 = 2] deprecated "use g"',
        "f() -> () [a: INT = ? {generated?, extra?, quant?, support_tensor?}]",
    ],
)
def test_the_line_of_an_op_is_written_as_it_was_read(line):
    assert show_op(parse_op(line)) == line


def test_spaces_are_free():
    assert parse_op(" f ( X ?*~,Y )->( ) [ a:INT=1{ extra ,quant ? } ] ") == parse_op(
        "f(X?*~, Y) -> () [a: INT = 1 {extra, quant?}]"
    )


HISTORIES = [
    ("@", ()),
    ("@ +attr a", (Checkpoint(updates=(Update(action="new", kind="attr", name="a", default_value=None),)),)),
    (
        '@ "first" +attr a = [1], -input X | ~output "odd name"',
        (
            Checkpoint(
                note="first",
                updates=(
                    Update(action="new", kind="attr", name="a", default_value=(1,)),
                    Update(action="delete", kind="input", name="X", default_value=None),
                ),
            ),
            Checkpoint(updates=(Update(action="modify", kind="output", name="odd name", default_value=None),)),
        ),
    ),
    (
        '@ ! "was wrong" | !',
        (
            Checkpoint(updates=(Update(action="bugfix", remark="was wrong"),)),
            Checkpoint(updates=(Update(action="bugfix"),)),
        ),
    ),
]


@pytest.mark.parametrize(("text", "history"), HISTORIES, ids=[text for text, _ in HISTORIES])
def test_version_histories(text, history):
    spec = parse_spec(f"f() -> () {text}")
    assert spec.op_versions == {"f": history}
    shown = show_op(spec.ops["f"], history)
    assert parse_spec(shown).op_versions == {"f": history}


def test_what_lines_do_not_state_of_op_versions_is_unknown():
    assert parse_spec("f() -> ()\n\n  g(X) -> ()\n").op_versions is UNKNOWN
    spec = parse_spec("f() -> ()\ng(X) -> () @ +input X", framework="other", binding="signature")
    assert list(spec.ops) == ["f", "g"]
    assert list(spec.op_versions) == ["g"]
    assert (spec.provenance.framework, spec.binding) == ("other", "signature")


@pytest.mark.parametrize(
    ("line", "column", "expected"),
    [
        ("", 1, "a name"),
        ("3(X) -> ()", 1, "a name"),
        ("f -> ()", 3, "`(`"),
        ("f(X -> ()", 5, "`,`"),
        ("f(X,) -> ()", 5, "a name"),
        ("f(X)", 5, "`->`"),
        ("f(X) - ()", 6, "`->`"),
        ("f(X) -> Out", 9, "`(`"),
        ("f(X: ) -> ()", 6, "a type"),
        ("f() -> () [a: INT = ]", 21, "a JSON value"),
        ("f() -> () [a: INT = [1]", 24, "`,`"),
        ("f() -> () [a in one]", 17, "a JSON value"),
        ("f() -> () [a: INT {extra]", 25, "`,`"),
        ("f(X {extra, bogus}) -> ()", 13, "a flag"),
        ("f(X {generated}) -> ()", 6, "a flag"),
        ("f() -> () [a {dispensable}]", 15, "a flag"),
        ("f() -> () deprecated use", 22, "a JSON value"),
        ("f() -> () nonsense", 11, "the end of the line"),
        ("f() -> () @ attr a", 13, "an update"),
        ("f() -> () @ +thing a", 20, "an update"),
        ("f() -> () @ +attr 3", 19, "a name"),
    ],
)
def test_an_error_points_to_its_column(line, column, expected):
    with pytest.raises(NotationError, match=f"^column {column}: expected {re.escape(expected)}"):
        parse_op(line)
    with pytest.raises(NotationError, match=re.escape(repr(line))):
        parse_op(line)


NAMES = st.one_of(
    st.sampled_from(["X", "Out", "in", "deprecated", "input", "X@GRAD", "a.b", "@", "Y?", "Z~", "{extra}", "", "->"]),
    st.text(st.characters(), max_size=6),
)
FLAGS = st.sampled_from([False, True, UNKNOWN])
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-(1 << 63), (1 << 64) - 1), st.floats(), st.text(st.characters(), max_size=6)
)
DECODED = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(["a", "=", "float point"]), inner, max_size=2)
    ),
    max_leaves=5,
)
VALUES = DECODED.map(values.freeze)
TYPES = st.one_of(
    st.just(UNKNOWN),
    st.sampled_from(
        ["INT", "T", "N * T", "Ref(float)", "list(a, b)", "in", "x in y", "in in", " padded ", "Ref (x) =", ""]
    ),
    st.text(st.characters(), max_size=5),
)


def unique(strategy):
    return st.lists(strategy, max_size=3, unique_by=lambda argument: argument.name).map(tuple)


def typed(argument):
    """Return an argument as the notation knows it: of one with a type, all that a type may have is known."""
    if argument.type is UNKNOWN or argument.type.startswith("Ref(") or " * " in argument.type:
        return argument.replace(type=UNKNOWN)
    return argument.replace(**TYPED)


def arguments(make):
    return unique(
        st.builds(
            make,
            name=NAMES,
            type=TYPES,
            **dict.fromkeys(PLAIN, FLAGS),
        ).map(typed)
    )


ATTRS = unique(
    st.builds(
        Attr,
        name=NAMES,
        type=TYPES,
        default_value=st.just(UNKNOWN) | VALUES,
        allowed_values=st.just(UNKNOWN) | st.lists(DECODED, max_size=3).map(values.freeze),
        minimum=st.sampled_from([UNKNOWN, None, 0, -3, 1 << 40, 0.5]),
        maximum=st.sampled_from([UNKNOWN, None, 7, -0.25]),
        **dict.fromkeys(shown_flags("attrs"), FLAGS),
    )
)
OPS = st.builds(
    Op,
    name=NAMES,
    inputs=arguments(Input),
    outputs=arguments(Output),
    attrs=ATTRS,
    deprecation=st.sampled_from([UNKNOWN, None]) | st.text(st.characters(), max_size=5),
)
UPDATES = st.one_of(
    st.builds(
        Update,
        action=st.sampled_from(["new", "modify", "delete"]),
        kind=st.sampled_from(["input", "output", "attr"]),
        name=NAMES,
        default_value=VALUES,
    ),
    st.builds(Update, action=st.just("bugfix"), remark=st.text(st.characters(), max_size=5)),
)
HISTORY = st.lists(
    st.builds(
        Checkpoint,
        note=st.text(st.characters(), max_size=5),
        updates=st.lists(UPDATES, min_size=1, max_size=3).map(tuple),
    ),
    max_size=3,
).map(tuple)


@settings(max_examples=200)
@given(OPS)
def test_every_op_round_trips(op):
    line = show_op(op)
    back = parse_op(line)
    assert values.same(back.inputs, op.inputs)
    assert values.same(back.outputs, op.outputs)
    assert show_op(back) == line
    assert (back.name, back.deprecation) == (op.name, op.deprecation)
    for was, now in zip(op.attrs, back.attrs, strict=True):
        assert all(values.same(getattr(was, field), getattr(now, field)) for field in Attr._fields)


@settings(max_examples=100)
@given(OPS, HISTORY)
def test_every_op_and_its_history_are_on_a_single_line(op, history):
    spec = parse_spec(show_op(op, history))
    assert list(spec.ops) == [op.name]
    assert spec.op_versions == {op.name: history}


@pytest.mark.parametrize("path", some("paddle"))
def test_every_op_of_a_released_spec_round_trips(path):
    spec = recognise.read(str(path)).spec
    assert spec.ops
    for op in spec.ops.values():
        assert parse_op(show_op(op)) == op


@pytest.mark.parametrize("path", some("paddle"))
def test_released_specs_are_written_without_quotation_marks_around_names(path):
    spec = recognise.read(str(path)).spec
    assert not [op.name for op in spec.ops.values() if show_op(op).startswith('"')]


@pytest.mark.parametrize(
    ("argument", "text"),
    [
        (Input(**PLAIN, name="X"), "X"),
        (Output(**PLAIN | {"duplicable": True, "extra": UNKNOWN}, name="Out", type="T"), "Out*: T {extra?}"),
        (Attr(**BARE | {"default_value": (1, 2)}, name="shape", type="INTS"), "shape: INTS = [1, 2]"),
        (Attr(**BARE, name="shape", type="INTS"), "shape: INTS"),
    ],
)
def test_show_argument(argument, text):
    assert show_argument(argument) == text


@pytest.mark.parametrize(
    ("update", "text"),
    [
        (Update(action="new", kind="attr", name="a", default_value=1), "+attr a = 1"),
        (Update(action="delete", kind="input", name="X"), "-input X"),
        (Update(action="modify", kind="output", name="odd name", default_value=None), '~output "odd name"'),
        (Update(action="bugfix", remark="why"), '! "why"'),
        (Update(action="bugfix"), "!"),
    ],
)
def test_show_update(update, text):
    assert show_update(update) == text
