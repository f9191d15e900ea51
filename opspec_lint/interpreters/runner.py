"""Runner of texts in an interpreter of the user: the only place that starts one.

The process runs in its own empty folder: the current folder may contain an untrusted pull request, and `python -c`,
which some releases call when they are imported, would import modules from it. `_supervisor` runs between this program
and the interpreter: it sets the limits before the interpreter starts, and ends it when this program ends.
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

    `python` is its path, or a name on PATH; `called` is its name in messages; `alternative` is the advice to name
    another one.
    """

    python: str
    called: str
    alternative: str
    environment: Mapping[str, str] = {}


class Limits(Record):
    """The limits of a process.

    `seconds` may pass until its answer grows. `memory` limits the bytes that it allocates, `file` the bytes of each
    file that it writes, including its output, `space` the bytes of all files in its folder, including temporary files.
    """

    seconds: int = SECONDS
    memory: int = MEMORY
    file: int = FILE
    space: int = SPACE


class ProcessResult(Record):
    """The result of a process.

    `answer` is the content of its answer file, None if it did not begin to write. `status` is its exit status, negative
    for a signal. `limit` names the limit that it reached, and `output` is the end of its output.
    """

    answer: str | None
    status: int
    limit: Limit
    output: str


def read_probe(module: str, name: str) -> str:
    """Return the text of the file `name` in the folder of a module, which is given by its file."""
    from pathlib import Path

    return Path(module).with_name(name).read_text(encoding="utf-8")


def run(interpreter: Interpreter, text: str, limits: Limits, task: str | None = None) -> ProcessResult:
    """Run a text, and return the result of its process; its first argument is the file for its answer.

    Args:
        interpreter: the interpreter.
        text: source text of Python, which needs only the standard library.
        limits: the limits of the process.
        task: the content of the file that is its second argument.

    Raises:
        InputError: the interpreter cannot be run.
        Terminated: a signal asked this program to end.
    """
    with scratch.folder() as folder:
        arguments = [folder / "answer"]
        if task is not None:
            task_file = folder / "task"
            task_file.write_text(task, encoding="utf-8")
            arguments.append(task_file)
        (folder / "tmp").mkdir()
        result = _supervise(_job(interpreter, text, limits, arguments), interpreter.environment, folder)
        if "problem" in result:
            raise _not_run(interpreter, result["problem"])
        return _result(result, folder, limits)


def _job(interpreter: Interpreter, text: str, limits: Limits, arguments: list[Path]) -> dict[str, Any]:
    """Return the job for the supervisor: the command, its folder and its limits; the first argument is the answer."""
    answer, *_ = arguments
    folder = answer.parent
    return {
        "command": [_absolute(interpreter.python), "-c", f"()\n{text}", *map(str, arguments)],  # () stops a shell
        "folder": str(folder),
        "answer": str(answer),
        "log": str(folder / "log"),
        "seconds": limits.seconds,
        "space": limits.space,
        "limits": {"RLIMIT_CORE": 0, "RLIMIT_FSIZE": limits.file, "RLIMIT_DATA": limits.memory},
    }


def _absolute(python: str) -> str:
    """Return the absolute path of an interpreter; a name on PATH is valid in any folder."""
    return os.path.abspath(python) if os.sep in python else python


def _supervise(job: dict[str, Any], environment: Mapping[str, str], folder: Path) -> dict[str, Any]:
    """Run a job under a supervisor, and return the outcome."""
    import json
    import subprocess
    from pathlib import Path

    file = folder / "job"
    file.write_text(json.dumps(job), encoding="utf-8")
    supervisor = subprocess.Popen(  # noqa: S603 - our own text
        # `-I -S`: the variables PYTHON* and site packages, which may be the user's, must not affect the supervisor.
        [sys.executable, "-I", "-S", Path(__file__).with_name("_supervisor.py"), file],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=_environment_for(environment, folder / "tmp"),
        start_new_session=True,
    )
    with supervisor:
        try:
            # The supervisor writes only when the command has ended, so this waits for the end of the command.
            output = supervisor.stdout.read() if supervisor.stdout else b""
        finally:
            _end(supervisor)
    return dict(json.loads(output)) if output else {"status": supervisor.returncode}


def _end(supervisor: subprocess.Popen[bytes]) -> None:
    """Kill a supervisor and its process group."""
    import signal
    from contextlib import suppress

    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(supervisor.pid, signal.SIGKILL)
        else:
            supervisor.kill()


def _environment_for(environment: Mapping[str, str], temporary: Path) -> dict[str, str]:
    """Return an environment for another folder: relative entries of PYTHONPATH become absolute, empty ones stay."""
    entries = environment.get("PYTHONPATH", "").split(os.pathsep)
    absolute = os.pathsep.join(entry and os.path.abspath(entry) for entry in entries)
    return {**environment, "PYTHONPATH": absolute, **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(temporary))}


def _not_run(interpreter: Interpreter, reason: str) -> InputError:
    """Return the error for an interpreter that cannot be started."""
    if os.path.isdir(interpreter.python):
        problem, advice = "is a directory; expected a Python interpreter", "name the python in its bin"
    else:
        problem, advice = f"cannot be run: {reason}", "check the name of the interpreter"
    return InputError(interpreter.called, problem, advice=advice)


def _result(result: dict[str, Any], folder: Path, limits: Limits) -> ProcessResult:
    """Return the result of a process from the outcome that the supervisor reports and the files in the folder."""
    log, answer = folder / "log", folder / "answer"
    is_full = log.exists() and log.stat().st_size >= limits.file
    return ProcessResult(
        answer=_text(answer, 0, _ANSWER) if answer.is_file() else None,
        # A command that was killed because of a limit has no status.
        status=result.get("status", -9),
        limit=result.get("limit") or ("output" if is_full else ""),
        output=_text(log, -_OUTPUT, _OUTPUT) if log.exists() else "",
    )


def _text(path: Path, start: int, most: int) -> str:
    """Return up to `most` bytes of a file as text, from an offset, which counts from the end if it is negative."""
    with path.open("rb") as stream:
        stream.seek(start if start >= 0 else max(0, path.stat().st_size + start))
        return stream.read(most).decode("utf-8", errors="replace")
