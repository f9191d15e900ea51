"""Runs a text in an interpreter of the user: the only place that starts one.

The process runs in an empty folder of its own: the current one may contain an untrusted pull request, and `python -c`,
which some releases call when they are imported, would import modules from it. Between this program and the interpreter
stands `_supervisor`, which sets the limits before the interpreter starts, and ends it when this program ends.
"""

from __future__ import annotations

import os
import sys

from opspec_lint.kit import scratch
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Any, Literal, TypeAlias

    Limit: TypeAlias = Literal["", "time", "space", "output"]

SECONDS = 600
"""Importing a framework takes about 2, and some minutes from a cold network disk."""
MEMORY = 8 << 30
"""Bytes; importing a framework takes less than 1 GiB."""
FILE = 256 << 20
SPACE = 1 << 30
_ANSWER = 64 << 20
_OUTPUT = 64 << 10


class Interpreter(Record):
    """An interpreter of the user.

    `python` is its path, or a name on PATH; `called` is what messages call it; `other` is the advice to name another.
    """

    python: str
    called: str
    other: str
    environment: Mapping[str, str] = {}


class Limits(Record):
    """What a process may take.

    `seconds` may pass until its answer grows. `memory` are the bytes that it may allocate, `file` those of a file that
    it writes, and so of its output. `space` are the bytes of all files in its folder, temporary files included.
    """

    seconds: int = SECONDS
    memory: int = MEMORY
    file: int = FILE
    space: int = SPACE


class Ended(Record):
    """How a process ended.

    `answer` is what it wrote as its answer, None where it did not begin to. `status` is its exit status, that of a
    signal below 0. `limit` names the limit that it reached, and `output` is the end of what it printed.
    """

    answer: str | None
    status: int
    limit: Limit
    output: str


def probe_beside(module: str, name: str) -> str:
    """Return the text `name` that stands beside the module whose file is `module`."""
    from pathlib import Path

    return Path(module).with_name(name).read_text(encoding="utf-8")


def run(interpreter: Interpreter, text: str, limits: Limits, task: str | None = None) -> Ended:
    """Run a text, and return how its process ended; its first argument is the file for its answer.

    Args:
        interpreter: what runs it.
        text: source text of Python, which needs only the standard library.
        limits: what the process may take, from its start.
        task: the content of the file that is its second argument.

    Raises:
        InputError: the interpreter cannot be run.
        Terminated: a signal asked this program to end.
    """
    with scratch.folder() as folder:
        arguments = [folder / "answer"]
        if task is not None:
            arguments.append(folder / "task")
            arguments[-1].write_text(task, encoding="utf-8")
        (folder / "tmp").mkdir()
        told = _supervised(_job(interpreter, text, limits, arguments), interpreter.environment, folder)
        if "problem" in told:
            raise _not_run(interpreter, told["problem"])
        return _ended(told, folder, limits)


def _job(interpreter: Interpreter, text: str, limits: Limits, arguments: list[Path]) -> dict[str, Any]:
    folder = arguments[0].parent
    return {
        "command": [_absolute(interpreter.python), "-c", f"()\n{text}", *map(str, arguments)],  # () stops a shell
        "folder": str(folder),
        "answer": str(arguments[0]),
        "log": str(folder / "log"),
        "seconds": limits.seconds,
        "space": limits.space,
        "limits": {"RLIMIT_CORE": 0, "RLIMIT_FSIZE": limits.file, "RLIMIT_DATA": limits.memory},
    }


def _absolute(python: str) -> str:
    """Return an interpreter as another folder names it: a name on PATH is the same there."""
    return os.path.abspath(python) if os.sep in python else python


def _supervised(job: dict[str, Any], environment: Mapping[str, str], folder: Path) -> dict[str, Any]:
    """Have a supervisor run a job, and return what it says of it."""
    import json
    import subprocess
    from pathlib import Path

    file = folder / "job"
    file.write_text(json.dumps(job), encoding="utf-8")
    supervisor = subprocess.Popen(  # noqa: S603 - our own text
        [sys.executable, "-I", "-S", Path(__file__).with_name("_supervisor.py"), file],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=_moved(environment, folder / "tmp"),
        start_new_session=True,
    )
    with supervisor:
        try:
            told = supervisor.stdout.read() if supervisor.stdout else b""
        finally:
            _end(supervisor)
    return dict(json.loads(told)) if told else {"status": supervisor.returncode}


def _end(supervisor: subprocess.Popen[bytes]) -> None:
    """End a supervisor and what it has started."""
    import signal
    from contextlib import suppress

    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(supervisor.pid, signal.SIGKILL)
        else:
            supervisor.kill()


def _moved(environment: Mapping[str, str], temporary: Path) -> dict[str, str]:
    """Return an environment for another folder: relative entries of PYTHONPATH become absolute, empty ones stay."""
    entries = environment.get("PYTHONPATH", "").split(os.pathsep)
    absolute = os.pathsep.join(entry and os.path.abspath(entry) for entry in entries)
    return {**environment, "PYTHONPATH": absolute, **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(temporary))}


def _not_run(interpreter: Interpreter, reason: str) -> InputError:
    if os.path.isdir(interpreter.python):
        problem, advice = "is a directory; expected a Python interpreter", "name the python in its bin"
    else:
        problem, advice = f"cannot be run: {reason}", "check the name of the interpreter"
    return InputError(interpreter.called, problem, advice=advice)


def _ended(told: dict[str, Any], folder: Path, limits: Limits) -> Ended:
    log, answer = folder / "log", folder / "answer"
    is_full = log.exists() and log.stat().st_size >= limits.file
    return Ended(
        answer=_text(answer, 0, _ANSWER) if answer.is_file() else None,
        status=told.get("status", -9),
        limit=told.get("limit") or ("output" if is_full else ""),
        output=_text(log, -_OUTPUT, _OUTPUT) if log.exists() else "",
    )


def _text(path: Path, start: int, most: int) -> str:
    """Return up to so many bytes of a file as text, from a place, which is counted from the end if below 0."""
    with path.open("rb") as stream:
        stream.seek(start if start >= 0 else max(0, path.stat().st_size + start))
        return stream.read(most).decode("utf-8", errors="replace")
