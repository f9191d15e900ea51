"""The ops of a ProgramDesc that have a translator of their own, and what it does otherwise than the common one.

What stands here is read in Paddle's op_translator.cc of October 2024, and measured with 3.0.0 and 3.3.1. An op that is
not among them is translated by the common rules.
"""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Any


class Translator(Record):
    """What a translator does otherwise.

    `targets` are the PIR ops that it makes: none for those of the op's names, "" for what is not told of. `renames` are
    its own names of arguments, by those of PIR. `fills` are the attrs that it fills in for a node without them, with
    their values; where it fills any, another attr that is absent is refused, of any type. `handles` are the inputs,
    outputs and attrs that it makes by itself. `asks_all` tells that it looks for every input of the PIR op, also for
    optional ones, as it chooses among kernels. `is_told` is false where what it asks for is not known here.
    """

    targets: tuple[str, ...] = ()
    renames: Mapping[str, str] = {}
    fills: Mapping[str, str] | None = None
    handles: frozenset[str] = frozenset()
    asks_all: bool = False
    is_told: bool = True

    def target(self, op: str, given: Mapping[str, Any], inputs: Collection[str]) -> str:
        """Return the PIR op of a node, of the two that there may be; the second is that of an input that chooses it.

        Args:
            op: the node's op.
            given: the values of its attrs.
            inputs: the inputs that are given any argument.
        """
        if len(self.targets) == 1:
            return self.targets[0]
        is_first = bool(given.get("lower")) if op.startswith("tril_triu") else not _CHOOSING.intersection(inputs)
        return self.targets[0 if is_first else 1]


_CHOOSING = frozenset({"RepeatsTensor", "TolTensor", "ShapeTensor", "ShapeTensorList", "ValueTensor"})
_EXPLICIT = Translator(fills={"padding_algorithm": "EXPLICIT"})
_POOLING = Translator(fills={"exclusive": "true", "adaptive": "false", "padding_algorithm": "EXPLICIT"})
_EMBEDDING: dict[str, str] = {"padding_idx": "-1", "sparse": "false"}
_QUANTIZED = Translator(fills={"round_type": "1", "x_num_col_dims": "1", "quant_axis": "0"})
_REDUCED = Translator(handles=frozenset({"axis"}))

_OPERANDS: dict[str, str] = {"x": "X", "y": "Y", "out": "Out"}

