"""Loads models, one after the other, and writes down what became of each: the part of a trial that runs elsewhere.

Python 3.6 or later, and its standard library. A prover's own text stands behind it, which says how to `start` a
framework and how to `load` a model. `main` takes the file of the task, as JSON: {"answer", "models": [[number, path]],
"seconds", "memory"}. The answer is a line of JSON before and after each model. Nothing that a model does to the process
is caught here: who started it reads from the answer where it ended.
"""

import json
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

START = 600
"""Seconds that a framework may take to be imported."""
MOST = 2000
"""Characters of an error, from its end."""
FILE = 1 << 28
"""Bytes of a file that may be written, which a log is too."""


def main(start: "Callable[[], str]", load: "Callable[[bytes], dict[str, str]]", task: str) -> None:
    """Load the models of a task."""
    with open(task, encoding="utf-8") as stream:
        asked = json.load(stream)
    with open(asked["answer"], "a", encoding="utf-8") as answer:

        def say(**words: "Any") -> None:
            answer.write(json.dumps(words) + "\n")
            answer.flush()

        alarm(START)
        limit("RLIMIT_CORE", 0)
        limit("RLIMIT_FSIZE", FILE)
        try:
            say(version=start())
        except BaseException as error:  # an import can end in SystemExit too
            say(problem=words_of(error))
            return
        limit("RLIMIT_AS", used() + asked["memory"])
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


def limit(name: str, most: int) -> None:
    """Limit what this process may take, where the system can."""
    try:
        import resource

        number = getattr(resource, name)
        hard = resource.getrlimit(number)[1]
        resource.setrlimit(number, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    except (ImportError, AttributeError, ValueError, OSError):
        pass


def used() -> int:
    """Return the bytes of address space that this process has, 0 where the system does not tell."""
    try:
        import resource

        with open("/proc/self/statm", encoding="ascii") as stream:
            return int(stream.read().split()[0]) * resource.getpagesize()
    except (ImportError, OSError, ValueError):
        return 0


if __name__ == "__main__":
    main(start, load, sys.argv[1])  # type: ignore[name-defined]  # noqa: F821 - the prover's text stands before it
