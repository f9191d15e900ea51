"""The last part of the probe of `inference_predictor`: creates predictors."""

import os
import tempfile
from importlib import import_module


def start() -> str:
    """Import Paddle, and return its version."""
    paddle = import_module("paddle")
    import_module("paddle.inference")
    return str(paddle.__version__)


def load_path(path: str) -> "dict[str, str]":
    """Create the predictor of a program; without weights, it gets an empty weight file."""
    file = program(path)  # type: ignore[name-defined]  # noqa: F821 - it stands before
    inference = import_module("paddle").inference
    with tempfile.TemporaryDirectory() as folder:
        weights = os.path.splitext(file)[0] + ".pdiparams"
        if not os.path.exists(weights):
            refuse_trained(file)  # type: ignore[name-defined]  # noqa: F821 - it stands before
            weights = os.path.join(folder, "model.pdiparams")
            with open(weights, "wb"):
                pass
        config = inference.Config(file, weights)
        config.disable_gpu()
        config.disable_glog_info()
        inference.create_predictor(config)
    return {}
