"""The checks that Paddle makes when it loads a PIR program: its header and its dialects.

Ops are only checked when they first run (`op_check.py`). A program of a newer version than the loader's is loaded
without a message (measured with 3.0.0 and 3.3.1).
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
    """Yield the reasons for which the loader refuses a program; `header` is its `base_code`, None if it is missing."""
    problem = _header_problem(header)
    if problem:
        yield _refusal(problem)
        return
    for block in blocks:
        for index, op in enumerate(block.ops):
            dialect_number = program.dialect(op)
            if dialect_number is not None and dialect_number not in program.DIALECTS:
                problem = f"the op '{op['#']}' is of the dialect {dialect_number}, which the release does not have"
                yield _refusal(problem).replace(graph=block.name, node=f"{program.op_name(op)}#{index}")


def _header_problem(header: Any) -> str:
    """Return the problem of a header; "" for none."""
    if not isinstance(header, dict):
        return "it has no header (`base_code`)"
    if header.get("magic") != "pir":
        return "its header does not say that it is a PIR program (`magic`)"
    version = header.get("version")
    if type(version) is not int or version < 1:
        return f"its header has no PIR version, but {version!r}"
    return ""


def _refusal(problem: str) -> Fact:
    """Return the fault of a refused program."""
    return model_fault("model_header", "base_code", "refused", "parse", problem=problem, remedy="save the model again")
