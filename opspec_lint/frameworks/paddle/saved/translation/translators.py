"""The ops of a ProgramDesc that have a translator of their own, and what it does otherwise than the common one.

What is in the table follows Paddle's op_translator.cc of October 2024 (its `special_handlers`), and was measured with
3.0.0, 3.1.1, 3.2.2 and 3.3.1. An op that is not in it is translated by the common rules.
"""

from __future__ import annotations

from functools import cache

from opspec_lint.frameworks.paddle.saved.translation.translator import Ask, Read, Target, Translator
from opspec_lint.frameworks.paddle.saved.translation.variables import ARRAY, BOOL, TENSOR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opspec_lint.frameworks.paddle.saved.translation.node import Node
    from opspec_lint.frameworks.paddle.saved.translation.translator import Fills


def _to(*ops: str) -> tuple[Target, ...]:
    return tuple(Target(op=op) for op in ops)


def _given(*inputs: str) -> Callable[[Node], bool]:
    return lambda node: node.gives(*inputs)


def _not_given(*inputs: str) -> Callable[[Node], bool]:
    return lambda node: not node.gives(*inputs)


def _true(attr: str) -> Callable[[Node], bool]:
    return lambda node: node.value(attr) is True


def _is_array(parameter: str) -> Callable[[Node], bool]:
    return lambda node: node.kind_of(node.inputs, parameter) == ARRAY


def _is_split_by_number(node: Node) -> bool:
    number = node.value("num")
    return isinstance(number, int) and number > 0


def _is_split_by_sections(node: Node) -> bool:
    return not _is_split_by_number(node) and not node.gives("SectionsTensorList")


def _writes_again(node: Node) -> bool:
    arguments = node.outputs.get("Out") or ("",)
    return arguments[0] in node.defined


def _is_array_to_tensor(node: Node) -> bool:
    return _is_array("Input")(node) and node.kind_of(node.outputs, "Out") == TENSOR


def _inputs(*names: str, least: int = 1) -> tuple[Ask, ...]:
    return tuple(Ask(name=name, least=least) for name in names)


def _outputs(*names: str, least: int = 1) -> tuple[Ask, ...]:
    return tuple(Ask(name=name, least=least, is_output=True) for name in names)


def _flag(name: str, *, is_required: bool = False) -> Read:
    return Read(name=name, types=("BOOLEAN",), is_required=is_required)


def _number(name: str, *, is_required: bool = True) -> Read:
    return Read(name=name, types=("INT",), is_required=is_required)


def _text(name: str) -> Read:
    return Read(name=name, types=("STRING",), is_required=False)


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
    reads=(_flag("reduce_all"), Read(name="dim", types=_SHAPE, when=lambda node: not _true("reduce_all")(node))),
)
_ELEMENTWISE = Translator(reads=(_number("axis"),))
_FETCHED = Translator(handles=frozenset({"name", "col", "out"}), reads=(_number("col", is_required=False),))
_FLATTENED = (_number("x_num_col_dims"), _number("y_num_col_dims"), _flag("use_mkldnn"))
_TRANSPOSED: Fills = {"transpose_x": ("BOOLEAN", False), "transpose_y": ("BOOLEAN", False)}
_ADDED_ACTIVATION: Fills = {
    "scale": ("FLOAT", 0.0),
    "axis": ("INT", -1),
    "save_intermediate_out": ("BOOLEAN", False),
}
_LOWER = (_flag("lower", is_required=True),)
_WITH_SHAPE = (*_inputs("XShape", "Out@GRAD"), *_outputs("X@GRAD"))
_AXES = Read(name="axes", types=_SHAPE, when=_not_given("AxesTensor", "AxesTensorList"))

