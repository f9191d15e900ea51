"""The legacy ops with special translators, and how each differs from the common one.

The table follows Paddle's op_translator.cc of October 2024 (its `special_handlers`), and was measured with 3.0.0,
3.1.1, 3.2.2 and 3.3.1. Other ops are translated by the common rules.
"""

from __future__ import annotations

from functools import cache

from opspec_lint.frameworks.paddle.saved.translation.translator import (
    ArgumentRequirement,
    AttrRequirement,
    Target,
    Translator,
)
from opspec_lint.frameworks.paddle.saved.translation.translator_terms import (
    attr_is_true,
    bool_attr,
    given,
    int_attr,
    is_array,
    is_array_to_tensor,
    is_split_by_number,
    is_split_by_sections,
    not_given,
    overwrites,
    required_inputs,
    required_outputs,
    string_attr,
    unconditional,
)
from opspec_lint.frameworks.paddle.saved.translation.variables import BOOL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.frameworks.paddle.saved.translation.translator import Fills

_SHAPE = ("INTS", "LONGS")
_SHAPES = ("ShapeTensor", "ShapeTensorList")
_EXPLICIT = Translator(fills={"padding_algorithm": ("STRING", "EXPLICIT")})
_POOLING = Translator(
    fills={
        "exclusive": ("BOOLEAN", True),
        "adaptive": ("BOOLEAN", False),
        "padding_algorithm": ("STRING", "EXPLICIT"),
    }
)
_EMBEDDING: Fills = {"padding_idx": ("LONG", -1), "sparse": ("BOOLEAN", False)}
_FAKE_QUANTIZED = Translator(fills={"round_type": ("INT", 1), "x_num_col_dims": ("INT", 1), "quant_axis": ("INT", 0)})
_QUANTIZED = Translator(
    fills={
        "round_type": ("INT", 0),
        "is_test": ("BOOLEAN", True),
        "only_observer": ("BOOLEAN", False),
        "moving_rate": ("FLOAT", 0.9),
        "qmin": ("INT", -128),
        "qmax": ("INT", 127),
    }
)
_REDUCED = Translator(
    handles=frozenset({"axis"}),
    reads=(
        bool_attr("reduce_all"),
        AttrRequirement(name="dim", types=_SHAPE, when=lambda node: not attr_is_true("reduce_all")(node)),
    ),
)
_ELEMENTWISE = Translator(reads=(int_attr("axis"),))
_FETCHED = Translator(handles=frozenset({"name", "col", "out"}), reads=(int_attr("col", is_required=False),))
_FLATTENED = (int_attr("x_num_col_dims"), int_attr("y_num_col_dims"), bool_attr("use_mkldnn"))
_TRANSPOSED: Fills = {"transpose_x": ("BOOLEAN", False), "transpose_y": ("BOOLEAN", False)}
_ADDED_ACTIVATION: Fills = {
    "scale": ("FLOAT", 0.0),
    "axis": ("INT", -1),
    "save_intermediate_out": ("BOOLEAN", False),
}
_LOWER = (bool_attr("lower", is_required=True),)
_WITH_SHAPE = (*required_inputs("XShape", "Out@GRAD"), *required_outputs("X@GRAD"))
_AXES = AttrRequirement(name="axes", types=_SHAPE, when=not_given("AxesTensor", "AxesTensorList"))

