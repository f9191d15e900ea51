"""The effect of changes on saved programs: changes that patches repair, and the advice on the others."""

from __future__ import annotations

import re

import pytest
import yaml

from opspec_lint.frameworks.paddle.extract.dialect import patch_files
from opspec_lint.frameworks.paddle.saved.pir.patches import action_record
from opspec_lint.lint.check import check
from opspec_lint.lint.profile import PROFILES
from opspec_lint.spec.model import GraphVersions
from opspec_lint.spec.notation import parse_spec

INT, LONG = '"pir::Int32Attribute"', '"pir::Int64Attribute"'
LONGS, INTS = '"pir::ArrayAttribute<pir::Int64Attribute>"', '"pir::ArrayAttribute<pir::Int32Attribute>"'
F = "pd_op.f(x) -> (out)"


def spec(text, version=1):
    made = parse_spec(text, framework="paddle-pir", binding="position")
    return made.replace(graph_versions=GraphVersions(producer=version))


def findings(base, head, version=1):
    findings = check(spec(base, version), spec(head, version), PROFILES.load("paddle-pir")).findings
    left_out = ("op_version_unknown", "head_program_refused", "knowledge_gained", "knowledge_lost")
    return [finding for finding in findings if finding.rule not in left_out]


def errors(base, head, version=1):
    return [finding for finding in findings(base, head, version) if finding.level == "error"]


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize(
    ("base", "head"),
    [
        (F, f"{F} [a: {INT} = 3]"),
        (F, f'{F} [a: {INT} = 3, b: {LONGS} = [1, 2], c: "pir::StrAttribute" = "x: y"]'),
        (F, f"{F} [a: {LONGS} = []]"),
        (f"{F} [a: {INT}]", f"{F} [a: {LONG}]"),
        (f"{F} [a: {INTS}]", f"{F} [a: {LONGS}]"),
        (f'{F} [a: "pir::BoolAttribute"]', f"{F} [a: {INT}]"),
        (f"{F} [keep_dim: {INT}]", f"{F} [keepdim: {INT}]"),
        ("pd_op.f(x, y, z) -> (out)", F),
        ("pd_op.f(x, y, z) -> (out)", "pd_op.f(y) -> (out)"),
        (F, "pd_op.f(x) -> (mask, size, out)"),
        ("pd_op.f(x, y) -> (out)", f"pd_op.f(x) -> (mask, out) [a: {INT} = 1]"),
        (F, f'{F} [a: "paddle::dialect::ScalarAttribute<float>" = 1.0]'),
    ],
)
def test_the_entry_that_is_advised_makes_the_change_whole(base, head, version):
    result = errors(base, head, version)
    (entry,) = {re.search("write `(- .*?)`", error.advice)[1] for error in result}
    read = patch_files.parse(f"op_patches:\n  {entry}\n", "0.yaml", 0)
    assert (read.problems, [type(item) for item in yaml.safe_load(entry)]) == ((), [dict])
    patches = tuple(action_record(action.action) for action in read.actions)
    after = spec(head, version)
    op = after.ops["pd_op.f"]
    after = after.replace(ops={op.name: op.replace(own={**op.own, "patches": patches})})
    whole = check(spec(base, version), after, PROFILES.load("paddle-pir")).findings
    assert [finding.rule for finding in whole if finding.level == "error"] == []
    assert "change_patched" in {finding.rule for finding in whole}


