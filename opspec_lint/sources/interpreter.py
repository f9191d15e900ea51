"""Queries an installed framework, in a process of the interpreter that has it.

An old framework needs an old Python, so the interpreter may be another one than ours. It runs a probe: a source text
that needs only the standard library, and `_probe_main` behind it, which writes its answer to a file.
"""

from __future__ import annotations

import sys

from opspec_lint.interpreters import messages
from opspec_lint.interpreters.messages import Package
from opspec_lint.interpreters.runner import SECONDS, Interpreter, Limits, probe_beside, run
from opspec_lint.kit.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from opspec_lint.interpreters.runner import Ended

TIMEOUT = SECONDS
"""Seconds that an answer may take."""


class Question(Package):
    """A query to an installed framework.

    `scheme` is the scheme of the source. `source` is the file of its module: beside it stands `_runtime_probe.py`, the
    text that runs in the interpreter, and `needed` is what has to stand before that. `answer` maps each key of its
    answer to the types that the value may have.
    """

    scheme: str
    source: str
    needed: str = ""
    answer: Mapping[str, tuple[type, ...]]


def ask(question: Question, argument: str, environment: Mapping[str, str]) -> dict[str, Any]:
    """Return the answer of the framework of an interpreter.

    Args:
        question: the query.
        argument: the interpreter, as a path or a name on PATH; "" for our own.
        environment: its environment.

    Raises:
        InputError: the interpreter cannot be run, or the framework is not installed or cannot be inspected.
    """
    interpreter = Interpreter(
        python=argument or sys.executable,
        called=f"{question.scheme}:{argument or sys.executable}",
        other=f"name another interpreter, Python 3.6 or later, with {question.scheme}:PYTHON",
        environment=environment,
    )
    limits = Limits(seconds=TIMEOUT)
    own, main = probe_beside(question.source, "_runtime_probe.py"), probe_beside(__file__, "_probe_main.py")
    ended = run(interpreter, f"{question.needed}{own}\n{main}", limits)
    told = _json(ended.answer)
    if not _is_answer(told, question):
        raise _failure(question, interpreter, ended, limits)
    return dict(told)


def _is_answer(told: Any, question: Question) -> bool:
    return (
        isinstance(told, dict)
        and told.keys() == question.answer.keys()
        and all(isinstance(told[key], kinds) for key, kinds in question.answer.items())
    )


def _failure(question: Question, interpreter: Interpreter, ended: Ended, limits: Limits) -> InputError:
    """Return why the probe did not answer; its answer is None before it starts, "" while it imports the framework."""
    told = _json(ended.answer)
    error = told.get("error") if isinstance(told, dict) else None
    advice = interpreter.other
    if ended.limit == "time":
        problem = f"did not answer within {limits.seconds} s{messages.tail(ended.output)}"
        advice = messages.by_hand(interpreter, question)
    elif ended.answer is None and "SyntaxError" in ended.output:
        problem = "is a Python older than 3.6"
    elif ended.answer is None:
        problem = f"does not run as a Python interpreter: {messages.ending(ended, limits)}"
    elif not ended.answer or isinstance(error, str):
        return messages.import_failed(interpreter, question, ended, limits, error)
    else:
        problem = f"returned malformed data: {messages.ending(ended, limits)}"
        advice = messages.by_hand(interpreter, question)
    return InputError(interpreter.called, problem, advice=advice)


def _json(text: str | None) -> Any:
    import json

    try:
        return json.loads(text or "null")
    except (ValueError, RecursionError):
        return None
