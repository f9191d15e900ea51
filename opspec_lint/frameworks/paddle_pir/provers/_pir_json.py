"""Loads and runs PIR programs: what of the prover `pir_json` is executed in an interpreter with Paddle 3."""

import os
import tempfile
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SHAPE = (2, 3)
MOST = 200
"""Elements of a result that are compared."""
found: "list[Any]" = []


def start() -> str:
    """Import Paddle, and return its version."""
    paddle = import_module("paddle")
    paddle.enable_static()
    found.extend([paddle, import_module("paddle.base.core")])
    return str(paddle.__version__)


def load(data: bytes) -> "dict[str, str]":
    """Load a program and choose its kernels, and return the attrs that its op between `data` and `fetch` has."""
    return prepared(read(data)[0])


def prepared(program: "Any") -> "dict[str, str]":
    """Choose the kernels of a program, and return the attrs of its last op.

    Reading checks nothing: an op that the release lacks has no name then. The executor checks ops, inputs and outputs
    before it runs anything.
    """
    paddle, core = found
    told = {}
    for op in program.global_block().ops:
        if op.name() not in ("pd_op.data", "pd_op.fetch"):
            told = {name: repr(value) for name, value in op.attrs().items() if name != "stop_gradient"}
    place = core.Place()
    place.set_place(paddle.CPUPlace())
    core.StandaloneExecutor(place, core.Plan([core.Job("default")], {"default": program}), core.Scope())
    return told


def run(data: bytes) -> "dict[str, str]":
    """Run a program twice, and return those of its results that are the same."""
    numpy = import_module("numpy")
    feed = {}
    program, feeds, fetches = read(data)
    for number, name in enumerate(feeds):
        values = (numpy.arange(SHAPE[0] * SHAPE[1], dtype="float32").reshape(SHAPE) + 2 * number) % 7
        feed[name] = (values + 1) / 8
    executor = found[0].static.Executor(found[0].CPUPlace())
    first, second = ([text(numpy.asarray(each)) for each in executor.run(program, feed, fetches)] for _ in range(2))
    return {str(number): one for number, one in enumerate(first) if one == second[number]}


def read(data: bytes) -> "Any":
    """Return a program, the names of its inputs, and its outputs."""
    paddle = found[0]
    with tempfile.TemporaryDirectory() as folder:
        prefix = os.path.join(folder, "model")
        with open(prefix + ".json", "wb") as stream:
            stream.write(data)
        return paddle.static.load_inference_model(prefix, paddle.static.Executor(paddle.CPUPlace()))


def text(array: "Any") -> str:
    """Return a result as text: its type, its shape and its elements."""
    return " ".join([str(array.dtype), str(array.shape).replace(" ", ""), *map(str, array.ravel().tolist()[:MOST])])
