"""One or more runnable nodes of each op with an intermediate output, as small as the op allows.

Variants of an op differ in an attr that selects case_attrs code of its kernel.
"""

from __future__ import annotations

from typing import Any

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    Tensor: TypeAlias = dict[str, Any]
    Case: TypeAlias = dict[str, Any]


def node(
    inputs: Mapping[str, list[Tensor]],
    attrs: Mapping[str, Any] = {},
    outputs: Mapping[str, int] = {},
    in_place: Mapping[str, str] = {},
) -> Case:
    """Return a node.

    Args:
        inputs: the tensors by input.
        attrs: the attrs; others have their default values.
        outputs: the number of arguments of outputs that have not exactly one, or of dispensable ones that are there.
        in_place: the outputs that are the variable of an input.
    """
    return {"inputs": inputs, "attrs": attrs, "outputs": outputs, "in_place": in_place}


def floats(*shape: int, lod: list[int] | None = None) -> list[Tensor]:
    """Return an input of one tensor with different values between 0 and 1."""
    count = _size(shape)
    return [_tensor("float32", shape, [(7 * index % 11 + 1) / 13 for index in range(count)], lod)]


def numbers(values: list[int], *shape: int, dtype: str = "int64", lod: list[int] | None = None) -> list[Tensor]:
    """Return an input of one tensor of integers; without a shape, it is a list."""
    return [_tensor(dtype, shape or (len(values),), values, lod)]


def _tensor(dtype: str, shape: tuple[int, ...], values: list[Any], lod: list[int] | None) -> Tensor:
    return {"dtype": dtype, "shape": list(shape), "values": values, "lod": lod}


def _size(shape: tuple[int, ...]) -> int:
    size = 1
    for dimension in shape:
        size *= dimension
    return size


_SEQUENCE = floats(5, 3, lod=[2, 3])
_LSTM = {"WeightH": floats(4, 16), "Bias": floats(1, 16)}
_PEEPHOLES = {"WeightH": floats(4, 16), "Bias": floats(1, 28)}
_STATES = {"H0": floats(2, 4), "C0": floats(2, 4)}
_GRAPH = {
    "X": floats(3, 2),
    "Src_index": numbers([0, 1, 2, 0], dtype="int32"),
    "Dst_index": numbers([1, 2, 1, 0], dtype="int32"),
}
_YOLO_ATTRS = {"anchors": [10, 13, 16, 30], "anchor_mask": [0, 1], "class_num": 2, "downsample_ratio": 32}
_NORM = {"X": floats(2, 4, 3, 3), "Scale": floats(4), "Bias": floats(4)}
_RNN = {
    "Input": floats(2, 1, 3),
    "PreState": floats(1, 1, 4),
    "WeightList": [*floats(4, 3), *floats(4, 4), *floats(4), *floats(4)],
}
_ELEMENTWISE = {"X": floats(2, 3), "Y": floats(2, 3)}
_FUNCTORS = {"functor_list": ["elementwise_add", "relu"]}

