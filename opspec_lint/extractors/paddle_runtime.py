"""The Paddle that an interpreter has installed: it is asked in a process of that interpreter, by `_paddle_probe`.

An old Paddle needs an old Python, so the interpreter need not be the one that runs this program. It runs in an empty
directory: the current one may hold an untrusted pull request, and `python -c`, which some releases call themselves
when they are imported, would take modules from it.
"""

from __future__ import annotations

import os
import sys

from opspec_lint.errors import InputError
from opspec_lint.model import Provenance
from opspec_lint.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from opspec_lint.model import Spec

SCHEME = "paddle-runtime"
SUMMARY = "the Paddle installed here, or that of another interpreter: paddle-runtime:PYTHON"
RUNS_CODE = True

TIMEOUT = 600
"""Seconds; importing Paddle takes about 2, and some minutes from a cold network disk."""

_ANSWER = {"version": (str,), "commit": (str, type(None)), "op_desc": (str,), "op_versions": (dict, type(None))}
_WORDS = 500  # characters of another program's output that a message may hold
_OTHER = f"name another interpreter, Python 3.6 or later, with {SCHEME}:PYTHON"


class Probe(Record):
    """What a Paddle says of itself.

    `op_desc` is what its tools/print_op_desc.py prints, without the newline; `op_versions` is {op: {"version_id",
    "checkpoints"}}, None where it has no op version registry.
    """

    version: str
    commit: str | None
    op_desc: str
    op_versions: dict[str, Any] | None


def extract(argument: str) -> Spec:
    """Return the spec of the Paddle of the interpreter `argument`; "" is the one that runs this program.

    Raises:
        InputError: the interpreter cannot be run, or has no Paddle that can be asked.
    """
    from opspec_lint import document, files, op_versions

    file = f"{SCHEME}:{argument}" if argument else SCHEME
    told = probe(argument or None)
    provenance = Provenance(framework="paddle", version=told.version, commit=told.commit, made_by=SCHEME)
    spec = files.spec_of(document.decode(told.op_desc.encode(), file)).but(provenance=provenance)
    if told.op_versions is None:
        return spec
    return spec.but(op_versions=op_versions.parse_table(told.op_versions, file))


def probe(python: str | None) -> Probe:
    """Ask the Paddle of an interpreter, a path or a name on PATH; None is the one that runs this program.

    Raises:
        InputError: the interpreter cannot be run, or has no Paddle that can be asked.
    """
    import tempfile
    from pathlib import Path

    interpreter = python or sys.executable
    with tempfile.TemporaryDirectory(prefix="opspec-lint-") as folder:
        answer, log = Path(folder, "answer"), Path(folder, "log")
        status = _run(interpreter, answer, log)
        text = _read(answer) if answer.exists() else None
        told = _json(text)
        if not _is_answer(told):
            raise _failure(interpreter, text, status, _read(log))
        return Probe(**told)


def _run(interpreter: str, answer: Path, log: Path) -> int:
    """Run the probe, which writes to `answer` and whose output goes to `log`; return its exit status.

    Raises:
        InputError: the interpreter cannot be run, or does not end.
    """
    import subprocess
    from pathlib import Path

    command = Path(interpreter).absolute() if os.sep in interpreter else interpreter
    source = Path(__file__).with_name("_paddle_probe.py").read_text(encoding="utf-8")
    with log.open("wb") as output:
        try:
            return subprocess.run(  # noqa: S603 - the user names the interpreter
                [command, "-c", f"()\n{source}", str(answer)],  # () stops a shell
                cwd=answer.parent,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=_environment(),
                timeout=TIMEOUT,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:
            problem, advice = f"gave no answer in {TIMEOUT} s{_tail(_read(log))}", _by_hand(interpreter)
        except (OSError, ValueError) as error:
            if Path(interpreter).is_dir():
                problem, advice = "is a directory; expected a Python interpreter", "name the python in its bin"
            else:
                reason = getattr(error, "strerror", None) or str(error)
                problem, advice = f"cannot be run: {reason}", "check the name of the interpreter"
    raise InputError(f"{SCHEME}:{interpreter}", problem, advice=advice)


def _environment() -> dict[str, str]:
    """Return ours for another directory: what PYTHONPATH names in this one is still found, its empty entries move."""
    from pathlib import Path

    entries = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return os.environ | {"PYTHONPATH": os.pathsep.join(entry and str(Path(entry).absolute()) for entry in entries)}


def _is_answer(told: Any) -> bool:
    return (
        isinstance(told, dict)
        and told.keys() == _ANSWER.keys()
        and all(isinstance(told[key], kinds) for key, kinds in _ANSWER.items())
    )


def _failure(interpreter: str, text: str | None, status: int, output: str) -> InputError:
    """Return what kept the probe from answering; its answer is None before it starts, "" while it asks Paddle."""
    end, advice = f"{_ending(status)}{_tail(output)}", _by_hand(interpreter)
    told = _json(text)
    error = told.get("error") if isinstance(told, dict) else None
    if text is None and "SyntaxError" in output:
        problem, advice = "is a Python older than 3.6", _OTHER
    elif text is None:
        problem, advice = f"does not run as a Python interpreter: {end}", _OTHER
    elif not text:
        problem = f"died of importing Paddle: {end}"
    elif not isinstance(error, str):
        problem = f"gave a malformed answer: {end}"
    elif error == "ModuleNotFoundError: No module named 'paddle'":
        problem, advice = "has no Paddle", f"run `{interpreter} -m pip install paddlepaddle`, or {_OTHER}"
    elif "Descriptors cannot" in error + output:
        problem = "has a protobuf that is too new for its Paddle"
        advice = f"run `{interpreter} -m pip install 'protobuf<3.21'`"
    else:
        problem = f"has a Paddle that cannot be asked: {_line(error)[:_WORDS]}"
    return InputError(f"{SCHEME}:{interpreter}", problem, advice=advice)


def _json(text: str | None) -> Any:
    import json

    try:
        return json.loads(text or "null")
    except (ValueError, RecursionError):
        return None


def _by_hand(interpreter: str) -> str:
    return f"see what `{interpreter} -c 'import paddle'` says, or {_OTHER}"


def _ending(status: int) -> str:
    if status >= 0:
        return f"exit status {status}"
    import signal

    try:
        return f"killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"killed by signal {-status}"


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _tail(output: str) -> str:
    """Return the last lines of an output, to be put behind a message."""
    last = _line("\n".join(output.splitlines()[-5:]))[-_WORDS:]
    return f"; its last words: {last}" if last else ""


def _line(text: str) -> str:
    """Return a text on one line, and without what would steer a terminal."""
    lines = " | ".join(line.strip() for line in text.splitlines() if line.strip())
    return "".join(filter(str.isprintable, lines))
