"""Queries of an installed framework, in a process of the interpreter that has it.

An old framework needs an old Python, so the interpreter may differ from ours. It runs a probe: a source text that needs
only the standard library. The text of `probe_tools` comes first, and last `_probe_main`, which writes the answer to a
file.
"""

from __future__ import annotations

import sys

from opspec_lint.interpreters import messages
from opspec_lint.interpreters.messages import Package
from opspec_lint.interpreters.runner import SECONDS, Interpreter, Limits, read_probe, run
from opspec_lint.kit.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from opspec_lint.interpreters.runner import ProcessResult

TIMEOUT = SECONDS
"""Seconds that an answer may take."""


class Query(Package):
    """A query to an installed framework.

    `scheme` is the scheme of the source. `source` is the file of its module, in whose folder `_runtime_probe.py` is,
    the text that runs in the interpreter, after the text `needed`. `answer` maps each key of the answer to the types
    that its value may have.
    """

    scheme: str
    source: str
    needed: str = ""
    answer: Mapping[str, tuple[type, ...]]


def run_query(query: Query, argument: str, environment: Mapping[str, str]) -> dict[str, Any]:
    """Run a query in an interpreter, and return the answer of its framework.

    Args:
        query: the query.
        argument: the interpreter, as a path or a name on PATH; "" for our own.
        environment: its environment.

    Raises:
        InputError: the interpreter cannot be run, or the framework is not installed or cannot be inspected.
    """
    interpreter = Interpreter(
        python=argument or sys.executable,
        called=f"{query.scheme}:{argument or sys.executable}",
        alternative=f"name another interpreter, Python 3.6 or later, with {query.scheme}:PYTHON",
        environment=environment,
    )
    limits = Limits(seconds=TIMEOUT)
    tools, main = (read_probe(__file__, name) for name in ("probe_tools.py", "_probe_main.py"))
    own = read_probe(query.source, "_runtime_probe.py")
    ended = run(interpreter, f"{tools}\n{query.needed}\n{own}\n{main}", limits)
    answer = _decode(ended.answer)
    if not _is_answer(answer, query):
        raise _failure(query, interpreter, ended, limits)
    return dict(answer)


def _is_answer(answer: Any, query: Query) -> bool:
    return (
        isinstance(answer, dict)
        and answer.keys() == query.answer.keys()
        and all(isinstance(answer[key], kinds) for key, kinds in query.answer.items())
    )


def _failure(query: Query, interpreter: Interpreter, ended: ProcessResult, limits: Limits) -> InputError:
    """Return the error of a probe without a valid answer.

    `ended.answer` is None if the probe did not start, and empty if it ended while it imported the framework.
    """
    answer = _decode(ended.answer)
    error = answer.get("error") if isinstance(answer, dict) else None
    advice = interpreter.alternative
    if ended.limit == "time":
        problem = f"did not answer within {limits.seconds} s{messages.last_output(ended.output)}"
        advice = messages.manual_import_advice(interpreter, query)
    # The probe uses f-strings, which are a syntax error before Python 3.6.
    elif ended.answer is None and "SyntaxError" in ended.output:
        problem = "is a Python older than 3.6"
    elif ended.answer is None:
        problem = f"does not run as a Python interpreter: {messages.describe_ending(ended, limits)}"
    elif not ended.answer or isinstance(error, str):
        return messages.import_error(interpreter, query, ended, limits, error)
    else:
        problem = f"returned malformed data: {messages.describe_ending(ended, limits)}"
        advice = messages.manual_import_advice(interpreter, query)
    return InputError(interpreter.called, problem, advice=advice)


def _decode(text: str | None) -> Any:
    import json

    try:
        return json.loads(text or "null")
    # The answer is of an interpreter that the user names: it may be any text, nested to any depth.
    except (ValueError, RecursionError):
        return None
