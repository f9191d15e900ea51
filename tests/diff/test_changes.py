from __future__ import annotations

import pytest

from opspec_lint.diff.changes.arguments import (
    argument_added,
    argument_removed,
    argument_renamed,
    is_omittable,
    without_untrusted_exemption,
)
from opspec_lint.diff.changes.field import field_changed
from opspec_lint.diff.changes.op_versions import history_changed
from opspec_lint.diff.specs import diff
from opspec_lint.spec.fields import field_table_of_all_frameworks
from opspec_lint.spec.model import SECTIONS, UNKNOWN, Attr, Input, Output
from opspec_lint.spec.notation import parse_spec


def removed(kind="attr", **flags):
    make = {"input": Input, "output": Output, "attr": Attr}[kind]
    return argument_removed("f", kind, make(name="a", **flags))


def added(kind="attr", **flags):
    make = {"input": Input, "output": Output, "attr": Attr}[kind]
    return argument_added("f", kind, make(name="b", **flags))


def field(name, old, new, kind="attr", after=None):
    after = after or Attr(name="a")
    known = field_table_of_all_frameworks().fields_of(SECTIONS.get(kind, "ops"))
    events = known[name].events if name in known else (f"argument_{name}_changed",)
    return field_changed("f", kind, name, (after, after), (old, new), events=events)


@pytest.mark.parametrize(
    ("change", "event"),
    [
        (removed("input"), "input_removed"),
        (removed("output"), "output_removed"),
        (removed("attr"), "attr_removed"),
        (added("input"), "input_added_not_dispensable"),
        (added("input", dispensable=True), "input_added_dispensable"),
        (added("output", dispensable=False), "output_added_not_dispensable"),
        (added("output", dispensable=True), "output_added_dispensable"),
        (added("attr"), "attr_added_without_default"),
        (added("attr", default_value=None), "attr_added_without_default"),
        (added("attr", default_value=0), "attr_added_with_default"),
        (added("attr", default_value=False), "attr_added_with_default"),
        (added("attr", default_value=()), "attr_added_with_default"),
        (field("dispensable", old=True, new=False, kind="input"), "dispensable_cleared"),
        (field("generated", old=False, new=True), "generated_set"),
        (field("extra", old=False, new=True), "extra_set"),
        (field("extra", old=True, new=False), "extra_cleared_not_optional"),
        (field("extra", old=True, new=False, after=Attr(name="a", default_value=0)), "extra_cleared"),
        (field("extra", old=True, new=False, after=Output(name="a", dispensable=True)), "extra_cleared"),
        (field("type", "INT", "LONG"), "attr_type_changed"),
        (field("type", "T", "U", kind="output"), "argument_type_changed"),
        (field("default_value", None, 0), "attr_default_added"),
        (field("default_value", 0, None), "attr_default_removed"),
        (field("default_value", 0, False), "attr_default_changed"),
        (field("allowed_values", (1, 2), (2, 3)), "allowed_values_narrowed"),
        (field("allowed_values", None, (1,)), "allowed_values_narrowed"),
        (field("allowed_values", (1,), ()), "allowed_values_narrowed"),
        (field("allowed_values", (1,), (True, 1.0)), "allowed_values_narrowed"),
        (field("allowed_values", (1,), (1, 2)), "allowed_values_widened"),
        (field("allowed_values", (1,), None), "allowed_values_widened"),
        (field("allowed_values", (), (1,)), "allowed_values_widened"),
        (field("minimum", None, 0), "minimum_raised"),
        (field("minimum", 0, None), "minimum_lowered"),
        (field("minimum", -1, 0), "minimum_raised"),
        (field("minimum", 0, -1), "minimum_lowered"),
        (field("minimum", 0.0, 0.5), "minimum_raised"),
        (field("maximum", None, 0), "maximum_lowered"),
        (field("maximum", 0, None), "maximum_raised"),
        (field("maximum", 1, 0.5), "maximum_lowered"),
        (field("maximum", 0, 1), "maximum_raised"),
        (field("order", ("x", "y"), ("y", "x"), kind="input"), "argument_order_changed"),
        (field("deprecation", None, "soon", kind="op"), "deprecation_changed"),
        (
            history_changed("f", "lost", 0, ((), ()), (None, None)),
            "op_version_lost",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_event(change, event):
    assert change.event == event


@pytest.mark.parametrize("kind", ["input", "output", "attr"])
def test_a_rename_is_exempt_if_both_its_halves_are(kind):
    for before in (True, False, UNKNOWN):
        for after in (True, False, UNKNOWN):
            change = argument_renamed(removed(kind, extra=before), added(kind, extra=after), 1.0)
            assert change.event == f"{kind}_renamed"
            assert change.is_exempt is (before is True and after is True)


def test_a_move_is_under_the_kind_of_base():
    assert argument_renamed(removed("input"), added("output"), 1.0).event == "input_moved"
    assert argument_renamed(removed("output"), added("input"), 1.0).event == "output_moved"


@pytest.mark.parametrize(
    ("argument", "optional"),
    [
        (Input(name="X", dispensable=True), True),
        (Input(name="X", dispensable=False), False),
        (Output(name="X"), False),
        (Attr(name="a", default_value=0), True),
        (Attr(name="a", default_value=""), True),
        (Attr(name="a", default_value=None), False),
        (Attr(name="a"), False),
    ],
)
def test_may_be_left_out(argument, optional):
    assert is_omittable(argument) is optional


@pytest.mark.parametrize("kind", ["input", "attr"])
def test_head_alone_exempts_no_argument_that_models_must_not_omit(kind):
    addition = added(kind, extra=True)
    assert addition.is_exempt
    assert addition.adds is None
    doubted = without_untrusted_exemption(addition)
    assert not doubted.is_exempt
    assert doubted.adds == addition.new
    renamed = without_untrusted_exemption(argument_renamed(removed(kind, extra=True), addition, 1.0))
    assert (renamed.is_exempt, renamed.adds) == (False, addition.new)


def test_head_exempts_an_argument_that_models_may_omit():
    addition = added("attr", extra=True, default_value=0)
    assert without_untrusted_exemption(addition) == addition


def test_removed_and_added_ops_are_not_built():
    spec, two = parse_spec("f(X) -> ()"), parse_spec("g() -> (Out)")
    removed_op, added_op, *_ = diff(spec, two)
    assert (removed_op.event, removed_op.before) == ("op_removed", None)
    assert (added_op.event, added_op.after) == ("op_added", None)
