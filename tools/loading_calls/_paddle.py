"""The files and public calls of Paddle."""

import os
from importlib import import_module


def start():
    """Import Paddle, and return its version."""
    return str(import_module("paddle").__version__)


def network():
    """Return a small network with a pooling, whose strides changed their type in 3.1."""
    paddle = import_module("paddle")
    layers = paddle.nn
    return layers.Sequential(layers.Conv2D(3, 4, 3), layers.MaxPool2D(2), layers.Flatten(), layers.Linear(36, 2))


def save(path):
    """Save the network by `jit.save`; its program has the suffix of the release."""
    paddle = import_module("paddle")
    paddle.jit.save(network(), path, [paddle.static.InputSpec([1, 3, 8, 8], "float32", "x")])


def save_state(path):
    """Save weights."""
    import_module("paddle").save(network().state_dict(), path)


def load_static(path):
    """Load and run by `static.load_inference_model`."""
    paddle = import_module("paddle")
    numpy = import_module("numpy")
    paddle.enable_static()
    try:
        executor = paddle.static.Executor(paddle.CPUPlace())
        program, feeds, fetches = paddle.static.load_inference_model(path, executor)
        data = numpy.ones([1, 3, 8, 8], "float32")
        executor.run(program, feed={feeds[0]: data}, fetch_list=fetches)
    finally:
        paddle.disable_static()


def load_guarded(path):
    """Load as `load_static` does, with the old representation."""
    utilities = import_module("paddle.pir_utils")
    with utilities.OldIrGuard():
        load_static(path)


def load_jit(path):
    """Load and run by `jit.load`."""
    paddle = import_module("paddle")
    paddle.jit.load(path)(paddle.ones([1, 3, 8, 8]))


def create_predictor(path):
    """Create the predictor."""
    inference = import_module("paddle.inference")
    suffix = ".json" if os.path.exists(path + ".json") else ".pdmodel"
    config = inference.Config(path + suffix, path + ".pdiparams")
    config.disable_gpu()
    config.disable_glog_info()
    inference.create_predictor(config)


def load_weights(path):
    """Load weights."""
    import_module("paddle").load(path)


PROGRAM = "program"
SAVERS = {PROGRAM: ("model", save), "weights": ("model.pdparams", save_state)}
CALLS = {
    PROGRAM: {
        "static.load_inference_model": load_static,
        "static.load_inference_model, OldIrGuard": load_guarded,
        "jit.load": load_jit,
        "inference.create_predictor": create_predictor,
    },
    "weights": {"load": load_weights},
}
