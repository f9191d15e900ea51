"""Generator of the saved models in `tests/data/interfaces`, with a real TensorFlow of 2.13 or later; run by hand.

    PYTHON_WITH_TENSORFLOW tools/make_retracing_models.py

Each model shows one hazard of retracing, and `silent` none. Only `saved_model.pb` is kept: an interface is read without
variables.
"""

from __future__ import annotations

import pathlib
import shutil
import sys
import tempfile

FOLDER = pathlib.Path(__file__).parents[1] / "tests" / "data" / "interfaces"


def models(tf):
    """Yield the name of each model, its module, and its signatures."""
    spec = tf.TensorSpec([None, 3], tf.float32, name="x")

    def module(function, *calls, **options):
        made = tf.Module()
        made.f = tf.function(function, **options)
        for call in calls:
            made.f(*call)
        return made

    ones = tf.ones
    yield "retraced_per_value", module(lambda x, n: x * n, (ones([3]), 1), (ones([3]), 2), (ones([3]), 3))
    yield "retraced_per_shape", module(lambda x: x + 1.0, (ones([2, 3]),), (ones([4, 3]),))
    yield "retraced_per_rank", module(lambda x: x + 1.0, (ones([3]),), (ones([3, 3]),))
    yield "retraced_per_dtype", module(lambda x: x + x, (ones([3]),), (ones([3], tf.int32),))
    yield "trace_static", module(lambda x: x * 2.0, (ones([2, 3]),))
    yield "function_untraced", module(lambda x: x)
    yield "string_argument", module(lambda x, mode="sum": x if mode == "sum" else -x, (ones([3]),), (ones([3]), "mean"))
    yield "value_untraced", module(lambda x, training=False: x if training else -x, (ones([3]),))

    holder = tf.Module()
    holder.v = tf.Variable(1.0)
    holder.f = tf.function(lambda x, v: x * v)
    holder.f(ones([3]), holder.v)
    yield "argument_is_object", holder

    yield "silent", module(lambda x: x * 2.0, input_signature=[spec])
    yield (
        "silent_values",
        module(
            lambda x, training=False: x if training else -x,
            *((tf.ones([rows, 3]), training) for rows in (2, 4) for training in (False, True)),
            reduce_retracing=True,
        ),
    )


def pairs(tf):
    """Yield a model before and after its batch size was fixed: name, module and signature."""
    for name, rows in (("batch_open", None), ("batch_fixed", 2)):
        made = tf.Module()
        spec = tf.TensorSpec([rows, 4], tf.float32, name="x")
        made.f = tf.function(lambda x: {"y": tf.reduce_sum(x, axis=1, keepdims=True)}, input_signature=[spec])
        yield name, made, made.f


def defaults(tf):
    """Yield a model with two default values of an input (TensorFlow 2.13 or later): name, module and signature."""
    x, scale = tf.TensorSpec([None, 4], tf.float32, name="x"), tf.TensorSpec([], tf.float32, name="scale")
    for name, value in (("default_three", 3.0), ("default_five", 5.0)):
        made = tf.Module()
        constant = tf.constant(value)
        function = lambda x, scale=constant: {"y": x * scale}  # noqa: E731
        made.f = tf.function(function, input_signature=[x, scale])
        yield name, made, made.f


def main():
    """Write the models."""
    import tensorflow as tf

    shutil.rmtree(FOLDER, ignore_errors=True)
    every = [(name, module, None) for name, module in models(tf)] + list(pairs(tf)) + list(defaults(tf))
    for name, module, signatures in every:
        with tempfile.TemporaryDirectory() as folder:
            options = tf.saved_model.SaveOptions(save_debug_info=False)
            tf.saved_model.save(module, folder, signatures=signatures, options=options)
            (FOLDER / name).mkdir(parents=True)
            shutil.copy(pathlib.Path(folder, "saved_model.pb"), FOLDER / name)
    sys.stdout.write(f"{len(every)} models of TensorFlow {tf.__version__} in {FOLDER}\n")


if __name__ == "__main__":
    main()
