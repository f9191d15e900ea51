"""The errors about an interpreter that did not answer."""

from __future__ import annotations

from opspec_lint.kit.errors import InputError
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.interpreters.runner import Interpreter, Limits, ProcessResult

_MOST_OUTPUT = 500
"""Characters of another program's output that a message may hold."""
_NO_MEMORY = ("MemoryError", "bad_alloc", "ResourceExhausted", "out of memory", "Cannot allocate memory")


class Package(Record):
    """A framework that an interpreter must have: its title for people, its name for Python, its requirement for pip."""

    title: str
    name: str
    requirement: str


def import_error(
    interpreter: Interpreter, package: Package, ended: ProcessResult, limits: Limits, error: str | None
) -> InputError:
    """Return the error of a failed import; `error` is the exception, None if the import ended the process."""
    called, python = interpreter.called, interpreter.python
    if ended.limit:
        problem, advice = f"was stopped while importing {package.title}: {describe_ending(ended, limits)}", ""
    elif error is None:
        problem, advice = f"crashed while importing {package.title}: {describe_ending(ended, limits)}", ""
    elif error == f"ModuleNotFoundError: No module named '{package.name}'":
        advice = f"run `{python} -m pip install {package.requirement}`, or {interpreter.alternative}"
        problem = f"has no {package.title}"
    elif "Descriptors cannot" in error + ended.output:
        problem = f"has a protobuf that is too new for its {package.title}"
        advice = f"run `{python} -m pip install 'protobuf<3.21'`"
    elif is_no_memory(error):
        problem, advice = f"needs more than {limits.memory >> 20} MiB to import {package.title}", ""
    else:
        problem, advice = f"has a {package.title} that cannot be inspected: {single_line(error)[:_MOST_OUTPUT]}", ""
    return InputError(called, problem, advice=advice or manual_import_advice(interpreter, package))


def manual_import_advice(interpreter: Interpreter, package: Package) -> str:
    """Return the advice to import the package by hand, which shows the error."""
    return f"see what `{interpreter.python} -c 'import {package.name}'` says, or {interpreter.alternative}"


def describe_ending(ended: ProcessResult, limits: Limits) -> str:
    """Return the way in which a process ended, with its last output."""
    return f"{_reason(ended, limits)}{last_output(ended.output)}"


def _reason(ended: ProcessResult, limits: Limits) -> str:
    """Return the reason why a process ended: a limit, its exit status or a signal."""
    if ended.limit == "time":
        return f"no answer within {limits.seconds} s"
    if ended.limit == "output":
        return f"it printed {limits.file >> 20} MiB, the most that it may"
    if ended.limit == "space":
        return f"it wrote more than {limits.space >> 20} MiB to files"
    return f"exit status {ended.status}" if ended.status >= 0 else f"killed by {_signal(-ended.status)}"


def _signal(number: int) -> str:
    """Return the name of a signal."""
    import signal

    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def is_no_memory(text: str) -> bool:
    """Return True if a text is an error for lack of memory."""
    return any(text_of_error in text for text_of_error in _NO_MEMORY)


def last_output(output: str) -> str:
    """Return the last lines of an output, for the end of a message."""
    last = single_line("\n".join(output.splitlines()[-5:]))[-_MOST_OUTPUT:]
    return f"; its last output: {last}" if last else ""


def single_line(text: str) -> str:
    """Return a text on one line, without characters that control a terminal."""
    lines = " | ".join(line.strip() for line in text.splitlines() if line.strip())
    return "".join(filter(str.isprintable, lines))