TRANSLATORS: dict[str, Translator] = {
    "argsort": Translator(fills={"stable": ("BOOLEAN", False)}),
    "assert": Translator(arguments_required=(ArgumentRequirement(name="Cond", dtype=BOOL),)),
    "assign": Translator(
        targets=(
            Target(op="assign_out_", when=overwrites, handles=frozenset({"output"})),
            Target(op="assign_array_", when=is_array("X")),
        ),
        arguments_required=required_inputs("X"),
    ),
    "assign_value": Translator(
        targets=unconditional("assign_value"),
        handles=frozenset({"values", "place"}),
        reads=(int_attr("dtype"),),
        # AssignValueOpTranscriber takes the first that becomes an array with items, of any type of list
        any_required=("bool_values", "fp32_values", "int32_values", "int64_values", "values"),
    ),
    "batch_norm": Translator(
        fills={"use_global_stats": ("BOOLEAN", False), "trainable_statistics": ("BOOLEAN", False)}
    ),
    "box_coder": Translator(fills={"axis": ("INT", 0), "variance": ("FLOATS", [])}),
    "c_embedding": Translator(fills={"vocab_size": ("LONG", -1)}),
    "c_sync_comm_stream": Translator(targets=unconditional("sync_comm_stream_")),
    "cast": Translator(
        handles=frozenset({"dtype"}),
        reads=(
            AttrRequirement(name="out_dtype", types=("INT",), is_required=False),
            string_attr("mkldnn_data_type"),
        ),
    ),
    "conditional_block": Translator(
        makes_all=True,
        arguments_required=(
            ArgumentRequirement(name="Cond", dtype=BOOL),
            *required_inputs("Input", least=0),
            *required_outputs("Out", least=0),
            *required_outputs("Scope"),
        ),
    ),
    "conv2d": _EXPLICIT,
    "conv3d": _EXPLICIT,
    "cross_entropy_with_softmax": Translator(fills={"axis": ("INT", -1)}),
    "data": Translator(
        handles=frozenset({"name", "shape", "dtype", "place"}),
        reads=(int_attr("place"), int_attr("dtype"), AttrRequirement(name="shape", types=_SHAPE), string_attr("name")),
    ),
    "depthwise_conv2d": _EXPLICIT,
    "dequantize_linear": _QUANTIZED,
    "dropout": Translator(fills={"mode": ("STRING", "downscale_in_infer")}),
    "fake_channel_wise_dequantize_max_abs": _FAKE_QUANTIZED,
    "fake_quantize_dequantize_moving_average_abs_max": _FAKE_QUANTIZED,
    "fake_quantize_moving_average_abs_max": _FAKE_QUANTIZED,
    "fake_quantize_range_abs_max": _FAKE_QUANTIZED,
    "feed": Translator(handles=frozenset({"name", "col"}), reads=(int_attr("col", is_required=False),)),
    "fetch": _FETCHED,
    "fetch_v2": _FETCHED,
    "fill_constant": Translator(
        targets=(Target(op="full_with_tensor", when=given("ValueTensor", *_SHAPES)), Target(op="full")),
        handles=frozenset({"place", "value", "shape", "dtype"}),
        reads=(
            int_attr("dtype"),
            AttrRequirement(name="value", types=("FLOAT",), when=not_given("ValueTensor")),
            AttrRequirement(name="shape", types=_SHAPE, when=not_given(*_SHAPES)),
            AttrRequirement(
                name="place_type", types=("INT",), is_required=False, when=not_given("ValueTensor", *_SHAPES)
            ),
            AttrRequirement(
                name="force_cpu", types=("BOOLEAN",), is_required=False, when=not_given("ValueTensor", *_SHAPES)
            ),
        ),
    ),
    "flatten_contiguous_range_grad": Translator(
        targets=unconditional("flatten_grad"), makes_all=True, arguments_required=_WITH_SHAPE
    ),
    "fused_elemwise_add_activation": Translator(fills=_ADDED_ACTIVATION),
    "fused_elemwise_add_activation_grad": Translator(fills=_ADDED_ACTIVATION),
    "fused_feedforward": Translator(
        fills={
            **dict.fromkeys(("ln1_epsilon", "ln2_epsilon"), ("FLOAT", 1e-5)),
            **dict.fromkeys(("dropout1_prob", "dropout2_prob"), ("FLOAT", 0.5)),
            **dict.fromkeys(("dropout1_implementation", "dropout2_implementation"), ("STRING", "downgrade_in_infer")),
            **dict.fromkeys(("is_test", "dropout1_fix_seed", "dropout2_fix_seed"), ("BOOLEAN", False)),
            **dict.fromkeys(("dropout1_seed_val", "dropout2_seed_val"), ("INT", 0)),
            "act_method": ("STRING", "gelu"),
            "add_residual": ("BOOLEAN", True),
            "ring_id": ("INT", -1),
        }
    ),
    "gather": Translator(handles=frozenset({"axis"})),
    "grad_add": Translator(targets=unconditional("add"), has_inplace=True, reads=(int_attr("axis"),)),
    "im2sequence": Translator(fills={"out_stride": ("INTS", [1, 1])}),
    "increment": Translator(
        handles=frozenset({"value"}), reads=(AttrRequirement(name="step", types=("FLOAT",), is_required=False),)
    ),
    "lod_array_length": Translator(targets=unconditional("array_length")),
    "lookup_table": Translator(
        targets=unconditional("embedding"), fills=_EMBEDDING, arguments_required=required_inputs("Ids", "W")
    ),
    "lookup_table_v2": Translator(targets=unconditional("embedding"), fills=_EMBEDDING),
    "lookup_table_v2_grad": Translator(
        targets=(Target(op="embedding_sparse_grad", when=attr_is_true("is_sparse")), Target(op="embedding_grad")),
        fills=_EMBEDDING,
        reads=(bool_attr("is_sparse"),),
    ),
    "matmul": Translator(
        targets=unconditional("matmul"),
        fills=_TRANSPOSED,
        reads=(
            *(
                AttrRequirement(name=name, types=("FLOAT",), is_required=False, equals=1.0)
                for name in ("Scale_x", "Scale_y", "Scale_out")
            ),
            AttrRequirement(name="alpha", types=("FLOAT",)),
        ),
    ),
    "matrix_rank": Translator(
        targets=(Target(op="matrix_rank_tol", when=given("TolTensor")), Target(op="matrix_rank"))
    ),
    "mul": Translator(
        targets=unconditional("matmul"),
        handles=frozenset({"transpose_x", "transpose_y"}),
        reads=_FLATTENED,
        arguments_required=required_inputs("X", "Y"),
    ),
    "mul_grad": Translator(
        targets=unconditional("matmul_grad"),
        handles=frozenset({"transpose_x", "transpose_y"}),
        reads=_FLATTENED,
        arguments_required=required_inputs("X", "Y", "Out@GRAD"),
    ),
    "one_hot_v2": Translator(
        handles=frozenset({"num_classes", "depth"}),
        reads=(AttrRequirement(name="depth", when=not_given("depth_tensor")),),
    ),
    "pool2d": _POOLING,
    "pool3d": _POOLING,
    "quantize_linear": _QUANTIZED,
    "randint": Translator(
        handles=frozenset({"out"}), reads=(int_attr("dtype"),), arguments_required=required_outputs("Out")
    ),
    "range": Translator(handles=frozenset({"dtype"}), arguments_required=required_inputs("Start")),
    "read_from_array": Translator(targets=unconditional("array_read")),
    "reduce_all": _REDUCED,
    "reduce_any": _REDUCED,
    "repeat_interleave": Translator(
        targets=(
            Target(
                op="repeat_interleave_with_tensor_index",
                when=given("RepeatsTensor"),
                handles=frozenset({"repeats"}),
            ),
            Target(op="repeat_interleave"),
        ),
        handles=frozenset({"x"}),
        arguments_required=required_inputs("X"),
    ),
    "repeat_interleave_grad": Translator(
        targets=(
            Target(
                op="repeat_interleave_with_tensor_index_grad",
                when=given("RepeatsTensor"),
                handles=frozenset({"repeats"}),
            ),
            Target(op="repeat_interleave_grad"),
        ),
        handles=frozenset({"x", "out_grad"}),
        arguments_required=required_inputs("X", "Out@GRAD"),
    ),
    "reshape2_grad": Translator(targets=unconditional("reshape_grad"), makes_all=True, arguments_required=_WITH_SHAPE),
    "rnn": Translator(handles=frozenset({"dropout_state_in"})),
    "scale": Translator(fills={"bias": ("FLOAT", 0.0), "bias_after_scale": ("BOOLEAN", True)}),
    "select_input": Translator(
        makes_all=True,
        arguments_required=(
            *required_inputs("Mask"),
            ArgumentRequirement(name="X", least=2, most=2),
            *required_outputs("Out"),
        ),
    ),
    "select_output": Translator(
        makes_all=True,
        arguments_required=(
            *required_inputs("Mask", "X"),
            ArgumentRequirement(name="Out", least=2, most=2, is_output=True),
        ),
    ),
    "sequence_pool": Translator(fills={"pad_value": ("FLOAT", 0.0)}),
    "set_value": Translator(
        targets=(Target(op="set_value_with_tensor", when=given("ValueTensor"), handles=frozenset({"values"})),),
    ),
    "set_value_grad": Translator(targets=unconditional("set_value_with_tensor_grad")),
    "shadow_output": Translator(makes_all=True, reads=(string_attr("name"),), arguments_required=required_inputs("x")),
    "share_buffer": Translator(targets=unconditional("share_data_")),
    "slice": Translator(
        targets=(
            Target(op="slice_array_dense", when=is_array_to_tensor),
            Target(op="slice_array", when=is_array("Input")),
            Target(op="slice"),
        ),
        arguments_required=required_inputs("Input"),
    ),
    "softmax": Translator(fills={"axis": ("INT", -1)}),
    "softmax_with_cross_entropy": Translator(fills={"use_softmax": ("BOOLEAN", True), "axis": ("INT", -1)}),
    "split": Translator(
        targets=(Target(op="split_with_num", when=is_split_by_number), Target(op="split")),
        handles=frozenset({"sections", "axis", "num"}),
        reads=(
            int_attr("num"),
            AttrRequirement(name="sections", types=_SHAPE, when=is_split_by_sections),
            AttrRequirement(name="axis", when=not_given("AxisTensor")),
            string_attr("mkldnn_data_type"),
            bool_attr("use_mkldnn"),
        ),
        arguments_required=required_inputs("X"),
    ),
    "squeeze2_grad": Translator(
        targets=unconditional("squeeze_grad"), makes_all=True, reads=(_AXES,), arguments_required=_WITH_SHAPE
    ),
    "top_p_sampling": Translator(fills={"seed": ("INT", -1), "k": ("INT", 0), "mode": ("STRING", "truncated")}),
    "tril_triu": Translator(targets=(Target(op="tril", when=attr_is_true("lower")), Target(op="triu")), reads=_LOWER),
    "tril_triu_grad": Translator(
        targets=(Target(op="tril_grad", when=attr_is_true("lower")), Target(op="triu_grad")), reads=_LOWER
    ),
    "unsqueeze2_grad": Translator(
        targets=unconditional("unsqueeze_grad"), makes_all=True, reads=(_AXES,), arguments_required=_WITH_SHAPE
    ),
    "tensor_array_to_tensor": Translator(handles=frozenset({"axis", "use_stack"})),
    "while": Translator(
        makes_all=True,
        arguments_required=(ArgumentRequirement(name="Condition", dtype=BOOL), *required_outputs("Out", least=0)),
    ),
    "write_to_array": Translator(targets=unconditional("array_write_"), handles=frozenset({"array"})),
    **{
        f"elementwise_{name}": _ELEMENTWISE
        for operation in ("add", "sub", "mul", "div", "max", "min", "mod", "floordiv")
        for name in (operation, f"{operation}_grad")
    },
    **dict.fromkeys(
        (
            *("dequantize", "multi_gru", "quantize", "requantize", "fused_conv2d", "fused_conv3d", "fused_matmul"),
            *("fused_elementwise_add", "fused_elementwise_div", "fused_elementwise_mul", "fused_elementwise_sub"),
            *("fused_softplus", "fused_transpose"),
        ),
        Translator(is_known=False),
    ),
}
"""The translators by legacy op; the last ones are ops that become ops of the oneDNN dialect."""


