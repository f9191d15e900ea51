"""Translates programs to PIR: what of the prover `pir_translation` runs in an interpreter with Paddle 3."""

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

found: "list[Any]" = []


def start() -> str:
    """Import Paddle, and return its version."""
    paddle = import_module("paddle")
    found.extend([import_module("paddle.base.core").ProgramDesc, paddle.pir.translate_to_pir])
    return str(paddle.__version__)


def load(data: bytes) -> "dict[str, str]":
    """Translate a program, and return the attrs that its op has then, under the names of PIR."""
    program_desc, translate = found
    told = {}
    program = translate(program_desc(data))  # which a block does not keep alive
    for op in program.global_block().ops:
        if op.name().startswith("pd_op.") and op.name() not in ("pd_op.feed", "pd_op.data", "pd_op.fetch"):
            told = {name: repr(value) for name, value in op.attrs().items()}
    return told