TRANSLATORS: dict[str, Translator] = {
    "adam": Translator(asks_all=True),
    "adamw": Translator(asks_all=True),
    "argsort": Translator(fills={"stable": "false"}),
    "assign": Translator(targets=("assign",)),
    "assign_value": Translator(targets=("assign_value",), handles=frozenset({"values", "place"})),
    "batch_norm": Translator(fills={"use_global_stats": "false", "trainable_statistics": "false"}),
    "box_coder": Translator(fills={"axis": "0", "variance": "[]"}),
    "cast": Translator(handles=frozenset({"dtype"})),
    "conv2d": _EXPLICIT,
    "conv3d": _EXPLICIT,
    "cross_entropy_with_softmax": Translator(fills={"axis": "-1"}),
    "depthwise_conv2d": _EXPLICIT,
    "dropout": Translator(fills={"mode": "downscale_in_infer"}),
    "fake_channel_wise_dequantize_max_abs": _QUANTIZED,
    "fake_quantize_dequantize_moving_average_abs_max": _QUANTIZED,
    "fake_quantize_moving_average_abs_max": _QUANTIZED,
    "fake_quantize_range_abs_max": _QUANTIZED,
    "fill_constant": Translator(targets=("full", ""), handles=frozenset({"place"})),
    "fused_elemwise_add_activation": Translator(fills={"scale": "0.0", "axis": "-1", "save_intermediate_out": "false"}),
    "gather": Translator(handles=frozenset({"axis"})),
    "grad_add": Translator(targets=("add",), renames=_OPERANDS),
    "im2sequence": Translator(fills={"out_stride": "[1, 1]"}),
    "increment": Translator(handles=frozenset({"value"})),
    "lookup_table": Translator(
        targets=("embedding",), renames={"x": "Ids", "weight": "W", "out": "Out"}, fills=_EMBEDDING
    ),
    "lookup_table_v2": Translator(targets=("embedding",), fills=_EMBEDDING),
    "matmul": Translator(
        targets=("matmul",),
        renames={**_OPERANDS, "transpose_x": "transpose_X", "transpose_y": "transpose_Y"},
    ),
    "matrix_rank": Translator(targets=("matrix_rank", "matrix_rank_tol"), renames={"atol_tensor": "TolTensor"}),
    "mul": Translator(targets=("matmul",), renames=_OPERANDS, handles=frozenset({"transpose_x", "transpose_y"})),
    "one_hot_v2": Translator(handles=frozenset({"num_classes"})),
    "pool2d": _POOLING,
    "pool3d": _POOLING,
    "range": Translator(handles=frozenset({"dtype"})),
    "reduce_all": _REDUCED,
    "reduce_any": _REDUCED,
    "repeat_interleave": Translator(
        targets=("repeat_interleave", "repeat_interleave_with_tensor_index"), handles=frozenset({"repeats"})
    ),
    "rnn": Translator(handles=frozenset({"dropout_state_in", "dropout_state_out"})),
    "scale": Translator(fills={"bias": "0.0", "bias_after_scale": "true"}),
    "sgd": Translator(asks_all=True),
    "set_value": Translator(targets=("set_value", "")),
    "sequence_pool": Translator(fills={"pad_value": "0.0"}),
    "slice": Translator(targets=("slice",)),
    "split": Translator(targets=("split",), handles=frozenset({"sections", "axis"})),
    "sum": Translator(targets=("add_n",), renames={"inputs": "X", "out": "Out"}),
    "softmax": Translator(fills={"axis": "-1"}),
    "softmax_with_cross_entropy": Translator(fills={"use_softmax": "true", "axis": "-1"}),
    "top_p_sampling": Translator(fills={"seed": "-1", "k": "0", "mode": "truncated"}),
    "tril_triu": Translator(targets=("tril", "triu")),
    "tril_triu_grad": Translator(targets=("tril_grad", "triu_grad")),
    **dict.fromkeys(
        ("conditional_block", "data", "feed", "fetch", "fetch_v2", "run_program", "shadow_output", "while"),
        Translator(targets=("",)),
    ),
    **dict.fromkeys(
        (
            *("c_embedding", "c_sync_comm_stream", "dequantize_linear", "fused_feedforward", "quantize_linear"),
            *("lod_array_length", "read_from_array", "write_to_array", "select_input", "select_output", "share_buffer"),
            *("flatten_contiguous_range_grad", "fused_elemwise_add_activation_grad", "lookup_table_v2_grad"),
            *("mul_grad", "repeat_interleave_grad", "reshape2_grad", "set_value_grad", "squeeze2_grad"),
            *("unsqueeze2_grad", "dequantize", "multi_gru", "quantize", "requantize", "fused_conv2d", "fused_conv3d"),
            *("fused_elementwise_add", "fused_elementwise_div", "fused_elementwise_mul", "fused_elementwise_sub"),
            *("fused_matmul", "fused_softplus", "fused_transpose"),
        ),
        Translator(is_told=False),
    ),
}
"""The translators by the op of the ProgramDesc, and the ops that become those of the dialect of oneDNN."""

ARRAYS = {"lod_array_length": ("X", None), "read_from_array": ("X", None), "write_to_array": (None, "Out")}
"""The ops with an input, or an output, that has to be an array of tensors."""

IN_PLACE = frozenset({"adagrad", "adam", "adamax", "adamw"})
"""The ops that become those in place, whatever their variables are."""
