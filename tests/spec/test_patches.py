"""What a loader makes of a saved op: the patches that are due, and what they change."""

from __future__ import annotations

import pytest

from opspec_lint.spec.model import Op
from opspec_lint.spec.patches import Action, Form, actions_of, due, fits, for_op, patched, written

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
        (action("add_output", 1).but(pair=("pd_op.f", "pd_op.g")), {"outputs": ("out", None)}),
        (action("modify_name", data="pd_op.g"), {"op": "pd_op.g"}),
        (action("modify_output_type", 0, type="pir::DenseTensorType"), {}),
    ],
)
def test_what_each_action_does(done, after):
    assert patched(FORM, [done]) == FORM.but(**after)


def test_a_pair_gives_one_op_an_output_and_the_other_an_input():
    pair = action("add_value", (1, 0), pair=("pd_op.f", "pd_op.g"))
    assert patched(FORM, [for_op(pair, "pd_op.f")]).outputs == ("out", None)
    assert patched(FORM, [for_op(pair, "pd_op.g")]).inputs == (None, "x", "y")
    gone = action("delete_value", (0, 1), pair=("pd_op.f", "pd_op.g"))
    assert patched(FORM, [for_op(gone, "pd_op.f")]).outputs == ()
    assert patched(FORM, [for_op(gone, "pd_op.g")]).inputs == ("x",)


@pytest.mark.parametrize(
    ("of_file", "of_release", "versions"),
    [(1, 3, [2, 3, 0]), (2, 3, [2, 3, 0]), (3, 3, [0]), (4, 3, []), (1, 0, [2, 3, 0]), (3, 0, [3, 0])],
)
def test_which_patches_are_due(of_file, of_release, versions):
    of_pairs = [action("delete_output", 1, version=number, pair=("f", "g")) for number in (0, 3, 2)]
    assert [each.version for each in due(of_pairs, of_file, of_release)] == versions
    of_one = [action("delete_attr", name, version=number) for number in (0, 3, 2) for name in "ab"]
    assert [each.version for each in due(of_one, of_file, of_release)] == [each for each in versions[:1] for _ in "ab"]
    of_two = [action("delete_attr", "a", version=number, of=of) for number, of in ((3, "pd_op.e"), (0, ""), (0, ""))]
    assert [each.version for each in due(of_two, 2, 3)] == [3, 0, 0]


def test_actions_are_written_and_read_again():
    every = (
        action("add_attr", "b", type=LONG, data=1),
        action("modify_name", data="pd_op.g", of="pd_op.e"),
        action("delete_input", 0),
    )
    assert actions_of(Op(name="pd_op.g", patches=tuple(map(written, every)))) == every
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
    assert fits(given, declared) is expected
