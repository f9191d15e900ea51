"""Runs a program as the legacy executor does: what of `drawn_models --run` runs in an interpreter with Paddle."""

from importlib import import_module
from importlib.util import find_spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SHAPE = (2, 3)
found: "list[Any]" = []


def start() -> str:
    """Import Paddle, and return its version."""
    paddle = import_module("paddle")
    found.append(import_module("paddle.base.core" if find_spec("paddle.base") else "paddle.fluid.core"))
    found.append(import_module("numpy"))
    return str(paddle.__version__)


def load(data: bytes) -> "dict[str, str]":
    """Feed ones to the program, run it, and return what it fetches."""
    core, numpy = found
    program = core.ProgramDesc(data)
    block = program.block(0)
    inputs, outputs = [], []
    for number in reversed(range(block.op_size())):
        op = block.op(number)
        if op.type() == "feed":
            inputs += op.output("Out")
        if op.type() == "fetch":
            outputs += op.input("X")
        if op.type() in ("feed", "fetch"):
            block._remove_op(number, number + 1)  # noqa: SLF001 - it has no other name
    block.op(0).check_attrs()
    core.Operator.create(block.op(0).serialize_to_string())
    scope, place, anywhere = core.Scope(), core.CPUPlace(), core.Place()
    anywhere.set_place(place)
    for name in inputs:
        scope.var(name).get_tensor().set(numpy.ones(SHAPE, dtype="float32"), place)
    told = {}
    try:
        core.Executor(anywhere).run(program, scope, 0, False, True, outputs)  # which are not freed then
        for name in outputs:
            tensor = scope.find_var(name).get_tensor()
            if tensor._is_initialized():  # noqa: SLF001
                told[name] = text(numpy.array(tensor))
    except Exception as error:  # a kernel that does not run is the same on both sides, or is told
        told = {"error": sort(str(error))}
    return told


def sort(error: str) -> str:
    """Return the word for an error of an op, without the place."""
    words = [each for each in error.replace("(", " ").replace(":", " ").split() if each.endswith("Error")]
    return words[0] if words else "error"


def text(array: "Any") -> str:
    """Return a result as text: its type, its shape and its elements."""
    return " ".join([str(array.dtype), str(array.shape).replace(" ", ""), *map(str, array.ravel().tolist()[:200])])