CASES: dict[str, list[Case]] = {
    "attention_lstm": [
        node(
            {
                "X": _SEQUENCE,
                "C0": floats(2, 4),
                "AttentionWeight": floats(7, 1),
                "LSTMWeight": floats(7, 16),
                "LSTMBias": floats(1, 16),
            }
        )
    ],
    "batch_norm": [
        node(
            _NORM | {"Mean": floats(4), "Variance": floats(4)},
            {"is_test": is_test},
            {"ReserveSpace": 1},
            in_place={"MeanOut": "Mean", "VarianceOut": "Variance"},
        )
        for is_test in (False, True)
    ],
    "data_norm": [
        node({"X": floats(2, 3), "BatchSize": floats(3), "BatchSum": floats(3), "BatchSquareSum": floats(3)})
    ],
    "dropout": [
        node({"X": floats(16, 4)}, {"is_test": is_test, "dropout_prob": rate})
        for is_test in (False, True)
        for rate in (0.5, 0.0)
    ],
    # Many items, as a mask of few may be the same in all runs by chance.
    "dropout_nd": [node({"X": floats(64, 3)}, {"is_test": is_test, "axis": [0]}) for is_test in (False, True)],
    "einsum": [
        node({"Operands": [*floats(2, 3), *floats(3, 2)]}, {"equation": "ij,jk->ik"}, {"InnerCache": 2, "XShape": 2})
    ],
    "flatten2": [node({"X": floats(2, 3, 2)})],
    "flatten_contiguous_range": [node({"X": floats(2, 3, 2)}, {"start_axis": 1, "stop_axis": 2})],
    "fused_elemwise_activation": [
        node(_ELEMENTWISE, _FUNCTORS | {"save_intermediate_out": kept}) for kept in (False, True)
    ],
    "fused_elemwise_add_activation": [
        node(_ELEMENTWISE, _FUNCTORS | {"save_intermediate_out": kept}) for kept in (False, True)
    ],
    "fused_embedding_fc_lstm": [
        node(
            {"Ids": numbers([0, 1, 2, 1, 0], 5, 1, lod=[2, 3]), "Embeddings": floats(3, 16), **_LSTM, **states},
            {"use_peepholes": False, "use_seq": use_seq},
        )
        for use_seq in (True, False)
        for states in ({}, _STATES)
    ],
    "fusion_gru": [
        node({"X": _SEQUENCE, "WeightX": floats(3, 12), "WeightH": floats(4, 12), **states}, {"use_seq": use_seq})
        for use_seq in (True, False)
        for states in ({}, {"H0": floats(2, 4)})
    ],
    "fusion_lstm": [
        node(
            {"X": _SEQUENCE, "WeightX": floats(3, 16), **(_PEEPHOLES if peepholes else _LSTM), **states},
            {"use_seq": use_seq, "use_peepholes": peepholes},
        )
        for use_seq in (True, False)
        for peepholes in (False, True)
        for states in ({}, _STATES)
    ],
    "fusion_repeated_fc_relu": [
        node(
            {"X": floats(2, 3), "W": [*floats(3, 4), *floats(4, 2)], "Bias": [*floats(4), *floats(2)]},
            {},
            {"ReluOut": 1},
        )
    ],
    "fusion_seqconv_eltadd_relu": [
        node({"X": _SEQUENCE, "Filter": floats(9, 4), "Bias": floats(1, 4)}, {"contextLength": 3, "contextStart": -1})
    ],
    "fusion_seqexpand_concat_fc": [
        node({"X": [*_SEQUENCE, *floats(2, 2, lod=[1, 1])], "FCWeight": floats(5, 4)}, {"fc_activation": "relu"})
    ],
    "fusion_squared_mat_sub": [node({"X": floats(2, 3), "Y": floats(3, 4)})],
    "graph_send_recv": [node(_GRAPH, {"reduce_op": reduction}) for reduction in ("SUM", "MEAN", "MAX", "MIN")],
    "graph_send_ue_recv": [
        node(_GRAPH | {"Y": floats(4, 2)}, {"message_op": "ADD", "reduce_op": reduction})
        for reduction in ("SUM", "MEAN", "MAX", "MIN")
    ],
    "group_norm": [node(_NORM, {"groups": 2})],
    "gru": [
        node({"Input": floats(5, 12, lod=[2, 3]), "Weight": floats(4, 12)}, {"is_test": is_test})
        for is_test in (False, True)
    ],
    "gru_unit": [node({"Input": floats(2, 12), "HiddenPrev": floats(2, 4), "Weight": floats(4, 12)})],
    "hierarchical_sigmoid": [
        node({"X": floats(2, 3), "W": floats(3, 3), "Label": numbers([0, 2], 2, 1)}, {"num_classes": 4})
    ],
    "huber_loss": [node({"X": floats(3, 1), "Y": floats(3, 1)}, {"delta": 0.5})],
    "instance_norm": [node(_NORM)],
    "layer_norm": [node({"X": floats(2, 3), "Scale": floats(3), "Bias": floats(3)})],
    "linear_chain_crf": [
        node(
            {
                "Emission": floats(5, 3, lod=[2, 3]),
                "Transition": floats(5, 3),
                "Label": numbers([0, 1, 2, 0, 1], 5, 1, lod=[2, 3]),
            }
        ),
        node(
            {
                "Emission": floats(2, 3, 3),
                "Transition": floats(5, 3),
                "Label": numbers([0, 1, 2, 0, 1, 0], 2, 3),
                "Length": numbers([2, 3], 2, 1),
            }
        ),
    ],
    "lstm": [
        node({"Input": floats(5, 16, lod=[2, 3]), "Weight": floats(4, 16), "Bias": floats(1, 28)}, {"is_test": is_test})
        for is_test in (False, True)
    ],
    "modified_huber_loss": [node({"X": floats(4, 1), "Y": [_tensor("float32", (4, 1), [0, 1, 1, 0], None)]})],
    "multiclass_nms2": [
        node(
            {"BBoxes": floats(1, 3, 4), "Scores": floats(1, 2, 3)},
            {"keep_top_k": 2, "nms_top_k": 3, "score_threshold": 0.1, "background_label": -1},
        )
    ],
    "nanmedian": [node({"X": floats(2, 3)}, {"axis": [1]})],
    "nce": [
        node(
            {"Input": floats(2, 3), "Label": numbers([0, 2], 2, 1), "Weight": floats(5, 3)},
            {"num_total_classes": 5, "num_neg_samples": 2, "seed": 1, "is_test": is_test},
        )
        for is_test in (False, True)
    ],
    "norm": [node({"X": floats(2, 3)}, {"axis": 1, "is_test": is_test}) for is_test in (False, True)],
    "pyramid_hash": [
        node(
            {
                "X": numbers([1, 2, 3, 4, 5], 5, 1, dtype="int32", lod=[2, 3]),
                "W": floats(16, 1),
                "WhiteList": floats(1, 1),
                "BlackList": floats(1, 1),
            },
            {"num_emb": 4, "rand_len": 4, "space_len": 12, "pyramid_layer": 2, "use_filter": False, "is_training": 0},
        )
    ],
    "reshape2": [node({"X": floats(2, 3)}, {"shape": [3, 2]})],
    "rnn": [
        node(
            _RNN,
            {"mode": "RNN_TANH", "input_size": 3, "hidden_size": 4, "is_test": is_test, "num_layers": 1},
            {"DropoutState": 1},
        )
        for is_test in (False, True)
    ],
    "roi_pool": [
        node(
            {
                "X": floats(1, 2, 4, 4),
                "ROIs": [_tensor("float32", (2, 4), [0, 0, 2, 2, 1, 1, 3, 3], [2])],
            }
        )
    ],
    "rrelu": [node({"X": floats(2, 3)}, {"is_test": is_test}) for is_test in (False, True)],
    "segment_pool": [
        node({"X": floats(4, 2), "SegmentIds": numbers([0, 0, 1, 1])}, {"pooltype": pooling})
        for pooling in ("SUM", "MEAN", "MAX", "MIN")
    ],
    "sequence_pool": [
        node({"X": _SEQUENCE}, {"pooltype": pooling}) for pooling in ("AVERAGE", "SUM", "SQRT", "MAX", "LAST", "FIRST")
    ],
    "squeeze2": [node({"X": floats(2, 1, 3)}, {"axes": [1]})],
    "transpose2": [node({"X": floats(2, 3)}, {"axis": [1, 0]})],
    "unsqueeze2": [node({"X": floats(2, 3)}, {"axes": [1]})],
    "warpctc": [
        node(
            {
                "Logits": floats(7, 4, lod=[3, 4]),
                "Label": numbers([1, 2, 3], 3, 1, dtype="int32", lod=[1, 2]),
            }
        ),
        node(
            {
                "Logits": floats(4, 2, 4),
                "Label": numbers([1, 2, 3, 1], 2, 2, dtype="int32"),
                "LogitsLength": numbers([4, 4]),
                "LabelLength": numbers([2, 2]),
            }
        ),
    ],
    "warprnnt": [
        node(
            {
                "input": floats(1, 3, 3, 4),
                "label": numbers([1, 2], 1, 2, dtype="int32"),
                "input_lengths": numbers([3], dtype="int32"),
                "label_lengths": numbers([2], dtype="int32"),
            }
        )
    ],
    "yolov3_loss": [
        node(
            {"X": floats(1, 14, 4, 4), "GTBox": floats(1, 2, 4), "GTLabel": numbers([0, 1], 1, 2, dtype="int32")},
            _YOLO_ATTRS,
        )
    ],
}
"""Nodes by op.

An op without one has no kernel for CPUs, or takes sparse tensors, which the legacy executor lacks. `graph_khop_sampler`
of 2.6.2 fails by chance also with all its outputs.
"""


def varying_attrs(op: str) -> list[dict[str, Any]]:
    """Return the attrs of each node of an op that are not the same in all nodes."""
    every = [case["attrs"] for case in CASES[op]]
    names = {
        name for attrs in every for name in attrs if any(case_attrs.get(name) != attrs[name] for case_attrs in every)
    }
    return [{name: attrs[name] for name in sorted(names & attrs.keys())} for attrs in every]
