"""The PIR ops whose classes are written by hand."""

from __future__ import annotations

import pytest

from opspec_lint.spec.model import Origin
from tests.support.trees.paddle_trees import reasons
from tests.support.trees.pir_trees import HAND, HAND_CODE, HAND_HEADER, read, shown, spec_of


def written(header=HAND_HEADER, code=HAND_CODE):
    return read(files={f"{HAND}.h": header, f"{HAND}.cc": code})


def test_an_op_is_what_its_info_states_with_the_defaults_of_its_builder():
    result = written()
    assert reasons(result) == {}
    assert shown(result.ops["pd_op.f"]) == (
        ["x*?: VectorType<DenseTensorType>", "shape#: IntArrayAttribute = (1, 2)"],
        ["out?~: DenseTensorType"],
        ["k: Int32Attribute = 3", "s: ScalarAttribute<float> = 0.5"],
    )
    assert spec_of(result).ops["pd_op.f"].origin == Origin(file=f"{HAND}.cc", line=7, column=1)


def test_an_op_without_info_takes_more_than_it_names():
    result = written()
    assert shown(result.ops["pd_op.g"]) == (["cond: None"], [], ["first: None", "second: None"])
    assert spec_of(result).ops["pd_op.g"].get("variadic") is True


def test_a_class_that_is_not_registered_is_no_op():
    assert "pd_op.unlisted" not in written().ops
    everything = written(code=HAND_CODE.replace("#undef GET_OP_LIST", ""))
    assert "pd_op.unlisted" in everything.ops


@pytest.mark.parametrize(
    ("code", "op", "reason"),
    [
        (HAND_CODE.replace("FOp::GetOpInfo", "FOp::Other"), "pd_op.f", "does not say what FOp declares"),
        (
            HAND_CODE.replace('OpAttributeInfo("k"', "OpAttributeInfo(k"),
            "pd_op.f",
            "not all that FOp declares is understood",
        ),
        (HAND_CODE.replace('"first", kSecond', '"first"'), "pd_op.g", "does not say what the 2 attrs of GOp are"),
        (HAND_CODE.replace("kSecond", "kThird"), "pd_op.g", "does not say what the 2 attrs of GOp are"),
    ],
)
def test_what_is_not_reported_is_unresolved(code, op, reason):
    result = written(code=code)
    assert list(reasons(result)) == [op]
    assert reason in reasons(result)[op]
    assert op not in result.ops
