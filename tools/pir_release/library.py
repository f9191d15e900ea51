"""Facts about the PIR ops of a Paddle from its compiled library, read in the interpreter that has it installed."""

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
    """The facts that a compiled library states.

    `infos`: the inputs, outputs and attrs of each class of an op (`GetOpInfo`), by the name of the class. An input has
    its name, its type, whether it is optional, and whether it is a mutable attr; an output its name, its type, whether
    it is optional, and whether it is intermediate; an attr its name, its type, and the type inside a Scalar or
    IntArray. `kernels`: the kernels of each op that has several, for dense tensors ("") and for sparse ones ("sp_").
    All others are by op of a ProgramDesc: `ops` its PIR op, `arguments` the names of its arguments by their names in
    PIR, `tensors` the inputs that may hold an attr, `extra` its extra attrs.
    """

    infos: Mapping[str, Mapping[str, list[list[Any]]]]
    kernels: Mapping[str, Mapping[str, list[str]]]
    ops: Names
    arguments: Mapping[str, Names]
    tensors: Mapping[str, Mapping[str, list[str]]]
    extra: Mapping[str, list[str]]


def query(python: str) -> Library:
    """Return the facts of the library of an interpreter's Paddle.

    Raises:
        InputError: the interpreter cannot be run, or has no Paddle that answers.
    """
    from opspec_lint.sources.interpreter import Query, run_query

    runtime_query = Query(
        scheme="pir_release",
        title="Paddle",
        name="paddle",
        requirement="paddlepaddle",
        source=__file__,
        answer=dict.fromkeys(_KEYS, (dict,)),
    )
    return Library(**run_query(runtime_query, python, os.environ))
