"""The places of findings on names in op_compat.yaml, and on checkpoints."""

from __future__ import annotations

import pytest

from opspec_lint.lint.check import check
from tests.support.trees import paddle_trees
from tests.support.trees.paddle_trees import OPERATORS, read
from tests.support.trees.paddle_yaml import TREE, YAML, entry

COMPAT = f"{YAML}/op_compat.yaml"
OPS = f"{YAML}/ops.yaml"
OP = entry(args="(Tensor x, Tensor yy, int axis)", output="Tensor(out)")


def spec(files):
    return paddle_trees.spec(read(TREE | files))


def places(base, head):
    """Return the rule and both places of each finding between two trees."""
    return [
        (
            finding.rule,
            *(origin and (origin.file, origin.line) for origin in (finding.base_origin, finding.head_origin)),
        )
        for finding in check(spec(base), spec(head)).findings
        if finding.op is not None and finding.kind != "source"
    ]


def compat(text):
    return {OPS: OP, COMPAT: f"- op : other\n- op : f\n  outputs : {{out : Out}}\n{text}"}


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        (
            "  inputs : {x : Xs, yy : Y}",
            "  inputs :\n    yy : Y\n    x : Xt",
            {("input_renamed", (COMPAT, 4), (COMPAT, 6))},
        ),
        (
            "  inputs : {x : Abc, yy : Def}",
            "  inputs : {x : Ghi, yy : Jkl}",
            {(rule, (COMPAT, 4), (COMPAT, 4)) for rule in ("input_removed", "input_added_not_dispensable")},
        ),
        ("  attrs : {axis : dim}", "", {("attr_renamed", (COMPAT, 4), (COMPAT, 2))}),
        ("", "  attrs : {axis : dim}", {("attr_renamed", (COMPAT, 2), (COMPAT, 4))}),
    ],
)
def test_a_changed_name_points_to_where_it_is_given(base, head, expected):
    assert {item for item in places(compat(base), compat(head)) if item[0] != "op_version_unregistered"} == expected


def test_a_changed_name_of_an_op_points_to_where_it_is_given():
    base, head = ({OPS: OP, COMPAT: f"\n- op : f ({name})\n"} for name in ("fluid_a", "fluid_b"))
    assert set(places(base, head)) == {(rule, (COMPAT, 2), (COMPAT, 2)) for rule in ("op_removed", "op_added")}


def test_a_name_that_changed_at_its_declaration_points_there():
    head = {OPS: OP.replace("Tensor yy", "Tensor yyy")}
    result = {item[0]: item[1:] for item in places({OPS: OP}, head)}
    assert result["input_renamed"] == ((OPS, 2), (OPS, 2))


def test_another_change_of_a_renamed_argument_points_to_its_declaration():
    head = compat("  attrs : {axis : dim}") | {OPS: OP.replace("int axis", "bool axis")}
    result = {item[0]: item[1:] for item in places(compat("  attrs : {axis : dim}"), head)}
    assert result["attr_type_changed"] == ((OPS, 2), (OPS, 2))


CPP = f"{OPERATORS}/f_op.cc"
REGISTERED = 'REGISTER_OP_VERSION(f)\n  .AddCheckpoint("one", OpVersionDesc().BugfixWithBehaviorChanged("a"))'
SECOND = (
    '\n  .AddCheckpoint("two",\n    OpVersionDesc().BugfixWithBehaviorChanged("b")\n      .ModifyAttr("axis", "c", 1))'
)


@pytest.mark.parametrize(
    ("base", "head", "rule", "lines"),
    [
        (REGISTERED, REGISTERED + SECOND, "op_version_extended", (2, 3)),
        (REGISTERED + SECOND, REGISTERED, "op_version_lost", (3, 2)),
        (REGISTERED + SECOND, REGISTERED + SECOND.replace('"two"', '"2"'), "op_version_reworded", (3, 3)),
        (REGISTERED + SECOND, REGISTERED + SECOND.replace("1)", "2)"), "op_version_rewritten", (3, 3)),
        (
            REGISTERED + SECOND,
            REGISTERED.replace('"a")', '"a").DeleteAttr("b", "c")') + SECOND,
            "op_version_rewritten",
            (2, 2),
        ),
    ],
)
def test_a_changed_history_points_to_the_checkpoint_that_changed(base, head, rule, lines):
    result = {item[0]: item[1:] for item in places({OPS: OP, CPP: f"{base};"}, {OPS: OP, CPP: f"{head};"})}
    assert result[rule] == tuple((CPP, line) for line in lines)


def test_a_new_checkpoint_of_op_version_points_to_its_line():
    points = "- op : f\n  version :\n{}"
    point = "    - checkpoint : {}\n      action :\n        - fix_bug : it\n          comment : {}\n"
    base, head = (
        {OPS: OP, f"{YAML}/op_version.yaml": points.format("".join(point.format(n, n) for n in notes))}
        for notes in ("a", "ab")
    )
    assert places(base, head) == [
        ("op_version_extended", (f"{YAML}/op_version.yaml", 3), (f"{YAML}/op_version.yaml", 7))
    ]
