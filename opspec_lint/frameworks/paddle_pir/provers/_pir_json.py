"""The program of the prover `pir_json`, which loads and runs PIR programs in an interpreter with Paddle 3."""

import os
import tempfile
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SHAPE = (2, 3)
MOST = 200
"""Elements of a result up to which it is compared."""
modules: "list[Any]" = []
"""`paddle` and `paddle.base.core`, once `start` has imported them."""


def start() -> str:
    """Import Paddle, and return its version."""
    paddle = import_module("paddle")
    paddle.enable_static()
    modules.extend([paddle, import_module("paddle.base.core")])
    return str(paddle.__version__)


def load(data: bytes) -> "dict[str, str]":
    """Load a program and choose its kernels; return the attrs of its op as Paddle has them."""
    program, _, _ = read(data)
    return choose_kernels(program)


def choose_kernels(program: "Any") -> "dict[str, str]":
    """Choose the kernels of a program, and return the attrs of its last op except `data` and `fetch`.

    Loading checks nothing, and an op that the release lacks has no name after it. The executor checks ops, inputs and
    outputs when it is made, before it runs anything.
    """
    paddle, core = modules
    attrs = {}
    for op in program.global_block().ops:
        if op.name() not in ("pd_op.data", "pd_op.fetch"):
            attrs = {name: repr(value) for name, value in op.attrs().items() if name != "stop_gradient"}
    place = core.Place()
    place.set_place(paddle.CPUPlace())
    core.StandaloneExecutor(place, core.Plan([core.Job("default")], {"default": program}), core.Scope())
    return attrs


def run(data: bytes) -> "dict[str, str]":
    """Run a program twice, and return the results that are equal, by output number."""
    numpy = import_module("numpy")
    feed = {}
    program, feeds, fetches = read(data)
    for number, name in enumerate(feeds):
        # Small positive numbers, different for each input: valid for most ops, and exchanged inputs give other results.
        values = (numpy.arange(SHAPE[0] * SHAPE[1], dtype="float32").reshape(SHAPE) + 2 * number) % 7
        feed[name] = (values + 1) / 8
    paddle, _ = modules
    executor = paddle.static.Executor(paddle.CPUPlace())
    first, second = (
        [result_text(numpy.asarray(array)) for array in executor.run(program, feed, fetches)] for _ in range(2)
    )
    return {str(number): result for number, result in enumerate(first) if result == second[number]}


def read(data: bytes) -> "Any":
    """Load a program; return it with the names of its inputs, and its outputs."""
    paddle, _ = modules
    # In a file, as `load_inference_model` takes the path without the suffix.
    with tempfile.TemporaryDirectory() as folder:
        prefix = os.path.join(folder, "model")
        with open(prefix + ".json", "wb") as stream:
            stream.write(data)
        return paddle.static.load_inference_model(prefix, paddle.static.Executor(paddle.CPUPlace()))


def result_text(array: "Any") -> str:
    """Return a result as text: dtype, shape and the first 200 elements."""
    return " ".join([str(array.dtype), str(array.shape).replace(" ", ""), *map(str, array.ravel().tolist()[:MOST])])
