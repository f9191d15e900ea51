"""Makes pairs of Paddle's models with `save_inference_model`, and calls each head as base was called; prints JSON.

Run in an environment that has Paddle 3: `PYTHON pairs_paddle.py FOLDER`.
"""

from __future__ import annotations

import json
import os
import sys

X, N = ("x", [-1, 4], "float32"), ("n", [1], "int64")
HEADS = {
    "base": ([X, N], ["x", "n"]),
    "same": ([X, N], ["x", "n"]),
    "input_renamed": ([("feats", [-1, 4], "float32"), N], ["feats", "n"]),
    "input_removed": ([X], ["x", "x"]),
    "input_added": ([X, N, ("z", [1], "float32")], ["x", "n", "z"]),
    "batch_fixed": ([("x", [2, 4], "float32"), N], ["x", "n"]),
    "dim_other": ([("x", [-1, 5], "float32"), N], ["x", "n"]),
    "rank_more": ([("x", [-1, 4, 1], "float32"), N], ["x", "n"]),
    "dtype_other": ([("x", [-1, 4], "float64"), N], ["x", "n"]),
    "dim_relaxed": ([("x", [-1, -1], "float32"), N], ["x", "n"]),
    "output_removed": ([X, N], ["x n"]),
    "output_added": ([X, N], ["x", "n", "n"]),
}


def total(paddle, values):
    """Return the sum of some tensors times a weight, in the dtype of the first: what nothing needs is no input."""
    value = values[0]
    for item in values[1:]:
        value = value + paddle.cast(item, value.dtype)
    weight = paddle.static.create_parameter([1], "float32", default_initializer=paddle.nn.initializer.Constant(2.0))
    return value * paddle.cast(weight, value.dtype)


def save(paddle, folder, name):
    """Write a model whose outputs are made of its inputs."""
    inputs, outputs = HEADS[name]
    program, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(program, startup):
        fed = {key: paddle.static.data(key, shape, dtype) for key, shape, dtype in inputs}
        fetched = [total(paddle, [fed[key] for key in keys.split()]) for keys in outputs]
        runner = paddle.static.Executor(paddle.CPUPlace())
        runner.run(startup)
        prefix = os.path.join(folder, name)
        paddle.static.save_inference_model(prefix, list(fed.values()), fetched, runner, program=program)
    return next(path for path in (f"{prefix}.json", f"{prefix}.pdmodel") if os.path.exists(path))


def called(path, rows):
    """Return the results of a predictor for the feeds of base: the dtype and shape of each output of base."""
    import numpy
    from paddle import inference

    config = inference.Config(path, path.rpartition(".")[0] + ".pdiparams")
    config.disable_glog_info()
    predictor = inference.create_predictor(config)
    given = {"x": numpy.ones((rows, 4), "float32"), "n": numpy.ones([1], "int64")}
    if set(predictor.get_input_names()) != given.keys():
        raise KeyError(str(predictor.get_input_names()))
    for key, value in given.items():
        predictor.get_input_handle(key).copy_from_cpu(value)
    predictor.run()
    result = [predictor.get_output_handle(key).copy_to_cpu() for key in predictor.get_output_names()[:2]]
    return [[str(tensor.dtype), list(tensor.shape)] for tensor in result]


def attempted(call, *arguments):
    """Return the result of a call, None if it fails."""
    try:
        return call(*arguments)
    except Exception:
        return None


def main(folder):
    """Make and call all."""
    import paddle

    paddle.enable_static()
    messages = {}
    for name in HEADS:
        path = save(paddle, folder, name)
        messages[name] = {"file": path, "session": {f"batch {rows}": attempted(called, path, rows) for rows in (2, 5)}}
    sys.stdout.write(json.dumps(messages))


if __name__ == "__main__":
    main(sys.argv[1])
