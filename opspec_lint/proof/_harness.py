"""Loads models, one after the other, and writes down what became of each: the part of a trial that runs elsewhere.

Python 3.6 or later, and its standard library. A prover's own text stands before it, which says how to `start` a
framework and how to `load` a model. `main` takes the file for the answer, and that of the task, as JSON: {"models":
[[number, path]], "import_seconds", "seconds", "memory"}. The answer is a line of JSON before and after each model.
Nothing that a model does to the process is caught here: who started it reads from the answer where it ended.
"""

import json
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MOST = 2000
"""Characters of an error, from its end."""


def main(start: "Callable[[], str]", load: "Callable[[bytes], dict[str, str]]", file: str, task: str) -> None:
    """Load the models of a task, and write what becomes of them to a file."""
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
            say(number=number, **loaded(load, path))
        alarm(0)
        say(done=True)


def loaded(load: "Callable[[bytes], dict[str, str]]", path: str) -> "dict[str, Any]":
    """Return what becomes of one model: the values of its attrs, or what the loader said."""
    with open(path, "rb") as stream:
        data = stream.read()
    try:
        return {"attrs": load(data)}
    except MemoryError:
        raise
    except BaseException as error:
        return {"error": words_of(error)}


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
    main(start, load, sys.argv[1], sys.argv[2])  # type: ignore[name-defined]  # noqa: F821 - the prover's text stands before it
