"""Networks that TensorFlow's converters write as TFLite models: float, dynamic range, float16 and int8.

`tools/network_trials/__main__.py` runs this in each release, followed by `tools/loading_calls/_main.py`.
"""

# ruff: noqa: ARG001 - all builders and quantizations have the same arguments
import os
from importlib import import_module

SAVERS = {}
"""The models by network and quantization: the name of the file, and the function that saves it to a path."""


def start():
    """Import TensorFlow, and return its version."""
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="-1")
    return str(tensorflow().__version__)


def tensorflow():
    """Return the framework."""
    return import_module("tensorflow")


def network(name, shape):
    """Return a decorator that adds a network with an input of a shape, in each quantization."""

    def add(builder):
        for kind, quantize in QUANTIZATIONS.items():
            SAVERS[f"{name}, {kind}"] = "model.tflite", lambda path, q=quantize: save(path, builder, shape, q)
        return builder

    return add


def save(path, builder, shape, quantize):
    """Convert the function that a builder makes, with its variables."""
    tf = tensorflow()
    module = tf.Module()
    module.call = tf.function(builder(tf, module), input_signature=[tf.TensorSpec(shape, tf.float32)])
    concrete = module.call.get_concrete_function()
    try:
        converter = tf.lite.TFLiteConverter.from_concrete_functions([concrete], module)
    except TypeError:  # older converters find the variables themselves
        converter = tf.lite.TFLiteConverter.from_concrete_functions([concrete])
    quantize(tf, converter, shape)
    with open(path, "wb") as stream:
        stream.write(converter.convert())


def in_float(tf, converter, shape):
    """Leave the model as it is."""


def by_dynamic_range(tf, converter, shape):
    """Quantize the weights."""
    converter.optimizations = [tf.lite.Optimize.DEFAULT]


def to_float16(tf, converter, shape):
    """Store the weights in half precision."""
    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    converter.target_spec.supported_types = [tf.float16]


def to_int8(tf, converter, shape):
    """Quantize weights and results by samples."""
    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    converter.representative_dataset = lambda: ([tf.random.uniform(shape, seed=number)] for number in range(4))
    converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8, tf.lite.OpsSet.TFLITE_BUILTINS]


def to_int16(tf, converter, shape):
    """Quantize weights to 8 bits and results to 16."""
    to_int8(tf, converter, shape)
    wide = tf.lite.OpsSet.EXPERIMENTAL_TFLITE_BUILTINS_ACTIVATIONS_INT16_WEIGHTS_INT8
    converter.target_spec.supported_ops = [wide, tf.lite.OpsSet.TFLITE_BUILTINS]


QUANTIZATIONS = {
    "float": in_float,
    "dynamic range": by_dynamic_range,
    "float16": to_float16,
    "int8": to_int8,
    "int16": to_int16,
}


@network("dense", [1, 64])
def dense(tf, module):
    module.weights = tf.Variable(tf.random.normal([64, 64], seed=1))
    return lambda x: tf.nn.softmax(tf.matmul(tf.nn.relu6(x), module.weights) + 1.0)


@network("convolutions", [1, 16, 16, 3])
def convolutions(tf, module):
    module.kernel = tf.Variable(tf.random.normal([3, 3, 3, 16], seed=1))
    module.depths = tf.Variable(tf.random.normal([3, 3, 16, 1], seed=2))
    module.up = tf.Variable(tf.random.normal([2, 2, 8, 16], seed=3))

    def function(x):
        x = tf.nn.relu(tf.nn.conv2d(x, module.kernel, 2, "SAME"))
        x = tf.nn.depthwise_conv2d(x, module.depths, [1, 1, 1, 1], "SAME")
        x = tf.nn.conv2d_transpose(x, module.up, [1, 16, 16, 8], 2)
        return tf.image.resize(tf.nn.max_pool2d(x, 2, 2, "VALID"), [4, 4])

    return function


@network("attention", [1, 8, 16])
def attention(tf, module):
    module.weights = tf.Variable(tf.random.normal([16, 16], seed=1))

    def function(x):
        query = tf.einsum("bte,ef->btf", x, module.weights)
        weights = tf.nn.softmax(tf.matmul(query, x, transpose_b=True))
        return tf.nn.gelu(tf.matmul(weights, x)) - tf.reduce_mean(x, axis=-1, keepdims=True)

    return function


@network("shapes", [2, 4, 6])
def shapes(tf, module):
    def function(x):
        parts = tf.split(tf.transpose(x, [1, 0, 2]), 2, axis=2)
        joined = tf.concat([tf.pad(part, [[0, 0], [1, 1], [0, 0]]) for part in parts], axis=0)
        best = tf.cast(tf.argmax(joined, axis=-1, output_type=tf.int32), tf.float32)
        return tf.squeeze(tf.strided_slice(joined, [0, 0, 0], [4, 2, 1])), best, tf.stack(tf.unstack(x)[:1])

    return function


@network("loop", [1, 8])
def loop(tf, module):
    module.weights = tf.Variable(tf.random.normal([8, 8], seed=1))

    def function(x):
        step = lambda count, y: (count + 1, tf.tanh(tf.matmul(y, module.weights)))  # noqa: E731
        return tf.while_loop(lambda count, _: count < 3, step, (0, x))[1]

    return function


@network("recurrent", [1, 5, 4])
def recurrent(tf, module):
    module.layer = tf.keras.layers.LSTM(8)
    return module.layer
