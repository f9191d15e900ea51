"""The specs of PIR ops that `python -m tools.pir_release` writes: a wheel's, completed with what its library says."""

from __future__ import annotations

import pytest

from opspec_lint.spec import canonical
from opspec_lint.spec.model import UNKNOWN, Attr, Input, Op, Output, Provenance, Spec
from tests.support.released_specs import text_as_extracted
from tests.support.wheels import python_with
from tools.pir_release.__main__ import released
from tools.pir_release.completion import with_library
from tools.pir_release.library import Library

TENSOR, LIST = "paddle::dialect::DenseTensorType", "pir::VectorType<paddle::dialect::DenseTensorType>"
SCALAR, INT_ARRAY = "paddle::dialect::ScalarAttribute", "paddle::dialect::IntArrayAttribute"
PATCH = {"action": "add_attr"}


def completed(op, info=None, **messages):
    """Return an op of a wheel with what a library says of it."""
    nothing = {"infos": {}, "kernels": {}, "ops": {}, "arguments": {}, "tensors": {}, "extra": {}}
    infos = {} if info is None else {"FOp": {"inputs": [], "outputs": [], "attrs": [], **info}}
    spec = Spec(file="wheel", provenance=Provenance(framework="paddle-pir"), ops={op.name: op}, binding="position")
    return with_library(spec, Library(**{**nothing, "infos": infos, **messages}), {"pd_op.f": "FOp"}).ops[op.name]


def f(**sections):
    return Op(name="pd_op.f", **sections, own={"variadic": False, "patches": (PATCH,)})


def test_the_library_states_types_and_flags():
    op = f(inputs=(Input(name="x"), Input(name="y")), outputs=(Output(name="out"),))
    info = {"inputs": [["x", TENSOR, False, False], ["y", LIST, True, False]], "outputs": [["out", LIST, True, True]]}
    result = completed(op, info)
    assert [
        (argument.type, argument.dispensable, argument.duplicable) for argument in (*result.inputs, *result.outputs)
    ] == [
        (TENSOR, False, False),
        (LIST, True, True),
        (LIST, True, True),
    ]
    assert result.outputs[0].get("intermediate") is True
    assert result.get("patches") == (PATCH,)


def test_what_a_scalar_holds_the_wheel_states():
    known = Input(name="n", type=f"{SCALAR}<int>", own={"mutable_attr": True, "default": 1})
    (own,) = completed(f(inputs=(known,)), {"inputs": [["n", SCALAR, False, True]]}).inputs
    assert (own.type, own.get("mutable_attr"), own.get("default")) == (f"{SCALAR}<int>", True, 1)


def test_inputs_that_no_accessor_shows_are_those_of_the_library():
    info = {"inputs": [["x", TENSOR, False, False], ["starts", INT_ARRAY, False, True], ["n", SCALAR, False, True]]}
    own = completed(f(inputs=(Input(name="x"),)), info).inputs
    assert [
        (argument.name, argument.type, argument.get("mutable_attr"), argument.get("default")) for argument in own
    ] == [
        ("x", TENSOR, False, UNKNOWN),
        ("starts", INT_ARRAY, True, None),
        ("n", UNKNOWN, True, None),
    ]


@pytest.mark.parametrize(
    ("kind", "held", "expected"),
    [
        ("pir::FloatAttribute", "", "pir::FloatAttribute"),
        (INT_ARRAY, "std::vector<int64_t>", INT_ARRAY),
        (SCALAR, "float", f"{SCALAR}<float>"),
        (SCALAR, "", UNKNOWN),
    ],
)
def test_an_attr_whose_type_the_wheel_leaves_open_is_of_that_of_the_library(kind, held, expected):
    assert completed(f(attrs=(Attr(name="a"),)), {"attrs": [["a", kind, held]]}).attrs[0].type == expected


def test_the_tables_of_the_translation_name_ops_and_arguments():
    op = f(
        inputs=(Input(name="x"), Input(name="axis", own={"mutable_attr": True})),
        attrs=(Attr(name="keep", type="pir::BoolAttribute"),),
    )
    result = completed(
        op,
        ops={"old_f": "f"},
        arguments={"old_f": {"x": "X", "keep": "keep_dim"}},
        tensors={"old_f": {"axis": ["AxesTensorList", "AxesTensor"]}},
        extra={"old_f": ["keep_dim"]},
    )
    assert result.get("legacy_names") == ("old_f",)
    assert [argument.get("legacy_name") for argument in (*result.inputs, *result.attrs)] == ["X", None, "keep_dim"]
    assert result.inputs[1].get("legacy_tensors") == ("AxesTensor", "AxesTensorList")
    assert result.attrs[0].get("legacy_extra") is True


@pytest.mark.parametrize(
    ("name", "kernels", "expected"),
    [
        ("pd_op.f", {"": {"f": ["f", "f_sr"]}}, "f"),
        ("pd_op.f_sr", {"": {"f": ["f", "f_sr"]}}, "f"),
        ("pd_op.f_coo_sp", {"sp_": {"f_sp": ["f_coo", "f_csr"]}}, "f_sp"),
        ("pd_op.f_coo", {"sp_": {"f_sp": ["f_coo", "f_csr"]}}, None),
    ],
)
def test_an_op_may_be_a_kernel_of_another(name, kernels, expected):
    assert completed(Op(name=name), kernels=kernels).get("kernel_of") == expected


def test_an_op_that_the_library_states_nothing_of_stays_as_the_wheel_has_it():
    op = f(inputs=(Input(name="x"),)).replace(name="pd_op.other")
    assert completed(op).inputs[0].dispensable is UNKNOWN


@pytest.mark.wheel
@pytest.mark.parametrize("version", ["3.0.0", "3.3.1"])
def test_the_released_spec_is_what_the_tool_writes(version):
    written = canonical.dumps(released(python_with("paddle", version)))
    assert written == text_as_extracted(f"paddle-pir-{version}")