@pytest.mark.parametrize(
    ("base", "head", "rules", "advice"),
    [
        (F, "pd_op.f(x, y?) -> (out)", ["input_added_unpatched"], "object: [PLACE, 1]"),
        ("pd_op.f(x) -> (out, m)", F, ["output_removed_unpatched"], "object: [1, PLACE]"),
        ("pd_op.f(x, y) -> (out)", "pd_op.f(y, x) -> (out)", ["order_unpatched"], "make a new op"),
        (F, "pd_op.f(x) -> (out, mask)", ["output_added_unpatched"], "before all others"),
        ("pd_op.f(x) -> (last_h)", "pd_op.f(x) -> (LastH, mask)", ["output_added_unpatched"], "before all others"),
        (F, "pd_op.f(x*) -> (out)", ["input_kind_unpatched"], "make a new op"),
        (F, f"pd_op.f(x, y) -> (out) [a: {INT}]", ["input_added_unpatched", "attr_added_unpatched"], "make a new op"),
        (F, f'{F} [a: "paddle::dialect::PlaceAttribute"]', ["attr_added_unpatched"], "no patch can make an attr"),
        (F, f"{F} [a: {INT}]", ["attr_added_unpatched"], "VALUE is what programs without 'a' were run with"),
        (f"{F} [a: {INT}]", f'{F} [a: "pir::StrAttribute"]', ["attr_type_unpatched"], "VALUE has to be right"),
        (f"{F} [a: {INT}]", f'{F} [a: "pir::BoolAttribute"]', ["attr_type_unpatched"], "VALUE has to be right"),
        (
            f'{F} [a: "pir::DoubleAttribute"]',
            f"{F} [a: {INT}]",
            ["attr_type_unpatched"],
            "values lose their fractions",
        ),
        (F, "pd_op.f(x, y) -> (out)", ["input_added_unpatched"], "[PLACE, 1], type: pir::DenseTensorType, "),
        (F, "", ["op_removed"], "modify_name"),
        ("pd_op.f(x?) -> (out)", F, ["dispensable_cleared"], "keep 'x' optional"),
    ],
)
def test_what_no_patch_of_a_single_op_makes_whole(base, head, rules, advice):
    result = errors(base, head or "pd_op.other(x) -> (out)")
    assert [error.rule for error in result] == rules
    assert advice in result[0].advice


@pytest.mark.parametrize(
    ("base", "head"),
    [
        (f"{F} [a: {INT}]", F),
        (f"{F} [a: {INT} = 1]", f"{F} [a: {INT} = 2]"),
        (f"{F} [a: {INT}, b: {INT}]", f"{F} [b: {INT}, a: {INT}]"),
        (F, f"{F}\npd_op.g(x) -> (out)"),
        ("pd_op.f(last_h) -> (out)", "pd_op.f(LastH) -> (out)"),
        (f'{F} [a: "pir::FloatAttribute"]', f'{F} [a: "paddle::dialect::ScalarAttribute<float>"]'),
    ],
)
def test_what_no_loader_looks_at_is_a_note(base, head):
    assert errors(base, head) == []
    assert {finding.level for finding in findings(base, head)} <= {"note"}


@pytest.mark.parametrize("head", [f"{F}\npd_op.f_grad(x) -> (out) [a: {INT} = 1]", F])
def test_a_break_of_a_backward_op_is_a_warning(head):
    (finding,) = findings(f"{F}\npd_op.f_grad(x) -> (out)", head)
    assert (finding.op, finding.level) == ("pd_op.f_grad", "warning")


def test_what_base_does_not_run_is_a_warning():
    report = check(spec(f"{F} [a: {INT}, b: {INT}]"), spec(f"pd_op.f(x, y) -> (out) [b: {LONG}]"))
    (refused,) = [finding for finding in report.findings if finding.rule == "head_program_refused"]
    assert (refused.level, refused.directions) == ("warning", ("forward",))
    problem = "it lacks the attr 'a', its attr 'b' is of type pir::Int64Attribute, it has 2 inputs, not 1"
    assert refused.message.endswith(problem)


def test_a_patch_that_renames_an_op_keeps_it():
    base = "pd_op.grid(x) -> (out)"
    action = '"version": 0, "kind": "modify_name", "target": "pd_op.grid", "data": "pd_op.grid_op", "of": "pd_op.grid"'
    head = patched("pd_op.grid_op(x) -> (out)", action)
    assert [finding.rule for finding in findings(base, head)] == ["change_patched", "op_added"]
    assert [error.rule for error in errors(base, "pd_op.grid_op(x) -> (out)")] == ["op_removed", "op_renamed_unpatched"]
    changed = patched(f"pd_op.grid_op(x) -> (out) [a: {INT}]", action)
    assert [error.rule for error in errors(base, changed)] == ["attr_added_unpatched"]


def test_the_entry_of_a_list_names_the_type_of_every_item():
    (error,) = errors(F, f"{F} [a: {LONGS} = [1, 2]]")
    items = ", ".join(f"{{type: pir::Int64Attribute, default: {number}}}" for number in (1, 2))
    assert f"object: a, type: pir::ArrayAttribute, default: [{items}]" in error.advice


