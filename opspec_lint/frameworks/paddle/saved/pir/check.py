"""What keeps a PIR program from being loaded, as far as that can be told without the declarations of PIR ops.

Paddle checks the header and the dialects when it loads the file, and the ops when they first run (measured with 3.0.0
and 3.3.1). A version that is newer than the loader's own is loaded without a word.
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.pir import program
from opspec_lint.models.fault import model_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from opspec_lint.frameworks.paddle.saved.pir.program import Block
    from opspec_lint.spec.fact import Fact


def faults(header: Any, blocks: Sequence[Block]) -> Iterator[Fact]:
    """Yield what the loader refuses.

    Args:
        header: the `base_code`, None where there is none.
        blocks: the blocks of the program.
    """
    problem = _of_header(header)
    if problem:
        yield _refused(problem)
        return
    for block in blocks:
        for place, op in enumerate(block.ops):
            number = program.dialect(op)
            if number is not None and number not in program.DIALECTS:
                problem = f"the op '{op['#']}' is of the dialect {number}, which the release does not have"
                yield _refused(problem).replace(graph=block.name, node=f"{program.op_name(op)}#{place}")


def _of_header(header: Any) -> str:
    """The fault of a header, "" where there is none."""
    if not isinstance(header, dict):
        return "it has no header (`base_code`)"
    if header.get("magic") != "pir":
        return "its header does not say that it is a PIR program (`magic`)"
    version = header.get("version")
    if type(version) is not int or version < 1:
        return f"its header has no PIR version, but {version!r}"
    return ""


def _refused(problem: str) -> Fact:
    return model_fault("model_header", "base_code", "refused", "parse", problem=problem, remedy="save the model again")