TRANSLATORS: dict[str, Translator] = {
    "argsort": Translator(fills={"stable": ("BOOLEAN", False)}),
    "assert": Translator(asks=(Ask(name="Cond", dtype=BOOL),)),
    "assign": Translator(
        targets=(
            Target(op="assign_out_", when=_writes_again, handles=frozenset({"output"})),
            Target(op="assign_array_", when=_is_array("X")),
        ),
        asks=_inputs("X"),
    ),
    "assign_value": Translator(
        targets=_to("assign_value"),
        handles=frozenset({"values", "place"}),
        reads=(_number("dtype"),),
        # AssignValueOpTranscriber takes the first that becomes an array with items, of any type of list
        one_of=("bool_values", "fp32_values", "int32_values", "int64_values", "values"),
    ),
    "batch_norm": Translator(
        fills={"use_global_stats": ("BOOLEAN", False), "trainable_statistics": ("BOOLEAN", False)}
    ),
    "box_coder": Translator(fills={"axis": ("INT", 0), "variance": ("FLOATS", [])}),
    "c_embedding": Translator(fills={"vocab_size": ("LONG", -1)}),
    "c_sync_comm_stream": Translator(targets=_to("sync_comm_stream_")),
    "cast": Translator(
        handles=frozenset({"dtype"}),
        reads=(
            Read(name="out_dtype", types=("INT",), is_required=False),
            _text("mkldnn_data_type"),
        ),
    ),
    "conditional_block": Translator(
        makes_all=True,
        asks=(Ask(name="Cond", dtype=BOOL), *_inputs("Input", least=0), *_outputs("Out", least=0), *_outputs("Scope")),
    ),
    "conv2d": _EXPLICIT,
    "conv3d": _EXPLICIT,
    "cross_entropy_with_softmax": Translator(fills={"axis": ("INT", -1)}),
    "data": Translator(
        handles=frozenset({"name", "shape", "dtype", "place"}),
        reads=(_number("place"), _number("dtype"), Read(name="shape", types=_SHAPE), _text("name")),
    ),
    "depthwise_conv2d": _EXPLICIT,
    "dequantize_linear": _QUANTIZED,
    "dropout": Translator(fills={"mode": ("STRING", "downscale_in_infer")}),
    "fake_channel_wise_dequantize_max_abs": _FAKE_QUANTIZED,
    "fake_quantize_dequantize_moving_average_abs_max": _FAKE_QUANTIZED,
    "fake_quantize_moving_average_abs_max": _FAKE_QUANTIZED,
    "fake_quantize_range_abs_max": _FAKE_QUANTIZED,
    "feed": Translator(handles=frozenset({"name", "col"}), reads=(_number("col", is_required=False),)),
    "fetch": _FETCHED,
    "fetch_v2": _FETCHED,
    "fill_constant": Translator(
        targets=(Target(op="full_with_tensor", when=_given("ValueTensor", *_SHAPES)), Target(op="full")),
        handles=frozenset({"place", "value", "shape", "dtype"}),
        reads=(
            _number("dtype"),
            Read(name="value", types=("FLOAT",), when=_not_given("ValueTensor")),
            Read(name="shape", types=_SHAPE, when=_not_given(*_SHAPES)),
            Read(name="place_type", types=("INT",), is_required=False, when=_not_given("ValueTensor", *_SHAPES)),
            Read(name="force_cpu", types=("BOOLEAN",), is_required=False, when=_not_given("ValueTensor", *_SHAPES)),
        ),
    ),
    "flatten_contiguous_range_grad": Translator(targets=_to("flatten_grad"), makes_all=True, asks=_WITH_SHAPE),
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
    "grad_add": Translator(targets=_to("add"), has_inplace=True, reads=(_number("axis"),)),
    "im2sequence": Translator(fills={"out_stride": ("INTS", [1, 1])}),
    "increment": Translator(
        handles=frozenset({"value"}), reads=(Read(name="step", types=("FLOAT",), is_required=False),)
    ),
    "lod_array_length": Translator(targets=_to("array_length")),
    "lookup_table": Translator(targets=_to("embedding"), fills=_EMBEDDING, asks=_inputs("Ids", "W")),
    "lookup_table_v2": Translator(targets=_to("embedding"), fills=_EMBEDDING),
    "lookup_table_v2_grad": Translator(
        targets=(Target(op="embedding_sparse_grad", when=_true("is_sparse")), Target(op="embedding_grad")),
        fills=_EMBEDDING,
        reads=(_flag("is_sparse"),),
    ),
    "matmul": Translator(
        targets=_to("matmul"),
        fills=_TRANSPOSED,
        reads=(
            *(
                Read(name=name, types=("FLOAT",), is_required=False, equals=1.0)
                for name in ("Scale_x", "Scale_y", "Scale_out")
            ),
            Read(name="alpha", types=("FLOAT",)),
        ),
    ),
    "matrix_rank": Translator(
        targets=(Target(op="matrix_rank_tol", when=_given("TolTensor")), Target(op="matrix_rank"))
    ),
    "mul": Translator(
        targets=_to("matmul"),
        handles=frozenset({"transpose_x", "transpose_y"}),
        reads=_FLATTENED,
        asks=_inputs("X", "Y"),
    ),
    "mul_grad": Translator(
        targets=_to("matmul_grad"),
        handles=frozenset({"transpose_x", "transpose_y"}),
        reads=_FLATTENED,
        asks=_inputs("X", "Y", "Out@GRAD"),
    ),
    "one_hot_v2": Translator(
        handles=frozenset({"num_classes", "depth"}), reads=(Read(name="depth", when=_not_given("depth_tensor")),)
    ),
    "pool2d": _POOLING,
    "pool3d": _POOLING,
    "quantize_linear": _QUANTIZED,
    "randint": Translator(handles=frozenset({"out"}), reads=(_number("dtype"),), asks=_outputs("Out")),
    "range": Translator(handles=frozenset({"dtype"}), asks=_inputs("Start")),
    "read_from_array": Translator(targets=_to("array_read")),
    "reduce_all": _REDUCED,
    "reduce_any": _REDUCED,
    "repeat_interleave": Translator(
        targets=(
            Target(
                op="repeat_interleave_with_tensor_index",
                when=_given("RepeatsTensor"),
                handles=frozenset({"repeats"}),
            ),
            Target(op="repeat_interleave"),
        ),
        handles=frozenset({"x"}),
        asks=_inputs("X"),
    ),
    "repeat_interleave_grad": Translator(
        targets=(
            Target(
                op="repeat_interleave_with_tensor_index_grad",
                when=_given("RepeatsTensor"),
                handles=frozenset({"repeats"}),
            ),
            Target(op="repeat_interleave_grad"),
        ),
        handles=frozenset({"x", "out_grad"}),
        asks=_inputs("X", "Out@GRAD"),
    ),
    "reshape2_grad": Translator(targets=_to("reshape_grad"), makes_all=True, asks=_WITH_SHAPE),
    "rnn": Translator(handles=frozenset({"dropout_state_in"})),
    "scale": Translator(fills={"bias": ("FLOAT", 0.0), "bias_after_scale": ("BOOLEAN", True)}),
    "select_input": Translator(
        makes_all=True, asks=(*_inputs("Mask"), Ask(name="X", least=2, most=2), *_outputs("Out"))
    ),
    "select_output": Translator(
        makes_all=True, asks=(*_inputs("Mask", "X"), Ask(name="Out", least=2, most=2, is_output=True))
    ),
    "sequence_pool": Translator(fills={"pad_value": ("FLOAT", 0.0)}),
    "set_value": Translator(
        targets=(Target(op="set_value_with_tensor", when=_given("ValueTensor"), handles=frozenset({"values"})),),
    ),
    "set_value_grad": Translator(targets=_to("set_value_with_tensor_grad")),
    "shadow_output": Translator(makes_all=True, reads=(_text("name"),), asks=_inputs("x")),
    "share_buffer": Translator(targets=_to("share_data_")),
    "slice": Translator(
        targets=(
            Target(op="slice_array_dense", when=_is_array_to_tensor),
            Target(op="slice_array", when=_is_array("Input")),
            Target(op="slice"),
        ),
        asks=_inputs("Input"),
    ),
    "softmax": Translator(fills={"axis": ("INT", -1)}),
    "softmax_with_cross_entropy": Translator(fills={"use_softmax": ("BOOLEAN", True), "axis": ("INT", -1)}),
    "split": Translator(
        targets=(Target(op="split_with_num", when=_is_split_by_number), Target(op="split")),
        handles=frozenset({"sections", "axis", "num"}),
        reads=(
            _number("num"),
            Read(name="sections", types=_SHAPE, when=_is_split_by_sections),
            Read(name="axis", when=_not_given("AxisTensor")),
            _text("mkldnn_data_type"),
            _flag("use_mkldnn"),
        ),
        asks=_inputs("X"),
    ),
    "squeeze2_grad": Translator(targets=_to("squeeze_grad"), makes_all=True, reads=(_AXES,), asks=_WITH_SHAPE),
    "top_p_sampling": Translator(fills={"seed": ("INT", -1), "k": ("INT", 0), "mode": ("STRING", "truncated")}),
    "tril_triu": Translator(targets=(Target(op="tril", when=_true("lower")), Target(op="triu")), reads=_LOWER),
    "tril_triu_grad": Translator(
        targets=(Target(op="tril_grad", when=_true("lower")), Target(op="triu_grad")), reads=_LOWER
    ),
    "unsqueeze2_grad": Translator(targets=_to("unsqueeze_grad"), makes_all=True, reads=(_AXES,), asks=_WITH_SHAPE),
    "tensor_array_to_tensor": Translator(handles=frozenset({"axis", "use_stack"})),
    "while": Translator(makes_all=True, asks=(Ask(name="Condition", dtype=BOOL), *_outputs("Out", least=0))),
    "write_to_array": Translator(targets=_to("array_write_"), handles=frozenset({"array"})),
    **{
        f"elementwise_{name}": _ELEMENTWISE
        for of in ("add", "sub", "mul", "div", "max", "min", "mod", "floordiv")
        for name in (of, f"{of}_grad")
    },
    **dict.fromkeys(
        (
            *("dequantize", "multi_gru", "quantize", "requantize", "fused_conv2d", "fused_conv3d", "fused_matmul"),
            *("fused_elementwise_add", "fused_elementwise_div", "fused_elementwise_mul", "fused_elementwise_sub"),
            *("fused_softplus", "fused_transpose"),
        ),
        Translator(is_told=False),
    ),
}
"""The translators by the op of the ProgramDesc, and the ops that become those of the dialect of oneDNN."""


