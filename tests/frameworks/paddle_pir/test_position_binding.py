"""Inputs and outputs of PIR ops are bound by position, attrs by name."""

from opspec_lint.diff.specs import diff
from opspec_lint.frameworks.paddle_pir.events import EVENTS
from opspec_lint.frameworks.paddle_pir.framework import FRAMEWORK
from opspec_lint.lint.check import check
from opspec_lint.spec.model import Attr, Input, Op, Output, Provenance, Spec

_TENSOR = "paddle::dialect::DenseTensorType"
_INT = "pir::Int32Attribute"
_OF_LOADERS = EVENTS.keys() - {event for field in FRAMEWORK.fields for event in field.events}


def _spec(*inputs: Input, attrs: tuple[Attr, ...] = (), outputs: tuple[str, ...] = ("out",)) -> Spec:
    op = Op(
        name="pd_op.f",
        inputs=inputs,
        outputs=tuple(Output(name=name, type=_TENSOR, intermediate=False) for name in outputs),
        attrs=attrs,
    )
    return Spec(file="f.json", provenance=Provenance(framework="paddle-pir"), ops={op.name: op}, binding="position")


def _input(name: str, **more: object) -> Input:
    return Input(name=name, **{"type": _TENSOR, "dispensable": False, **more})


def _events(base: Spec, head: Spec) -> list[tuple[str, str | None]]:
    """The facts of the binding; those of the loaders are not its own."""
    changes = (change for change in diff(base, head) if change.event not in _OF_LOADERS)
    return [(change.event, change.name) for change in changes if change.event != "op_version_unknown"]


def test_inputs_that_change_places_are_a_change_of_order() -> None:
    base, head = _spec(_input("x"), _input("y")), _spec(_input("y"), _input("x"))
    assert _events(base, head) == [("argument_order_changed", "x")]


def test_an_input_between_two_others_is_added_and_moves_nothing() -> None:
    base = _spec(_input("x"), _input("y"))
    head = _spec(_input("x"), _input("z", type="paddle::dialect::IntArrayAttribute"), _input("y"))
    assert _events(base, head) == [("input_added_not_dispensable", "z")]


def test_the_order_of_attrs_binds_nothing() -> None:
    attrs = Attr(name="a", type=_INT, default_value=1), Attr(name="b", type=_INT, default_value=None)
    assert _events(_spec(attrs=attrs), _spec(attrs=attrs[::-1])) == []


def test_what_a_program_desc_has_in_place_of_an_argument_is_compared() -> None:
    base = _spec(_input("shape", mutable_attr=True, default=(1,), legacy_name=None))
    for change in ({"default": (2,)}, {"mutable_attr": False}):
        head = _spec(_input("shape", **{"mutable_attr": True, "default": (1,), "legacy_name": None, **change}))
        assert _events(base, head) == [("legacy_form_changed", "shape")]
    head = _spec(_input("shape", mutable_attr=True, default=(1,), legacy_name="Shape"))
    assert _events(base, head) == [("legacy_name_changed", "shape")]


def test_outputs_that_change_places_are_a_change_of_order() -> None:
    base, head = _spec(outputs=("out", "mask", "size")), _spec(outputs=("mask", "out", "size"))
    assert _events(base, head) == [("argument_order_changed", "out")]


def test_what_a_program_is_not_bound_by_breaks_none() -> None:
    attrs = Attr(name="a", type=_INT, default_value=1), Attr(name="b", type=_INT, default_value=1)
    base = _spec(_input("x"), attrs=attrs, outputs=("out",))
    head = _spec(_input("data"), attrs=(attrs[0].replace(default_value=2),), outputs=("result",))
    findings = check(base, head).findings
    assert {finding.rule: finding.directions for finding in findings if finding.level != "off"} == {
        "attr_default_changed": (),
        "attr_removed": (),
        "head_program_refused": ("forward",),
        "input_renamed": (),
        "output_renamed": (),
    }
