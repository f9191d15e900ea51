"""The patches that a loader applies to a saved op, and their effect."""

from __future__ import annotations

import pytest

from opspec_lint.frameworks.paddle.saved.pir.patches import (
    Action,
    Form,
    LoaderVersions,
    accepts,
    action_record,
    actions_of,
    apply_actions,
    due_actions,
    for_op,
    loader_of,
    replace_types,
    retypings_of,
)
from opspec_lint.spec.model import GraphVersions, Op, Provenance, Spec

INT, LONG = "pir::Int32Attribute", "pir::Int64Attribute"
FORM = Form(op="pd_op.f", attrs={"a": INT}, inputs=("x", "y"), outputs=("out",))


def action(kind, target=None, **more):
    return Action(**{"version": 2, "kind": kind, "target": target, **more})


@pytest.mark.parametrize(
    ("done", "after"),
    [
        (action("add_attr", "b", type=LONG), {"attrs": {"a": INT, "b": LONG}}),
        (action("add_attr", "a", type=LONG), {}),
        (action("modify_attr", "a", type=LONG), {"attrs": {"a": LONG}}),
        (action("modify_attr", "b", type=LONG), {}),
        (action("delete_attr", "a"), {"attrs": {}}),
        (action("modify_attr_name", "a", data="b"), {"attrs": {"b": INT}}),
        (action("delete_input", 0), {"inputs": ("y",)}),
        (action("add_output", 0), {"outputs": (None, "out")}),
        (action("add_output", 1), {"outputs": (None, "out")}),
        (action("add_output", 1).replace(pair=("pd_op.f", "pd_op.g")), {"outputs": ("out", None)}),
        (action("modify_name", data="pd_op.g"), {"op": "pd_op.g"}),
        (action("modify_output_type", 0, type="pir::DenseTensorType"), {}),
    ],
)
def test_what_every_action_does(done, after):
    assert apply_actions(FORM, [done]) == FORM.replace(**after)


def test_a_pair_gives_a_single_op_an_output_and_the_other_an_input():
    pair = action("add_value", (1, 0), pair=("pd_op.f", "pd_op.g"))
    assert apply_actions(FORM, [for_op(pair, "pd_op.f")]).outputs == ("out", None)
    assert apply_actions(FORM, [for_op(pair, "pd_op.g")]).inputs == (None, "x", "y")
    gone = action("delete_value", (0, 1), pair=("pd_op.f", "pd_op.g"))
    assert apply_actions(FORM, [for_op(gone, "pd_op.f")]).outputs == ()
    assert apply_actions(FORM, [for_op(gone, "pd_op.g")]).inputs == ("x",)


@pytest.mark.parametrize(
    ("of_file", "develop", "release", "numbers"),
    [
        (1, 1, 1, []),
        (1, 0, 1, [1, 0]),
        (2, 0, 1, [0]),
        (3, 0, 1, []),
        (0, 0, 1, []),
        (1, 2, 2, [1, 2]),
        (2, 2, 2, []),
        (0, 2, 2, [0, 1, 2]),
        (1, 2, 1, [1, 0]),
        (2, 4, 4, [2, 3, 4]),
        (5, 4, 4, []),
    ],
)
def test_which_files_a_loader_applies(of_file, develop, release, numbers):
    loader = LoaderVersions(develop=develop, release=release)
    assert loader.applied_files(of_file) == numbers
    of_pairs = [action("delete_output", 1, version=number, pair=("f", "g")) for number in range(6)]
    assert [due_action.version for due_action in due_actions(of_pairs, of_file, loader)] == numbers
    single = [action("delete_attr", name, version=number) for number in range(6) for name in "ab"]
    assert [due_action.version for due_action in due_actions(single, of_file, loader)] == [
        number for number in numbers[:1] for _ in "ab"
    ]


def test_every_op_that_becomes_another_has_an_entry_of_its_own():
    of_two = [
        action("delete_attr", "a", version=number, former_op=of) for number, of in ((3, "pd_op.e"), (0, ""), (0, ""))
    ]
    assert [due_action.version for due_action in due_actions(of_two, 2, LoaderVersions(develop=0, release=3))] == [
        3,
        0,
        0,
    ]


@pytest.mark.parametrize(
    ("develop", "release", "needed"), [(1, 1, set()), (0, 1, {0, 1}), (2, 2, {1, 2}), (4, 4, {1, 2, 3, 4})]
)
def test_which_files_have_to_be_there(develop, release, needed):
    assert LoaderVersions(develop=develop, release=release).needed == needed


@pytest.mark.parametrize(
    ("version", "producer", "loading", "expected"),
    [
        ("3.0.0", 1, {}, (1, 1)),
        (None, 2, {}, (0, 2)),
        (None, 1, {"develop_version": 1, "release_version": 1}, (1, 1)),
        (None, 1, {"develop_version": True, "release_version": 10**9}, (0, 999)),
        ("3.0.0", None, {"develop_version": "1"}, (1, 1)),
    ],
)
def test_what_a_spec_states_of_its_loader(version, producer, loading, expected):
    spec = Spec(
        file="spec",
        provenance=Provenance(framework="paddle-pir", version=version),
        ops={},
        graph_versions=producer and GraphVersions(producer=producer),
        loading=loading,
    )
    result = loader_of(spec)
    assert (result.develop, result.release) == expected


def test_types_that_patches_replace():
    rows = ([0, "attr", INT, LONG], [2, "type", "pir::BoolType", ""])
    spec = Spec(
        file="spec", provenance=Provenance(framework="paddle-pir"), ops={}, loading={"retyped": tuple(map(tuple, rows))}
    )
    result = retypings_of(spec)
    assert [(row.version, row.kind, row.name, row.new) for row in result] == [tuple(row) for row in rows[:2]]
    assert retypings_of(spec, [2]) == result[1:]
    form = FORM.replace(attrs={"a": INT, "b": f"pir::ArrayAttribute<{INT}>"})
    assert replace_types(form, result).attrs == {"a": LONG, "b": f"pir::ArrayAttribute<{INT}>"}


def test_actions_are_written_and_read_again():
    every = (
        action("add_attr", "b", type=LONG, data=1),
        action("modify_name", data="pd_op.g", former_op="pd_op.e"),
        action("delete_input", 0),
    )
    assert actions_of(Op(name="pd_op.g", patches=tuple(map(action_record, every)))) == every
    assert actions_of(Op(name="pd_op.g")) == ()


@pytest.mark.parametrize(
    ("given", "declared", "expected"),
    [
        (INT, INT, True),
        (INT, LONG, False),
        (INT, "", True),
        (INT, "paddle::dialect::ScalarAttribute<float>", True),
        ("pir::ArrayAttribute", f"pir::ArrayAttribute<{LONG}>", True),
        (f"pir::ArrayAttribute<{INT}>", f"pir::ArrayAttribute<{LONG}>", False),
        (f"pir::ArrayAttribute<{INT}>", "pir::ArrayAttribute<paddle::dialect::ScalarAttribute>", True),
        (f"pir::ArrayAttribute<{INT}>", "paddle::dialect::ScalarAttribute<float>", False),
    ],
)
def test_what_is_read_as_what(given, declared, expected):
    assert accepts(given, declared) is expected
