"""Measurement of a process and its children: processor time, peak memory, instructions, imported modules."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import IO

_SUCCESSES = (0, 1)
"""Exit codes of a command that did its work; 1 says that it found something."""
_COUNT = re.compile(r"I\s+refs:\s+([\d,]+)")
_MODULES = """\
import os, sys
target, script, *rest = sys.argv[1:]
before = set(sys.modules)
def record():
    found = sorted(set(sys.modules) - before)
    with open(target, "w") as stream:
        stream.write(repr(found).replace("'", '"'))
def leave(code, leave=os._exit):
    record()
    sys.stdout.flush()
    leave(code)
os._exit = leave
sys.argv, sys.path[0] = [script, *rest], os.path.dirname(script)
try:
    exec(compile(open(script).read(), script, "exec"), {"__name__": "__main__"})
finally:
    record()
"""
"""Runs a Python script and writes which modules it imports; the program may end without Python's clean-up."""


_LAUNCHER = """\
import os, sys
silent = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=silent)
_, status, usage = os.wait4(child, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
"""
"""Starts a command and prints its exit code and cost.

The kernel counts the peak memory of a process from that of the process that started it, so a small one has to.
"""


class FailedError(Exception):
    """A measured command that failed."""


@dataclass(frozen=True)
class Cost:
    """Cost of one run: user and system time in seconds, and peak memory in KiB, of the largest of its processes."""

    seconds: float
    memory: int


def measure(command: Sequence[str], folder: str, environment: Mapping[str, str]) -> Cost:
    """Run a command and return its cost.

    Raises:
        FailedError: the command failed.
    """
    launcher = [sys.executable, "-I", "-S", "-c", _LAUNCHER, *_resolved(command, environment)]
    with tempfile.TemporaryFile() as errors:
        launched = subprocess.run(
            launcher,
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            check=True,
        )
        code, seconds, memory = launched.stdout.split()
        _require_success(command, int(code), errors)
    return Cost(float(seconds), int(memory))


def imported_modules(command: Sequence[str], folder: str, environment: Mapping[str, str]) -> list[str] | None:
    """Return the names of the modules that a Python script imports; None if the command is no such script.

    Raises:
        FailedError: the command failed.
    """
    arguments = list(command)
    if arguments[0] == "python":
        del arguments[0]
    if arguments[0].startswith("-"):
        return None
    script = shutil.which(arguments[0], path=environment["PATH"]) or arguments[0]
    if command[0] != "python" and not _is_python_script(script):
        return None
    with tempfile.TemporaryDirectory() as temporary:
        target = Path(temporary, "modules.json")
        run(["python", "-c", _MODULES, str(target), script, *arguments[1:]], folder, environment)
        modules: list[str] = json.loads(target.read_text())
        return modules


def _is_python_script(path: str) -> bool:
    with open(path, "rb") as stream:
        line = stream.readline()
    return line.startswith(b"#!") and b"python" in line


@cache
def counter() -> str:
    """Return the tool that counts instructions here: `perf`, `valgrind`, or an empty text."""
    try:
        if shutil.which("perf") and _count_with_perf(["true"], "/", os.environ):
            return "perf"
    except FailedError:
        pass  # the kernel forbids it
    return "valgrind" if shutil.which("valgrind") else ""


def count_instructions(command: Sequence[str], folder: str, environment: Mapping[str, str]) -> int | None:
    """Return how many instructions a command and the processes that it starts execute; None if nothing counts them.

    Raises:
        FailedError: the command failed.
    """
    if counter() == "perf":
        return _count_with_perf(command, folder, environment)
    return _count_with_valgrind(command, folder, environment) if counter() else None


def _count_with_perf(command: Sequence[str], folder: str, environment: Mapping[str, str]) -> int | None:
    with tempfile.TemporaryDirectory() as temporary:
        target = Path(temporary, "counts")
        perf = ["perf", "stat", "--field-separator=,", "--event=instructions:u", f"--output={target}", "--"]
        run([*perf, *command], folder, environment)
        numbers = [line.partition(",")[0] for line in target.read_text().splitlines() if "instructions" in line]
        return int(numbers[0]) if numbers and numbers[0].isdigit() else None


def _count_with_valgrind(command: Sequence[str], folder: str, environment: Mapping[str, str]) -> int:
    """Count with cachegrind: as exact as callgrind without its call graph, in less than half of the time."""
    with tempfile.TemporaryDirectory() as temporary:
        valgrind = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
        run([*valgrind, "--trace-children=yes", f"--log-file={temporary}/%p", *command], folder, environment)
        logs = [path.read_text(errors="replace") for path in Path(temporary).iterdir()]
        return sum(int(match[1].replace(",", "")) for log in logs for match in _COUNT.finditer(log))


def run(command: Sequence[str], folder: str, environment: Mapping[str, str]) -> None:
    """Run a command.

    Raises:
        FailedError: the command failed.
    """
    with tempfile.TemporaryFile() as errors:
        done = subprocess.run(
            _resolved(command, environment),
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            check=False,
        )
        _require_success(command, done.returncode, errors)


def _resolved(command: Sequence[str], environment: Mapping[str, str]) -> list[str]:
    program = shutil.which(command[0], path=environment["PATH"])
    if program is None:
        raise FailedError(f"there is no program '{command[0]}'")
    return [program, *command[1:]]


def _require_success(command: Sequence[str], code: int, errors: IO[bytes]) -> None:
    errors.seek(0)
    text = errors.read().decode(errors="replace").strip()
    # A traceback ends a Python with 1 as well.
    if code not in _SUCCESSES or (code and "Traceback (most recent call last)" in text):
        reason = text.rpartition("\n")[2]
        raise FailedError(f"`{command[0]}` ended with {code}{f': {reason}' if reason else ''}")