def _widened(op: str, **names: str) -> dict[str, Translator]:
    """Return the translators of an op and its gradient that make doubles of attrs.

    Args:
        op: the op.
        names: the attrs of PIR, with their names in a ProgramDesc.
    """
    return {
        of: Translator(
            handles=frozenset(names),
            reads=tuple(Read(name=name, types=("FLOAT",), is_required=of == op) for name in names.values()),
        )
        for of in (op, f"{op}_grad")
    }


_INTERPOLATIONS = ("bicubic", "bilinear", "linear", "nearest", "trilinear")
_SINCE = 4
_LATER = {
    "group_norm": Translator(handles=frozenset({"epsilon"}), reads=(Read(name="epsilon", types=("FLOAT", "FLOAT64")),)),
    **_widened("leaky_relu", negative_slope="alpha"),
    **_widened("logit", eps="eps"),
    **_widened("pad3d", pad_value="value"),
    **_widened("softplus", beta="beta", threshold="threshold"),
    **{
        f"{name}_interp_v2": Translator(
            fills={}, handles=frozenset({"scale"}), reads=(Read(name="scale", types=("FLOATS", "FLOAT64S")),)
        )
        for name in _INTERPOLATIONS
    },
}
"""The translators that came with version 4 of PIR (measured with 3.3.1; 3.2.2, of version 3, has none of them)."""
_COMMON = Translator()

IN_PLACE = frozenset({"adagrad", "adam", "adamax", "adamw"})
"""The ops that become those in place, whatever their variables are (`SpecialInplaceOps`)."""
UNSUPPORTED = frozenset({"while_grad"})
"""The ops that program_translator.cc refuses (`unsupported_ops`)."""


def of(op: str, pir_version: int) -> Translator:
    """Return the translator of an op of a ProgramDesc, in a release that writes a version of PIR."""
    later = _LATER.get(op) if pir_version >= _SINCE else None
    return later or TRANSLATORS.get(op, _COMMON)


def sources(op: str) -> tuple[str, ...]:
    """Return the ops of a ProgramDesc whose own translators make a PIR op, or the op that it is the variant `_` of."""
    found = _sources()
    return tuple(sorted({*found.get(op, ()), *found.get(op.removesuffix("_"), ())}))


@cache
def _sources() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, each in TRANSLATORS.items():
        for target in each.targets:
            found.setdefault(target.op, []).append(name)
    return found
