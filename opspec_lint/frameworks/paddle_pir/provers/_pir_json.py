"""Loads PIR programs: what of the prover `pir_json` runs in an interpreter with Paddle 3."""

import os
import tempfile
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

found: "list[Any]" = []


def start() -> str:
    """Import Paddle, and return its version."""
    paddle = import_module("paddle")
    paddle.enable_static()
    found.extend([paddle, paddle.static.Executor(paddle.CPUPlace()), import_module("paddle.base.core")])
    return str(paddle.__version__)


def load(data: bytes) -> "dict[str, str]":
    """Load a program and choose its kernels, and return the attrs that its op between `data` and `fetch` has.

    Reading checks nothing: an op that the release lacks has no name then. The executor checks ops, inputs and outputs
    before it runs anything. No kernel runs: many crash on tensors of any shape.
    """
    paddle, executor, core = found
    with tempfile.TemporaryDirectory() as folder:
        prefix = os.path.join(folder, "model")
        with open(prefix + ".json", "wb") as stream:
            stream.write(data)
        program = paddle.static.load_inference_model(prefix, executor)[0]
    told = {}
    for op in program.global_block().ops:
        if op.name() not in ("pd_op.data", "pd_op.fetch"):
            told = {name: repr(value) for name, value in op.attrs().items() if name != "stop_gradient"}
    place = core.Place()
    place.set_place(paddle.CPUPlace())
    core.StandaloneExecutor(place, core.Plan([core.Job("default")], {"default": program}), core.Scope())
    return told
