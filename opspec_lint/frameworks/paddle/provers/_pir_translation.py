"""The probe of the prover `pir_translation`: translates programs to PIR in an interpreter with Paddle 3."""

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

paddle_functions: "list[Any]" = []
"""The class ProgramDesc and the function translate_to_pir, once `start` has imported them."""


def start() -> str:
    """Import Paddle, and return its version."""
    paddle = import_module("paddle")
    paddle_functions.extend([import_module("paddle.base.core").ProgramDesc, paddle.pir.translate_to_pir])
    return str(paddle.__version__)


def load(data: bytes) -> "dict[str, str]":
    """Translate a program, and return the attrs of its op by their names in PIR."""
    program_desc, translate = paddle_functions
    attr_texts = {}
    # A block does not keep its program alive, so the variable does.
    program = translate(program_desc(data))
    for op in program.global_block().ops:
        if op.name().startswith("pd_op.") and op.name() not in ("pd_op.feed", "pd_op.data", "pd_op.fetch"):
            attr_texts = {name: repr(value) for name, value in op.attrs().items()}
    return attr_texts