def _double_attrs(op: str, **names: str) -> dict[str, Translator]:
    """Return the translators of an op and its gradient that turn float attrs into doubles.

    `names` are the attrs of PIR, with their names in a ProgramDesc.
    """
    return {
        op_or_gradient: Translator(
            handles=frozenset(names),
            # Gradients do not require the attrs.
            reads=tuple(
                AttrRequirement(name=name, types=("FLOAT",), is_required=op_or_gradient == op)
                for name in names.values()
            ),
        )
        for op_or_gradient in (op, f"{op}_grad")
    }


_INTERPOLATIONS = ("bicubic", "bilinear", "linear", "nearest", "trilinear")
_LATER_SINCE = 4
"""The version of PIR with the translators in `_LATER`."""
_LATER = {
    "group_norm": Translator(
        handles=frozenset({"epsilon"}), reads=(AttrRequirement(name="epsilon", types=("FLOAT", "FLOAT64")),)
    ),
    **_double_attrs("leaky_relu", negative_slope="alpha"),
    **_double_attrs("logit", eps="eps"),
    **_double_attrs("pad3d", pad_value="value"),
    **_double_attrs("softplus", beta="beta", threshold="threshold"),
    **{
        f"{name}_interp_v2": Translator(
            fills={}, handles=frozenset({"scale"}), reads=(AttrRequirement(name="scale", types=("FLOATS", "FLOAT64S")),)
        )
        for name in _INTERPOLATIONS
    },
}
"""The translators that came with version 4 of PIR (measured with 3.3.1; 3.2.2, of version 3, has none of them)."""
_COMMON = Translator()

IN_PLACE = frozenset({"adagrad", "adam", "adamax", "adamw"})
"""The ops that become their inplace variants, whatever their variables are (`SpecialInplaceOps`)."""
UNSUPPORTED = frozenset({"while_grad"})
"""The ops that program_translator.cc refuses (`unsupported_ops`)."""


def translator_of(op: str, pir_version: int) -> Translator:
    """Return the translator of a legacy op, in a release that writes a version of PIR."""
    if pir_version >= _LATER_SINCE and op in _LATER:
        return _LATER[op]
    return TRANSLATORS.get(op, _COMMON)


def legacy_ops_of(op: str) -> tuple[str, ...]:
    """Return the legacy ops whose special translators create a PIR op or its plain variant."""
    ops_by_target = _ops_by_target()
    return tuple(sorted({*ops_by_target.get(op, ()), *ops_by_target.get(op.removesuffix("_"), ())}))


@cache
def _ops_by_target() -> dict[str, list[str]]:
    """Return the legacy ops by the PIR op that their translators create."""
    ops_by_target: dict[str, list[str]] = {}
    for name, translator in TRANSLATORS.items():
        for target in translator.targets:
            ops_by_target.setdefault(target.op, []).append(name)
    return ops_by_target
