"""The probe of the prover `legacy_executor`: creates and runs the ops of a ProgramDesc as the legacy executor does.

The executor checks a node's attrs, fills in absent ones, and creates the op, which checks inputs and outputs. Faults
that only a kernel finds appear when it runs.
"""

import os
from importlib import import_module
from importlib.util import find_spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

BLOCKS = (8, 10)
"""The types of attrs that name blocks: the executor itself creates ops with such attrs."""
SHAPE = (2, 3)
MAX_ELEMENTS = 200
"""The number of elements of a result that are compared."""
core_modules: "list[Any]" = []
"""The module `core` of Paddle, once `start` has imported it."""


def start() -> str:
    """Import Paddle, and return its version."""
    # Each run is a fork of its own, whose first kernel makes Paddle allocate 500 MB and lock them into memory.
    os.environ.update(FLAGS_initial_cpu_memory_in_mb="8", FLAGS_use_pinned_memory="0")
    paddle = import_module("paddle")
    core_modules.append(import_module("paddle.base.core" if find_spec("paddle.base") else "paddle.fluid.core"))
    return str(paddle.__version__)


def load(data: bytes) -> "dict[str, str]":
    """Create the ops of the first block, and return the attrs of the op between feed and fetch as Paddle has them."""
    core, attr_texts = core_modules[0], {}
    # A block does not keep its program alive, so the variable does.
    program = core.ProgramDesc(data)
    for op in ops(program):
        if op.type() not in ("feed", "fetch"):
            op.check_attrs()
            if not has_block(op):
                core.Operator.create(op.serialize_to_string())
            attr_texts = {name: repr(op.attr(name)) for name in op.attr_names() if not is_block(op, name)}
    return attr_texts


def run(data: bytes) -> "dict[str, str]":
    """Run a program twice, and return its results that are equal in both runs."""
    program = core_modules[0].ProgramDesc(data)
    inputs = [name for op in ops(program) if op.type() == "feed" for name in op.output("Out")]
    outputs = [name for op in ops(program) if op.type() == "fetch" for name in op.input("X")]
    block = program.block(0)
    # Backwards, as each removal moves the ops behind it.
    for number in reversed(range(block.op_size())):
        if block.op(number).type() in ("feed", "fetch"):
            block._remove_op(number, number + 1)  # noqa: SLF001 - it has no other name
    block.op(0).check_attrs()
    first, second = (results(program, inputs, outputs) for _ in range(2))
    return {name: first[name] for name in first if first[name] == second.get(name)}


def results(program: "Any", inputs: "list[str]", outputs: "list[str]") -> "dict[str, str]":
    """Return the results of one run, in a new scope."""
    core, numpy = core_modules[0], import_module("numpy")
    scope, place, anywhere = core.Scope(), core.CPUPlace(), core.Place()
    anywhere.set_place(place)
    for number, name in enumerate(inputs):
        values = (numpy.arange(SHAPE[0] * SHAPE[1], dtype="float32").reshape(SHAPE) + 2 * number) % 7
        scope.var(name).get_tensor().set((values + 1) / 8, place)
    # The executor frees variables that are not in the last argument.
    core.Executor(anywhere).run(program, scope, 0, False, True, outputs)
    tensors = {name: scope.find_var(name).get_tensor() for name in outputs}
    return {
        name: text(numpy.array(tensor))
        for name, tensor in tensors.items()
        if tensor._is_initialized()  # noqa: SLF001 - as above
    }


def text(array: "Any") -> str:
    """Return a result as text: its type, its shape and its elements."""
    return " ".join(
        [str(array.dtype), str(array.shape).replace(" ", ""), *map(str, array.ravel().tolist()[:MAX_ELEMENTS])]
    )


def ops(program: "Any") -> "Iterator[Any]":
    """Yield the ops of the first block of a program."""
    block = program.block(0)
    return map(block.op, range(block.op_size()))


def has_block(op: "Any") -> bool:
    """Return whether an op names blocks."""
    return any(is_block(op, name) for name in op.attr_names())


def is_block(op: "Any", name: str) -> bool:
    """Return whether an attr names blocks."""
    return int(op.attr_type(name)) in BLOCKS
