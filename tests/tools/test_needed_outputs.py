"""The recorder of outputs that ops of Paddle need: its reader of C++, and its record against releases."""

from __future__ import annotations

import json

import pytest

from opspec_lint.frameworks.paddle.saved.programs.needed_outputs import FILE, NOT_MEASURED, is_needed
from tests.support.wheels import python_with
from tools.needed_outputs.__main__ import RELEASES, measure, outcome_of, unstated_outputs
from tools.needed_outputs.source import bodies, uses_unchecked

RECORDED = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("noise->set_dims(x);", True),
        ("dev_ctx.template Alloc<T>(noise);", True),
        ("dev_ctx.template Alloc<T>(noise, noise_size);", True),
        ("if (noise) { noise->set_dims(x); }", False),
        ('if (mode == "MEAN") { if (x) { y(); } noise->set_dims(x); }', False),
        ("if (noise) { noise->set_dims(x); } noise->set_dtype(x);", True),
        ("Other(ctx, noise);", False),
        ("noise_grad->set_dims(x);", False),
    ],
)
def test_a_pointer_that_is_always_used(body, expected):
    assert uses_unchecked(f"MetaTensor* noise) {{ {body} }}", "noise") is expected


def test_the_definitions_of_a_function():
    text = "void F(int a);\nvoid F(int a) { if (a) { a(); } }\nvoid FF(int b) {}\nvoid F(float c) { }"
    assert [body.split(")")[0] for body in bodies(text, "F")] == ["int a", "float c"]
    assert next(bodies(text, "F")).endswith("{ if (a) { a(); } }")


RAN = ("ran", {"a": "1", "b": "2"})


@pytest.mark.parametrize(
    ("whole", "trial", "expected"),
    [
        ((RAN, RAN), ("ran", {"a": "1"}), "ran"),
        ((RAN, RAN), ("ran", {"a": "3"}), "differs"),
        ((RAN, ("ran", {"a": "9", "b": "2"})), ("ran", {"a": "3"}), "ran"),
        ((RAN, RAN), ("crashed", "SIGSEGV"), "crashed"),
        ((("failed", "no kernel"),) * 2, ("failed", "no kernel"), NOT_MEASURED),
    ],
    ids=["the same", "another result", "another result of chance", "a crash", "never ran"],
)
def test_the_outcome_of_a_trial(whole, trial, expected):
    assert outcome_of(whole, trial) == expected


def test_of_which_outputs_nothing_is_known():
    """Their code checks, or hands on, the pointer, and no CPU runs the op, or not each time."""
    unknown = {
        f"{op}.{output}"
        for op, outputs in unstated_outputs().items()
        for output in outputs - RECORDED["measured"].get(op, {"outcomes": {}})["outcomes"].keys()
        if output not in RECORDED["unchecked"].get(op, {})
    }
    assert unknown == {
        "flash_attn_unpadded.seed_offset",
        "flash_attn_varlen_qkvpacked.seed_offset",
        "fused_rms_norm_quant.inv_var",
        "fused_transpose.XShape",
        "graph_khop_sampler.Out_Eids",
        "rms_norm.inv_var",
    }


@pytest.mark.parametrize(
    ("op", "output", "attrs", "expected"),
    [
        ("segment_pool", "SummedIds", {"pooltype": "MEAN"}, True),
        ("segment_pool", "SummedIds", {"pooltype": "SUM"}, False),
        ("segment_pool", "SummedIds", {"pooltype": "NEW"}, None),
        ("segment_pool", "SummedIds", None, None),
        ("warpctc", "WarpCTCGrad", None, True),
        ("cudnn_lstm", "Reserve", None, True),
        ("reshape2", "XShape", {}, False),
        ("nothing", "Mask", {}, None),
    ],
)
@pytest.mark.parametrize("version", RELEASES)
def test_whether_an_output_is_needed(op, output, attrs, expected, version):
    assert is_needed(op, output, version, attrs) is expected


@pytest.mark.parametrize(
    ("version", "expected"), [("1.8.5", False), ("2.6.2", False), ("2.9.0", False), ("3.0.0", True), (None, True)]
)
def test_the_nearest_measured_release_counts(version, expected):
    assert is_needed("flatten2", "XShape", version) is expected


@pytest.mark.wheel
@pytest.mark.parametrize("version", RELEASES)
def test_the_record_is_what_the_release_does(version):
    measured_version, outcomes = measure(python_with("paddle", version))
    of_release = {
        op: {
            output: by_release[version] for output, by_release in measured["outcomes"].items() if version in by_release
        }
        for op, measured in RECORDED["measured"].items()
    }
    assert measured_version == version
    assert outcomes == {op: outputs for op, outputs in of_release.items() if outputs}
