"""Elementwise ops that the predictor fuses with their reader: each case was run with the wheels of 2.6.2 and 3.x."""

from __future__ import annotations

import pytest

from tests.support.models.paddle_programs import audited, node, program, release

OPS = (
    *(f"elementwise_{text}(X, Y) -> (Out) [axis: INT = -1]" for text in ("add", "sub", "mul", "div", "max")),
    *(f"{text}(X) -> (Out)" for text in ("relu", "abs", "exp", "batch_norm", "affine_channel")),
    "scale(X, ScaleTensor?) -> (Out) [bias: FLOAT = 0]",
    'dropout(X) -> (Out) [dropout_implementation: STRING = "downgrade_in_infer"]',
    "unsqueeze2(X, AxesTensor?) -> (Out)",
    *(f"{text}(Input, Filter) -> (Output)" for text in ("conv2d", "depthwise_conv2d", "conv2d_transpose", "conv3d")),
    "while(X*) -> (Out) [sub_block: BLOCK]",
    *(f"fused_elementwise_{text}(X, Y) -> (Out)" for text in ("add", "sub", "mul", "div")),
    *(f"{text}softplus(X) -> (Out)" for text in ("", "fused_")),
)
PREDICTOR = "inference_predictor"
VARIABLES = ("x", "y", "w", "f", "a", "b", "c", "d", "e")
SHAPE = [2, 3, 4, 5]


def step(op, source, target, name="X", out="Out", **attrs):
    made = node(op, {name: [source]}, (), **attrs)
    made.outputs.add(parameter=out.encode(), arguments=[target.encode()])
    return made


def elementwise(op, x, y, target, axis=1):
    made = node(f"elementwise_{op}", {"X": [x], "Y": [y]}, (), axis=("INT", axis))
    made.outputs.add(parameter=b"Out", arguments=[target.encode()])
    return made


def conv(op, source, target):
    made = node(op, {"Input": [source], "Filter": ["f"]}, ())
    made.outputs.add(parameter=b"Output", arguments=[target.encode()])
    return made


def verdict(tmp_path, *nodes, version="3.0.0", y=(3,), x=SHAPE, kept=("y", "w", "f"), dtype=5, loader=PREDICTOR):
    shapes = dict.fromkeys(VARIABLES, x) | {"y": list(y), "w": [3]}
    data = program(*nodes, variables=VARIABLES, shapes=shapes.items(), kept=kept, dtype=dtype)
    return audited(tmp_path, data, release(*OPS, version=version), loader).verdict


READERS = {
    "relu": (step("relu", "a", "b"),),
    "scale": (step("scale", "a", "b"),),
    "scale by a parameter": (node("scale", {"X": ["a"], "ScaleTensor": ["w"]}),),
    "dropout that scales": (step("dropout", "a", "b", dropout_implementation=("STRING", "downgrade_in_infer")),),
    "relu behind a dropout": (
        step("dropout", "a", "b", dropout_implementation=("STRING", "upscale_in_train")),
        step("relu", "b", "c"),
    ),
    "relu in place": (step("relu", "a", "a"), step("exp", "a", "b"), step("exp", "a", "c")),
}
OTHERS = {
    "none": (),
    "exp": (step("exp", "a", "b"),),
    "two": (step("relu", "a", "b"), step("exp", "a", "c")),
    "scale with a bias": (step("scale", "a", "b", bias=("FLOAT", 1.0)),),
    "scale by a tensor": (node("scale", {"X": ["a"], "ScaleTensor": ["x"]}),),
    "exp behind a dropout": (
        step("dropout", "a", "b", dropout_implementation=("STRING", "upscale_in_train")),
        step("exp", "b", "c"),
    ),
    "relu, and a block": (step("relu", "a", "b"), step("while", "a", "c", sub_block=("BLOCK", 1))),
}


@pytest.mark.parametrize("op", ["add", "sub", "mul"])
@pytest.mark.parametrize(
    ("readers", "expected"),
    [*((item, "fails_at_run") for item in READERS.values()), *((item, "loads") for item in OTHERS.values())],
    ids=[*READERS, *OTHERS],
)
def test_the_reader_decides_whether_axis_is_looked_at(tmp_path, op, readers, expected):
    assert verdict(tmp_path, elementwise(op, "x", "y", "a"), *readers) == expected


@pytest.mark.parametrize(
    ("op", "reader", "expected"),
    [
        ("div", step("scale", "a", "b"), "fails_at_run"),
        ("div", step("relu", "a", "b"), "loads"),
        ("max", step("scale", "a", "b"), "loads"),
        ("mul", step("unsqueeze2", "a", "b"), "fails_at_run"),
        ("mul", node("unsqueeze2", {"X": ["a"], "AxesTensor": ["x"]}), "loads"),
        ("add", step("unsqueeze2", "a", "b"), "loads"),
    ],
)
def test_ops_are_fused_with_readers_of_their_own(tmp_path, op, reader, expected):
    assert verdict(tmp_path, elementwise(op, "x", "y", "a"), reader) == expected