def test_where_a_single_change_requests_a_new_op_no_patch_is_advised_for_the_others():
    taking, typed = errors(F, f"pd_op.f(x, y) -> (out) [a: {INT}]")
    assert "`op_pair_patches` can" in taking.advice
    assert typed.advice == "make a new op, and leave this one as it is"


GRID = "pd_op.grid(x) -> (out)"


@pytest.mark.parametrize(
    "head",
    [
        "pd_op.grid_a(x) -> (out)\npd_op.grid_b(x) -> (out)",
        "pd_op.grid_op(x, y) -> (out)",
        f"pd_op.grid_op(x) -> (out) [a: {INT} = 1]",
        "pd_op.tangent(x) -> (out)",
    ],
)
def test_an_op_is_another_where_several_or_none_are_like_it(head):
    assert [error.rule for error in errors(GRID, head)] == ["op_removed"]


def test_what_a_patch_names_counts_before_what_is_alike():
    action = '"version": 0, "kind": "modify_name", "target": "pd_op.grid", "data": "pd_op.moved", "of": "pd_op.grid"'
    head = f"{patched('pd_op.moved(x) -> (out)', action)}\npd_op.grid_op(x) -> (out)"
    assert [finding.rule for finding in findings(GRID, head)] == ["change_patched", "op_added", "op_added"]


def test_a_patch_takes_an_input_away_next_to_one_that_is_spelt_anew():
    action = '"version": 0, "kind": "delete_input", "target": 1'
    head = patched("pd_op.f(LastH) -> (out)", action)
    result = findings("pd_op.f(last_h, y) -> (out)", head)
    assert "change_patched" in {finding.rule for finding in result}
    assert [finding.rule for finding in result if finding.level == "error"] == []


@pytest.mark.parametrize(("version", "advice"), [(1, "no patch can make an attr"), (2, "object: a, type: paddle::")])
@pytest.mark.parametrize("kind", ["IntArray", "Place"])
def test_attrs_that_patches_make_since_version_2(kind, version, advice):
    (error,) = errors(F, f'{F} [a: "paddle::dialect::{kind}Attribute"]', version)
    assert advice in error.advice


def patched(text, action):
    return f'{text} & {{"patches": [{{{action}}}]}}'


@pytest.mark.parametrize(
    ("action", "problem"),
    [
        ('"version": 0, "kind": "modify_attr", "target": "b", "type": "pir::Int32Attribute"', "has no attr 'b'"),
        ('"version": 0, "kind": "modify_attr", "target": "a", "type": "pir::BoolAttribute"', "the patch makes it"),
        ('"version": 0, "kind": "modify_attr_name", "target": "a", "data": "c"', "has no attr 'c'"),
        ('"version": 0, "kind": "delete_attr", "target": "a"', "has the attr 'a'"),
    ],
)
def test_a_patch_that_repairs_nothing(action, problem):
    base = f"{F} [a: {INT}]"
    (finding,) = findings(base, patched(base, action))
    assert (finding.rule, finding.level) == ("patch_without_effect", "error")
    assert problem in finding.message


@pytest.mark.parametrize(("base", "head"), [(False, True), (True, False)])
def test_the_patch_of_a_released_version_is_left_alone(base, head):
    action = '"version": 2, "kind": "modify_attr", "target": "a", "type": "pir::Int32Attribute"'
    sides = [patched(f"{F} [a: {INT}]", action) if has else f"{F} [a: {INT}]" for has in (base, head)]
    assert [finding.rule for finding in findings(*sides, version=2)] == ["patch_of_release_changed"]
    assert "patch_of_release_changed" not in [finding.rule for finding in findings(*sides, version=1)]


@pytest.mark.parametrize(("head", "place", "works"), [("(mask, out)", 0, True), ("(out, mask)", 1, False)])
def test_a_patch_adds_an_output_before_all_others_alone(head, place, works):
    action = f'"version": 0, "kind": "add_output", "target": {place}, "type": "pir::DenseTensorType"'
    result = errors(F, patched(f"pd_op.f(x) -> {head}", action))
    assert [error.rule for error in result] == ([] if works else ["output_added_unpatched"])
