"""The program that an interpreter with a framework executes: it loads or runs models, and reports each outcome.

It needs Python 3.6 and its standard library only. The text of a prover precedes it, and defines `start` (imports the
framework, returns its version) and `load`, `run` or `load_path`. `main` takes two files: the answer to write, and the
task, as JSON: {"step", "models": [[number, path]], "import_seconds", "seconds", "memory"}. The answer is one line of
JSON before and one after each model.

Models are loaded one after the other in this process. If a model kills it, the caller sees from the last line which
one. Kernels crash often, so each model is run in a fork.
"""

import json
import os
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    Step: TypeAlias = Callable[[Any], dict[str, str]]

STEPS = ("load", "run", "load_path", "run_path")
"""The functions that a probe may define."""
LONGEST_ERROR = 2000
"""Characters of an error that are kept, from its end."""


def main(start: "Callable[[], str]", steps: "dict[str, Step]", file: str, task: str) -> None:
    """Load or run the models of the task file `task`, and append the outcomes to `file`."""
    with open(task, encoding="utf-8") as stream:
        request = json.load(stream)
    with open(file, "a", encoding="utf-8") as answer:

        def write_line(**fields: "Any") -> None:
            answer.write(json.dumps(fields) + "\n")
            answer.flush()  # the next model may kill the process

        alarm(request["import_seconds"])
        try:
            write_line(version=start())
        except BaseException as error:  # an import may raise SystemExit
            write_line(problem=error_text(error))
            return
        # After the import: the limit is for models, and the import of a framework takes an unknown amount.
        limit_memory(used() + request["memory"])
        for number, path in request["models"]:
            write_line(trying=number)
            alarm(request["seconds"])
            step, is_by_path = steps[request["step"]], request["step"].endswith("_path")
            if request["step"].startswith("run") and hasattr(os, "fork"):
                write_line(number=number, **in_fork(step, path, request["seconds"], is_by_path=is_by_path))
            else:
                write_line(number=number, **outcome(step, path, is_by_path=is_by_path))
        alarm(0)
        write_line(done=True)


def in_fork(step: "Step", path: str, seconds: int, is_by_path: bool = False) -> "dict[str, Any]":
    """Return the outcome of one model in a fork of this process, which the model may kill."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        alarm(seconds)
        try:
            result = outcome(step, path, is_by_path)
        except MemoryError as error:
            result = {"error": error_text(error)}
        try:
            with os.fdopen(writing, "w", encoding="utf-8") as stream:
                json.dump(result, stream)
        finally:
            # The child must not return into the loop of its parent, nor run the exit handlers of the framework.
            os._exit(0)
    # The child has an alarm of the same length; that of this process would end all further models too.
    alarm(0)
    # The pipe ends only when no process can write to it any more.
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as stream:
        # Before the wait: a child that has filled the pipe waits for its reader, and would never end.
        text = stream.read()
    _, status = os.waitpid(child, 0)
    # As `subprocess` does: a negative signal number, or the exit code (os.waitstatus_to_exitcode is of Python 3.9).
    ended = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    return json.loads(text) if text and not ended else {"ended": ended}


def outcome(step: "Step", path: str, is_by_path: bool = False) -> "dict[str, Any]":
    """Return {"attrs": values of its attrs, or its results} or {"error": text} for one model."""
    argument = path if is_by_path else content(path)
    try:
        return {"attrs": step(argument)}
    # The process has reached its limit, so each further model would fail as well: the caller starts a new one.
    except MemoryError:
        raise
    except BaseException as error:
        return {"error": error_text(error)}


def content(path: str) -> bytes:
    """Return the bytes of a model."""
    with open(path, "rb") as stream:
        return stream.read()


def error_text(error: BaseException) -> str:
    """Return the class and the end of the message of an error."""
    return f"{type(error).__name__}: {str(error)[-LONGEST_ERROR:]}"


def alarm(seconds: int) -> None:
    """Let the system end this process after some seconds, whatever it executes then; 0 cancels."""
    # The default action, not a Python handler: a handler does not run while C++ code of a kernel hangs.
    if hasattr(signal, "alarm"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(seconds)


def limit_memory(most: int) -> None:
    """Limit the bytes that this process may allocate, if the system supports it."""
    try:
        import resource

        # RLIMIT_DATA, as frameworks map much address space that they never use, which RLIMIT_AS would count.
        # A process without privileges cannot raise its hard limit, and setting a higher one is an error.
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    except (ImportError, AttributeError, ValueError, OSError):
        pass


def used() -> int:
    """Return the bytes of data and stack of this process, 0 if unknown."""
    try:
        import resource

        with open("/proc/self/statm", encoding="ascii") as stream:
            # The sixth field of statm has data and stack, in pages (proc(5)).
            return int(stream.read().split()[5]) * resource.getpagesize()
    except (ImportError, OSError, ValueError):
        return 0


if __name__ == "__main__":
    offered = {name: step for name, step in globals().items() if name in STEPS}
    main(start, offered, sys.argv[1], sys.argv[2])  # type: ignore[name-defined]  # noqa: F821 - it stands before