@pytest.mark.parametrize(
    ("x", "y", "axis", "expected"),
    [
        (SHAPE, [3], 1, "fails_at_run"),
        (SHAPE, [2], 0, "fails_at_run"),
        (SHAPE, [4], 2, "fails_at_run"),
        (SHAPE, [2, 3], 0, "fails_at_run"),
        (SHAPE, [3, 4], 1, "fails_at_run"),
        (SHAPE, [3, 1], 1, "fails_at_run"),
        ([2, 3], [2], 0, "fails_at_run"),
        ([-1, 3, -1, -1], [3], 1, "fails_at_run"),
        ([3], SHAPE, 1, "fails_at_run"),
        (SHAPE, [5], -1, "loads"),
        (SHAPE, [4, 5], 2, "loads"),
        (SHAPE, [3, 1, 1], 1, "loads"),
        (SHAPE, [1], 1, "loads"),
        ([2, 3], [3], 1, "loads"),
        ([2, 4, 4, 4], [4], 1, "loads"),
    ],
)
def test_shapes_that_do_not_fit_at_their_ends_fail(tmp_path, x, y, axis, expected):
    nodes = elementwise("add", "x", "y", "a", axis), step("relu", "a", "b")
    assert verdict(tmp_path, *nodes, x=x, y=y) == expected
    assert verdict(tmp_path, *nodes, x=x, y=y, version="2.6.2") == "loads"
    assert verdict(tmp_path, *nodes, x=x, y=y, loader="legacy_executor") == "loads"


BIAS, RELU = elementwise("add", "a", "y", "b"), step("relu", "b", "c")
TAKEN_UP = {
    "conv2d": (conv("conv2d", "x", "a"), BIAS, RELU),
    "depthwise_conv2d": (conv("depthwise_conv2d", "x", "a"), BIAS, RELU),
    "conv2d_transpose": (conv("conv2d_transpose", "x", "a"), BIAS, RELU),
    "twice": (conv("conv2d", "x", "d"), elementwise("add", "d", "w", "a"), BIAS, RELU),
    "behind a batch norm": (conv("conv2d", "x", "d"), step("batch_norm", "d", "a"), BIAS, RELU),
    "read twice": (conv("conv2d", "x", "a"), BIAS, RELU, step("exp", "b", "d")),
    "computed of parameters": (
        conv("conv2d", "x", "a"),
        step("exp", "y", "e"),
        elementwise("add", "a", "e", "b"),
        RELU,
    ),
}
NOT_TAKEN_UP = {
    "conv3d": (conv("conv3d", "x", "a"), BIAS, RELU),
    "no convolution": (step("batch_norm", "x", "a"), BIAS, RELU),
    "behind an activation": (conv("conv2d", "x", "d"), step("relu", "d", "a"), BIAS, RELU),
    "a convolution with two readers": (conv("conv2d", "x", "a"), step("exp", "a", "d"), BIAS, RELU),
    "multiplied": (conv("conv2d", "x", "a"), elementwise("mul", "a", "y", "b"), RELU),
    "fed": (conv("conv2d", "x", "a"), step("exp", "x", "e"), elementwise("add", "a", "e", "b"), RELU),
}


@pytest.mark.parametrize(
    ("nodes", "expected"),
    [*((key, "loads") for key in TAKEN_UP.values()), *((key, "fails_at_run") for key in NOT_TAKEN_UP.values())],
    ids=[*TAKEN_UP, *NOT_TAKEN_UP],
)
def test_a_convolution_takes_up_its_bias(tmp_path, nodes, expected):
    result = program(
        *nodes,
        variables=VARIABLES,
        shapes=(dict.fromkeys(VARIABLES, SHAPE) | {"y": [3], "w": [3], "e": [3]}).items(),
        kept=("y", "w", "f"),
    )
    assert audited(tmp_path, result, release(*OPS, version="3.3.1"), PREDICTOR).verdict == expected


def test_what_depends_on_nothing_that_is_fed_is_computed_in_advance(tmp_path):
    nodes = elementwise("add", "w", "y", "a", 0), step("relu", "a", "b")
    assert verdict(tmp_path, *nodes, y=(3, 2), kept=("w", "y")) == "loads"
    assert verdict(tmp_path, *nodes, y=(3, 2), kept=("y",)) == "fails_at_run"


@pytest.mark.parametrize(("dtype", "expected"), [(6, "refused"), (3, "refused"), (2, "refused"), (5, "loads")])
@pytest.mark.parametrize("version", ["2.6.2", "3.3.1"])
def test_an_op_of_a_type_that_is_not_fused_is_refused_in_front_of_an_activation(tmp_path, dtype, expected, version):
    nodes = elementwise("sub", "x", "d", "a", -1), step("abs", "a", "b")
    assert verdict(tmp_path, *nodes, dtype=dtype, version=version) == expected
    assert verdict(tmp_path, *nodes[:1], step("scale", "a", "b"), dtype=dtype, version=version) == "loads"
    assert verdict(tmp_path, *nodes, dtype=dtype, version="1.8.5") == "loads"


@pytest.mark.parametrize(
    ("reader", "expected"), [("relu", "refused"), ("abs", "refused"), ("exp", "loads"), ("scale", "loads")]
)
def test_a_softplus_is_fused_into_an_op_that_the_release_may_lack(tmp_path, reader, expected):
    """3.0.0, 3.1.1 and 3.2.2 have no `fused_softplus`; 2.6.2 and 3.3.1 have it."""
    data = program(step("softplus", "x", "a"), step(reader, "a", "b"), variables=VARIABLES)
    lacks = release(*(text for text in OPS if not text.startswith("fused_softplus")), version="3.0.0")
    assert audited(tmp_path, data, lacks, PREDICTOR).verdict == expected
    assert audited(tmp_path, data, release(*OPS, version="3.3.1"), PREDICTOR).verdict == "loads"
