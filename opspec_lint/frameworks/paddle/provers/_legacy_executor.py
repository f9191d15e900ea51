"""Creates the ops of a ProgramDesc as the legacy executor does: what of its prover runs in an interpreter with Paddle.

The executor checks a node's attrs, fills in those that are left out, and creates the op, which checks inputs and
outputs. So much decides whether a program fits the release; what a kernel then makes of the values is not asked.
"""

from importlib import import_module
from importlib.util import find_spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BLOCKS = (8, 10)
"""The types of attrs that name blocks: ops that have one are made by the executor itself."""
found: "list[Any]" = []


def start() -> str:
    """Import Paddle, and return its version."""
    paddle = import_module("paddle")
    found.append(import_module("paddle.base.core" if find_spec("paddle.base") else "paddle.fluid.core"))
    return str(paddle.__version__)


def load(data: bytes) -> "dict[str, str]":
    """Create the ops of the first block, and return the attrs that the op between feed and fetch has then."""
    core, told = found[0], {}
    program = core.ProgramDesc(data)  # which a block does not keep alive
    block = program.block(0)
    for number in range(block.op_size()):
        op = block.op(number)
        if op.type() not in ("feed", "fetch"):
            op.check_attrs()
            if not has_block(op):
                core.Operator.create(op.serialize_to_string())
            told = {name: repr(op.attr(name)) for name in op.attr_names() if not is_block(op, name)}
    return told


def has_block(op: "Any") -> bool:
    """Tell whether an op names blocks."""
    return any(is_block(op, name) for name in op.attr_names())


def is_block(op: "Any", name: str) -> bool:
    """Tell whether an attr names blocks."""
    return int(op.attr_type(name)) in BLOCKS
