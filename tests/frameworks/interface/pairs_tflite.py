"""Makes pairs of TFLite models with the converter, and calls each head as base was called; prints JSON.

Run in an environment that has TensorFlow: `PYTHON pairs_tflite.py FOLDER`.
"""

from __future__ import annotations

import json
import os
import sys

SIDES = {
    "base": ({"x": ("float32", [None, 4]), "n": ("int32", [])}, {"y": "x", "k": "n"}),
    "same": ({"x": ("float32", [None, 4]), "n": ("int32", [])}, {"y": "x", "k": "n"}),
    "input_renamed": ({"feats": ("float32", [None, 4]), "n": ("int32", [])}, {"y": "feats", "k": "n"}),
    "input_removed": ({"x": ("float32", [None, 4])}, {"y": "x", "k": "x"}),
    "input_added": (
        {"x": ("float32", [None, 4]), "n": ("int32", []), "z": ("float32", [])},
        {"y": "x", "k": "n", "more": "z"},
    ),
    "batch_fixed": ({"x": ("float32", [2, 4]), "n": ("int32", [])}, {"y": "x", "k": "n"}),
    "rank_more": ({"x": ("float32", [None, 4, 1]), "n": ("int32", [])}, {"y": "x", "k": "n"}),
    "dim_other": ({"x": ("float32", [None, 5]), "n": ("int32", [])}, {"y": "x", "k": "n"}),
    "dtype_other": ({"x": ("int32", [None, 4]), "n": ("int32", [])}, {"y": "x", "k": "n"}),
    "dim_relaxed": ({"x": ("float32", [None, None]), "n": ("int32", [])}, {"y": "x", "k": "n"}),
    "output_renamed": ({"x": ("float32", [None, 4]), "n": ("int32", [])}, {"z": "x", "k": "n"}),
    "output_removed": ({"x": ("float32", [None, 4]), "n": ("int32", [])}, {"y": "x"}),
    "output_added": ({"x": ("float32", [None, 4]), "n": ("int32", [])}, {"y": "x", "k": "n", "more": "n"}),
    "key_renamed": ({"x": ("float32", [None, 4]), "n": ("int32", [])}, {"y": "x", "k": "n"}),
}


def convert(tf, folder, name):
    """Write a model whose outputs are its inputs, and one more or one times as much."""
    inputs, outputs = SIDES[name]
    specs = [tf.TensorSpec(shape, dtype, name=key) for key, (dtype, shape) in inputs.items()]
    module = tf.Module()

    def call(*given):
        known = dict(zip(inputs, given, strict=True))
        return {
            key: known[source] + tf.cast(at + 1, known[source].dtype)
            for at, (key, source) in enumerate(outputs.items())
        }

    module.f = tf.function(call, input_signature=specs, autograph=False)
    saved = os.path.join(folder, f"{name}_saved")
    key = "predict" if name == "key_renamed" else "serving_default"
    tf.saved_model.save(module, saved, signatures={key: module.f.get_concrete_function()})
    path = os.path.join(folder, f"{name}.tflite")
    with open(path, "wb") as stream:
        stream.write(tf.lite.TFLiteConverter.from_saved_model(saved, signature_keys=[key]).convert())
    return path


def by_signature(tf, path, rows):
    """Call the signature by keyword."""
    import numpy

    runner = tf.lite.Interpreter(path).get_signature_runner("serving_default")
    result = runner(x=numpy.ones((rows, 4), "float32"), n=numpy.array(1, "int32"))
    return {key: [str(tensor.dtype), list(tensor.shape)] for key, tensor in result.items()}


def by_name(tf, path, rows):
    """Feed the tensors of the signature's names as a session does: each resized to what it is given."""
    import numpy

    interpreter = tf.lite.Interpreter(path)
    given = {"x": numpy.ones((rows, 4), "float32"), "n": numpy.array(1, "int32")}
    at = {
        get_input_detail["name"].rpartition("serving_default_")[2].partition(":")[0]: get_input_detail
        for get_input_detail in interpreter.get_input_details()
    }
    if at.keys() != given.keys():
        raise KeyError(str(at.keys()))
    for key, value in given.items():
        if list(at[key]["shape_signature"]) != list(at[key]["shape"]):
            interpreter.resize_tensor_input(at[key]["index"], value.shape, strict=True)
    interpreter.allocate_tensors()
    for key, value in given.items():
        interpreter.set_tensor(at[key]["index"], value)
    interpreter.invoke()
    result = [
        interpreter.get_tensor(get_output_detail["index"]) for get_output_detail in interpreter.get_output_details()
    ]
    return sorted([str(tensor.dtype), list(tensor.shape)] for tensor in result)


def attempted(call, *arguments):
    """Return the result of a call, None if it fails."""
    try:
        return call(*arguments)
    except Exception:
        return None


def main(folder):
    """Make and call all."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow as tf

    messages = {}
    for name in SIDES:
        path = convert(tf, folder, name)
        calls = {"file": path, "signature": {}, "session": {}}
        for rows in (2, 5):
            calls["signature"][f"batch {rows}"] = attempted(by_signature, tf, path, rows)
            calls["session"][f"batch {rows}"] = attempted(by_name, tf, path, rows)
        messages[name] = calls
    sys.stdout.write(json.dumps(messages))


if __name__ == "__main__":
    main(sys.argv[1])
