"""Makes pairs of ONNX models with `onnx`, and calls each head as base was called, with onnxruntime; prints JSON.

Run in an environment that has both: `PYTHON pairs_onnx.py FOLDER`.
"""

from __future__ import annotations

import json
import os
import sys

FLOAT, DOUBLE, INT = 1, 11, 7
X, N = ("x", FLOAT, ["batch", 4]), ("n", INT, [1])
Y, K = ("y", FLOAT, ["batch", 4]), ("k", INT, [1])
HEADS = {
    "base": ([X, N], [Y, K]),
    "same": ([X, N], [Y, K]),
    "input_renamed": ([("feats", *X[1:]), N], [Y, K]),
    "input_removed": ([X], [Y, ("k", FLOAT, ["batch", 4])]),
    "input_added": ([X, N, ("z", FLOAT, [1])], [Y, K]),
    "batch_fixed": ([("x", FLOAT, [2, 4]), N], [("y", FLOAT, [2, 4]), K]),
    "dim_other": ([("x", FLOAT, ["batch", 5]), N], [("y", FLOAT, ["batch", 5]), K]),
    "rank_more": ([("x", FLOAT, ["batch", 4, 1]), N], [("y", FLOAT, ["batch", 4, 1]), K]),
    "dtype_wider": ([("x", DOUBLE, ["batch", 4]), N], [("y", DOUBLE, ["batch", 4]), K]),
    "dim_relaxed": ([("x", FLOAT, ["batch", "width"]), N], [("y", FLOAT, ["batch", "width"]), K]),
    "output_renamed": ([X, N], [("z", *Y[1:]), K]),
    "output_removed": ([X, N], [Y]),
    "output_added": ([X, N], [Y, K, ("more", INT, [1])]),
    "output_dtype": ([X, N], [("y", DOUBLE, ["batch", 4]), K]),
    "inputs_swapped": ([N, X], [Y, K]),
    "outputs_swapped": ([X, N], [K, Y]),
}


def model(inputs, outputs):
    """A model whose float output is a float input, and whose int output is an int input, cast where it has to be."""
    from onnx import checker, helper

    sources = {kind: name for name, kind, _ in reversed(inputs)}
    floats = next((name for name, kind, _ in inputs if kind in (FLOAT, DOUBLE)), inputs[0][0])
    nodes = [
        helper.make_node("Cast", [sources.get(INT, floats) if kind == INT else floats], [name], to=kind)
        for name, kind, _ in outputs
    ]
    infos = [[helper.make_tensor_value_info(*item) for item in side] for side in (inputs, outputs)]
    made = helper.make_model(helper.make_graph(nodes, "g", *infos), opset_imports=[helper.make_opsetid("", 17)])
    made.ir_version = 8
    checker.check_model(made)
    return made


def called(path):
    """Return the results of the calls that base accepts: dtype and shape of each output, or None for a failed call."""
    import numpy
    import onnxruntime

    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    result = {}
    for name, rows, outputs in (("batch 2", 2, ["y", "k"]), ("batch 5", 5, ["y", "k"]), ("all outputs", 2, None)):
        feeds = {"x": numpy.ones((rows, 4), "float32"), "n": numpy.ones([1], "int64")}
        try:
            result[name] = [[str(tensor.dtype), list(tensor.shape)] for tensor in session.run(outputs, feeds)]
        except Exception:
            result[name] = None
    return result


def main(folder):
    """Make and call all."""
    import onnx

    messages = {}
    for name, sides in HEADS.items():
        path = os.path.join(folder, f"{name}.onnx")
        onnx.save(model(*sides), path)
        messages[name] = {"file": path, "session": called(path)}
    sys.stdout.write(json.dumps(messages))


if __name__ == "__main__":
    main(sys.argv[1])
