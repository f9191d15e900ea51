"""Loads or runs models, and writes down what became of each: the part of a trial that is executed elsewhere.

Python 3.6 or later, and its standard library. A prover's own text stands before it, which says how to `start` a
framework, how to `load` a model, and perhaps how to `run` one; or how to `load_path`, for a model that is loaded from
where it is. `main` takes the file for the answer, and that of the task, as JSON: {"step", "models": [[number, path]],
"import_seconds", "seconds", "memory"}. The answer is a line of JSON before and after each model.

Models are loaded one after the other, and nothing that one does to the process is caught here: who started it reads
from the answer where it ended. Kernels crash often, so each model is run in a fork of the process.
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

MOST = 2000
"""Characters of an error, from its end."""


def main(start: "Callable[[], str]", steps: "dict[str, Step]", file: str, task: str) -> None:
    """Load or run the models of a task, and write what becomes of them to a file."""
    with open(task, encoding="utf-8") as stream:
        asked = json.load(stream)
    with open(file, "a", encoding="utf-8") as answer:

        def say(**words: "Any") -> None:
            answer.write(json.dumps(words) + "\n")
            answer.flush()

        alarm(asked["import_seconds"])
        try:
            say(version=start())
        except BaseException as error:  # an import can end in SystemExit too
            say(problem=words_of(error))
            return
        limit_memory(used() + asked["memory"])
        for number, path in asked["models"]:
            say(trying=number)
            alarm(asked["seconds"])
            if asked["step"] == "run" and hasattr(os, "fork"):
                say(number=number, **apart(steps["run"], path, asked["seconds"]))
            else:
                say(number=number, **outcome(steps[asked["step"]], path, is_by_path=asked["step"] == "load_path"))
        alarm(0)
        say(done=True)


def apart(step: "Step", path: str, seconds: int) -> "dict[str, Any]":
    """Return the outcome of one model in a fork of this process, which it may end."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        alarm(seconds)
        try:
            told = outcome(step, path)
        except MemoryError as error:
            told = {"error": words_of(error)}
        try:
            with os.fdopen(writing, "w", encoding="utf-8") as stream:
                json.dump(told, stream)
        finally:
            os._exit(0)
    alarm(0)  # that of the child ends it
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as stream:
        text = stream.read()
    status = os.waitpid(child, 0)[1]
    ended = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    return json.loads(text) if text and not ended else {"ended": ended}


def outcome(step: "Step", path: str, is_by_path: bool = False) -> "dict[str, Any]":
    """Return the outcome of one model: the values of its attrs or its results, or the error."""
    argument = path if is_by_path else content(path)
    try:
        return {"attrs": step(argument)}
    except MemoryError:
        raise
    except BaseException as error:
        return {"error": words_of(error)}


def content(path: str) -> bytes:
    """Return the bytes of a model."""
    with open(path, "rb") as stream:
        return stream.read()


def words_of(error: BaseException) -> str:
    """Return an error as text, not too long."""
    return f"{type(error).__name__}: {str(error)[-MOST:]}"


def alarm(seconds: int) -> None:
    """Have the system end this process after some seconds, whatever it does then; 0 is never."""
    if hasattr(signal, "alarm"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(seconds)


def limit_memory(most: int) -> None:
    """Limit the bytes that this process may allocate, where the system can."""
    try:
        import resource

        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        resource.setrlimit(resource.RLIMIT_DATA, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    except (ImportError, AttributeError, ValueError, OSError):
        pass


def used() -> int:
    """Return the bytes that this process has allocated, 0 where the system does not tell."""
    try:
        import resource

        with open("/proc/self/statm", encoding="ascii") as stream:
            return int(stream.read().split()[5]) * resource.getpagesize()
    except (ImportError, OSError, ValueError):
        return 0


if __name__ == "__main__":
    offered = {name: step for name, step in globals().items() if name in ("load", "run", "load_path")}
    main(start, offered, sys.argv[1], sys.argv[2])  # type: ignore[name-defined]  # noqa: F821 - it stands before
