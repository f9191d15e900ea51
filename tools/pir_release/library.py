"""What the library of a Paddle says of its PIR ops, asked in a process of the interpreter that has it."""

from __future__ import annotations

import os

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeAlias

    Names: TypeAlias = Mapping[str, str]

_KEYS = ("infos", "kernels", "ops", "arguments", "tensors", "extra")


class Library(Record):
    """What a library says.

    `infos` are the inputs, outputs and attrs of each class of an op, by its name (`GetOpInfo`): of an input its name,
    its type, whether it is optional and whether it is a mutable attr; of an output its name, its type, whether it is
    optional and whether it is intermediate; of an attr its name, its type and what a Scalar or IntArray holds.
    `kernels` are the kernels of each op that has several, of dense tensors ("") and of sparse ones ("sp_"). The others
    are by op of a ProgramDesc: `ops` its PIR op, `arguments` the names of its arguments by those of PIR, `tensors` the
    inputs that may hold an attr, and `extra` its extra attrs.
    """

    infos: Mapping[str, Mapping[str, list[list[Any]]]]
    kernels: Mapping[str, Mapping[str, list[str]]]
    ops: Names
    arguments: Mapping[str, Names]
    tensors: Mapping[str, Mapping[str, list[str]]]
    extra: Mapping[str, list[str]]


def ask(python: str) -> Library:
    """Return what the library of an interpreter's Paddle says.

    Raises:
        InputError: the interpreter cannot be run, or has no Paddle that can be asked.
    """
    from opspec_lint.sources.interpreter import Question
    from opspec_lint.sources.interpreter import ask as answer

    question = Question(
        scheme="pir_release",
        title="Paddle",
        name="paddle",
        requirement="paddlepaddle",
        source=__file__,
        answer=dict.fromkeys(_KEYS, (dict,)),
    )
    return Library(**answer(question, python, os.environ))
