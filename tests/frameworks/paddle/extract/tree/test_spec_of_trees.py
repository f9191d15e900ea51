"""The spec of a tree: what stands where, what is not known, and what is remarked."""

from __future__ import annotations

import pytest

from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.extract.declarations import unresolved
from opspec_lint.frameworks.paddle.extract.tree.results import known_flags
from opspec_lint.frameworks.paddle.framework import flags_of
from opspec_lint.lint.check import check
from opspec_lint.spec import records
from opspec_lint.spec.model import UNKNOWN, Origin, Provenance
from tests.support.trees.paddle_trees import OPERATORS, lost, read_maker, spec

FILE = f"{OPERATORS}/f_op.cc"
HISTORY = """
REGISTER_OP_VERSION(f)
    .AddCheckpoint(
        "first",
        paddle::framework::compatible::OpVersionDesc()
            .NewAttr("a", "new", 1)
            .DeleteInput("X", "gone"))
    .AddCheckpoint("second",
        paddle::framework::compatible::OpVersionDesc().BugfixWithBehaviorChanged("why"));
"""
PROVENANCE = Provenance(framework="paddle")


def test_checkpoints_and_their_updates_have_their_lines():
    made = spec(read_maker('AddAttr<int>("a", "").SetDefault(1);', after=HISTORY))
    (first, second) = made.op_versions["f"]
    assert [item.note for item in (first, second)] == ["first", "second"]
    assert [
        (update.action, update.kind, update.name, update.remark, update.default_value) for update in first.updates
    ] == [
        ("new", "attr", "a", "new", 1),
        ("delete", "input", "X", "gone", None),
    ]
    (update,) = second.updates
    assert (update.action, update.name, update.default_value) == ("bugfix", None, UNKNOWN)
    places = made.history_origins["f"]
    assert {place.file for item in places for place in item} == {FILE}
    start = places[0][0].line
    assert [[place.line - start for place in item] for item in places] == [[0, 3, 4], [5, 6]]


def test_where_every_argument_is():
    made = spec(read_maker('AddInput("X", "");\n    AddOutput("Out", "");\n AddAttr<int>("a", "");'))
    op = made.ops["f"]
    assert (op.origin.file, op.inputs[0].origin) == (FILE, Origin(file=FILE, line=6, column=5))
    assert op.outputs[0].origin == Origin(file=FILE, line=7, column=5)
    assert (op.attrs[0].name, op.attrs[0].origin) == ("a", Origin(file=FILE, line=8, column=2))
    assert [attr.name for attr in op.attrs] == ["a", "op_role"]
    assert (made.file, made.provenance) == ("paddle-source:.", PROVENANCE)


def messages(argument, *fields):
    return [argument.get(field) for field in fields]


def test_flags_and_bounds():
    op = spec(
        read_maker(
            'AddInput("X", "").AsDuplicable().AsExtra(); AddOutput("Out", "").AsIntermediate().AsDispensable();'
            'AddAttr<int>("a", "").InEnum({1, 2}).AsQuant(); AddAttr<int>("b", "").GreaterThan(0);'
            'AddAttr<int>("c", "").EqualGreaterThan(0).AddCustomChecker(check); AddAttr<int>("d", "", true);'
        )
    ).ops["f"]
    (x,), (out,), (a, b, c, d, _) = op.inputs, op.outputs, op.attrs
    assert messages(x, "duplicable", "dispensable", "extra", "quant") == [True, False, True, False]
    assert messages(out, "duplicable", "dispensable", "intermediate", "extra") == [False, True, True, False]
    assert messages(a, "allowed_values", "minimum", "maximum", "quant", "extra") == [(1, 2), None, None, True, False]
    assert messages(b, "allowed_values", "minimum", "maximum") == [None, 1, None]
    assert messages(c, "allowed_values", "minimum", "maximum") == [UNKNOWN, 0, UNKNOWN]
    assert [item.get("generated") for item in (a, b, c, d)] == [False, False, False, True]


DECLARED = {"inputs": 'AddInput("X", "")', "outputs": 'AddOutput("Out", "")', "attrs": 'AddAttr<int>("a", "")'}


@pytest.mark.parametrize(
    ("section", "flag", "method"),
    [
        (section, flag.field.name, method)
        for section in DECLARED
        for flag in flags_of(section)
        for method in flag.methods
    ],
)
def test_a_method_sets_its_flag_alone(section, flag, method):
    argument = getattr(spec(read_maker(f"{DECLARED[section]}.{method}();")).ops["f"], section)[0]
    names = [declared.field.name for declared in flags_of(section)]
    assert [name for name in names if argument.get(name) is True] == [flag]


@pytest.mark.parametrize(("name", "message"), [("extra", "Var"), ("quant", "Var"), ("support_tensor", "Attr")])
def test_a_late_flag_is_known_if_its_message_declares_it(name, message):
    assert known_flags(lambda *declared: declared == (message, name)) == (name,)
    assert known_flags(lambda *_: False) == ()


def test_histories_are_not_known_where_no_tree_has_any():
    assert spec(read_maker("")).op_versions is UNKNOWN
    assert spec(read_maker("", after=HISTORY)).op_versions.keys() == {"f"}


def test_what_cannot_be_evaluated_is_remarked_for_its_op():
    result = read_maker('AddInput(name(), "");')
    (remark,) = spec(result).remarks
    ((op, file, line, reason, digest),) = lost(result)
    assert (remark.event, remark.name, remark.op, remark.digest) == ("op_unresolved", op, "f", digest)
    assert (remark.facts, remark.origin) == ({"reason": reason}, Origin(file=file, line=line))


def test_the_remark_on_what_is_unresolved_names_the_op_the_place_and_the_text():
    why = UnresolvedError("why")
    for name, op in (("*", None), ("x/y.cc", None), ("f [gpu]", "f")):
        remark = records.remark_from_record(unresolved(name, why, "a", 1, ""))
        assert (remark.event, remark.name, remark.op, remark.digest) == ("op_unresolved", name, op, "")
        assert (remark.facts, remark.origin) == ({"reason": "why"}, Origin(file="a", line=1))
    assert unresolved("f", why, "a", 1, "text")["digest"] == unresolved("g", why, "b", 2, "text")["digest"] != ""
    assert unresolved("f", why.at("c", 3), "a", 1, "")["place"] == ("c", 3, None)


def test_a_tree_whose_last_history_is_gone_has_forgotten_all_of_them():
    maker = 'AddAttr<int>("a", "").SetDefault(1);'
    base, head = (spec(read_maker(maker, after=after)) for after in (HISTORY, ""))
    assert head.op_versions is UNKNOWN
    report = check(base, head, at_base=True)
    assert [(finding.rule, finding.level, "op versions" in finding.message) for finding in report.findings] == [
        ("knowledge_lost", "error", True)
    ]
    named = check(base, head)
    assert [finding.level for finding in named.findings] == ["warning"]
