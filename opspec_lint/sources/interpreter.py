"""Queries an installed framework, in a process of the interpreter that has it.

An old framework needs an old Python, so the interpreter may be another one than ours. It runs a probe: a source text
that needs only the standard library, and writes its answer as JSON to the file that is its argument. The file is empty
while the framework is imported. The process runs in an empty directory: the current one may contain an untrusted pull
request, and `python -c`, which some releases call when they are imported, would import modules from it.
"""

from __future__ import annotations

import os
import sys

from opspec_lint.kit.errors import InputError
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Any

TIMEOUT = 600
"""Seconds; importing a framework takes about 2, and some minutes from a cold network disk."""

_WORDS = 500  # characters of another program's output that a message may hold


class Question(Record):
    """A query to an installed framework.

    `scheme` is the scheme of the source. `framework` is the name of the framework for people, `package` for Python, and
    `requirement` for pip. `probe` is the source text that runs in the interpreter. `answer` maps each key of its answer
    to the types that the value may have.
    """

    scheme: str
    framework: str
    package: str
    requirement: str
    probe: str
    answer: Mapping[str, tuple[type, ...]]

    @property
    def other(self) -> str:
        """Advice to name another interpreter."""
        return f"name another interpreter, Python 3.6 or later, with {self.scheme}:PYTHON"

    def by_hand(self, interpreter: str) -> str:
        """Advice to run the import by hand."""
        return f"see what `{interpreter} -c 'import {self.package}'` says, or {self.other}"


def probe_beside(extractor: str, name: str) -> str:
    """Return the text of the probe `name` that stands beside the module whose file is `extractor`."""
    from pathlib import Path

    return Path(extractor).with_name(name).read_text(encoding="utf-8")


def ask(question: Question, python: str | None, environment: Mapping[str, str]) -> dict[str, Any]:
    """Return the answer of the framework of an interpreter.

    Args:
        question: the query.
        python: the interpreter, as a path or a name on PATH; None for our own.
        environment: its environment.

    Raises:
        InputError: the interpreter cannot be run, or the framework is not installed or cannot be inspected.
    """
    import tempfile
    from pathlib import Path

    interpreter = python or sys.executable
    with tempfile.TemporaryDirectory(prefix="opspec-lint-") as folder:
        answer, log = Path(folder, "answer"), Path(folder, "log")
        status = _run(question, interpreter, environment, answer, log)
        text = read_log(answer) if answer.exists() else None
        told = _json(text)
        if not _is_answer(told, question):
            raise _failure(question, interpreter, text, status, read_log(log))
        return dict(told)


def _run(question: Question, interpreter: str, environment: Mapping[str, str], answer: Path, log: Path) -> int:
    """Run the probe, which writes to `answer` and whose output goes to `log`; return its exit status.

    Raises:
        InputError: the interpreter cannot be run, or does not end.
    """
    import subprocess
    from pathlib import Path

    with log.open("wb") as output:
        try:
            return subprocess.run(  # noqa: S603 - the user names the interpreter
                command(interpreter, question.probe, answer),
                cwd=answer.parent,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=moved(environment),
                timeout=TIMEOUT,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:
            problem, advice = f"did not answer within {TIMEOUT} s{tail(read_log(log))}", question.by_hand(interpreter)
        except (OSError, ValueError) as error:
            if Path(interpreter).is_dir():
                problem, advice = "is a directory; expected a Python interpreter", "name the python in its bin"
            else:
                reason = getattr(error, "strerror", None) or str(error)
                problem, advice = f"cannot be run: {reason}", "check the name of the interpreter"
    raise InputError(f"{question.scheme}:{interpreter}", problem, advice=advice)


def command(interpreter: str, text: str, file: Path) -> list[str | Path]:
    """Return the command that runs a source text in an interpreter, a path or a name on PATH, from any directory."""
    from pathlib import Path

    python = Path(interpreter).absolute() if os.sep in interpreter else interpreter
    return [python, "-c", f"()\n{text}", str(file)]  # () stops a shell


def moved(environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment for another directory: relative entries of PYTHONPATH become absolute, empty ones stay."""
    from pathlib import Path

    entries = environment.get("PYTHONPATH", "").split(os.pathsep)
    return {**environment, "PYTHONPATH": os.pathsep.join(entry and str(Path(entry).absolute()) for entry in entries)}


def _is_answer(told: Any, question: Question) -> bool:
    return (
        isinstance(told, dict)
        and told.keys() == question.answer.keys()
        and all(isinstance(told[key], kinds) for key, kinds in question.answer.items())
    )


def _failure(question: Question, interpreter: str, text: str | None, status: int, output: str) -> InputError:
    """Return why the probe did not answer; its answer is None before it starts, "" while it imports the framework."""
    end, advice = f"{ending(status)}{tail(output)}", question.by_hand(interpreter)
    told = _json(text)
    error = told.get("error") if isinstance(told, dict) else None
    if text is None and "SyntaxError" in output:
        problem, advice = "is a Python older than 3.6", question.other
    elif text is None:
        problem, advice = f"does not run as a Python interpreter: {end}", question.other
    elif not text:
        problem = f"crashed while importing {question.framework}: {end}"
    elif not isinstance(error, str):
        problem = f"returned malformed data: {end}"
    elif error == f"ModuleNotFoundError: No module named '{question.package}'":
        problem = f"has no {question.framework}"
        advice = f"run `{interpreter} -m pip install {question.requirement}`, or {question.other}"
    elif "Descriptors cannot" in error + output:
        problem = f"has a protobuf that is too new for its {question.framework}"
        advice = f"run `{interpreter} -m pip install 'protobuf<3.21'`"
    else:
        problem = f"has a {question.framework} that cannot be inspected: {line_of(error)[:_WORDS]}"
    return InputError(f"{question.scheme}:{interpreter}", problem, advice=advice)


def _json(text: str | None) -> Any:
    import json

    try:
        return json.loads(text or "null")
    except (ValueError, RecursionError):
        return None


def ending(status: int) -> str:
    """Return how a process ended, by its status."""
    if status >= 0:
        return f"exit status {status}"
    import signal

    try:
        return f"killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"killed by signal {-status}"


def read_log(path: Path) -> str:
    """Return what a process wrote, as text."""
    return path.read_text(encoding="utf-8", errors="replace")


def tail(output: str) -> str:
    """Return the last lines of an output, to be put behind a message."""
    last = line_of("\n".join(output.splitlines()[-5:]))[-_WORDS:]
    return f"; its last output: {last}" if last else ""


def line_of(text: str) -> str:
    """Return a text on one line, without characters that control a terminal."""
    lines = " | ".join(line.strip() for line in text.splitlines() if line.strip())
    return "".join(filter(str.isprintable, lines))
