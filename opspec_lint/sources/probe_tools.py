"""Functions for probes: this text precedes the text of each probe, in the interpreter that has the framework.

They need only Python 3.6 and its standard library.
"""

import json
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any


def in_children(function: "Callable[[Any], Any]", items: "Iterable[Any]") -> "list[Any]":
    """Return the result of a function for each item, None for an item that ends the process, or raises an error.

    A framework may crash on a call. So a child process calls the function for one item after the other, and
    behind an item that ends it the next child goes on. Results have to be JSON. Where there is no fork, as on Windows,
    this process calls the function, and a crash ends the probe.
    """
    if not hasattr(os, "fork"):
        return [_result_or_none(function, item) for item in items]
    every = list(items)
    results = []  # type: list[Any]
    while len(results) < len(every):
        read, write = os.pipe()
        child = os.fork()
        if not child:
            _run_child(function, every[len(results) :], write)
        # The pipe ends for the reader only when no process holds its write end.
        os.close(write)
        with open(read, "rb") as stream:
            results += [json.loads(line.decode()) for line in stream if line.endswith(b"\n")]
        os.waitpid(child, 0)
        if len(results) < len(every):
            results.append(None)
    return results


def accepts(function: "Callable[..., Any]", *arguments: "Any") -> bool:
    """Return True if a function of a framework takes arguments without a RuntimeError."""
    try:
        function(*arguments)
    except RuntimeError:
        return False
    return True


def input_records(taken: "list[bool | None]") -> "list[dict[str, Any]]":
    """Return the records of the inputs of an op whose nodes name no inputs, called by their places.

    `taken` says for each number of inputs, from 0 to the largest that was tried, whether the framework takes it. An
    op that takes the largest takes any number. Where it takes none, the number of its inputs is unknown.
    """
    counts = [count for count, is_taken in enumerate(taken) if is_taken]
    if not counts:
        return [{"name": "0", "unknown": ["dispensable", "duplicable"]}]
    least, most = counts[0], counts[-1]
    takes_any = most == len(taken) - 1
    number = max(least, 1) if takes_any else most
    records = [{"name": str(place), "dispensable": place >= least} for place in range(number)]  # type: list[Any]
    if takes_any:
        records[-1]["duplicable"] = True
    return records


def _run_child(function: "Callable[[Any], Any]", items: "list[Any]", write: int) -> None:
    """Write the result for each item to a pipe, a line of JSON each, and end the process."""
    try:
        for number in (1, 2):  # a crash prints messages
            os.dup2(os.open(os.devnull, os.O_WRONLY), number)
        with open(write, "wb") as stream:
            for item in items:
                stream.write(json.dumps(_result_or_none(function, item)).encode() + b"\n")
                stream.flush()  # the next item may end the process
    finally:
        # sys.exit() would run the exit handlers of the framework, and flush buffers that the parent has as well.
        os._exit(0)


def _result_or_none(function: "Callable[[Any], Any]", item: "Any") -> "Any":
    try:
        return function(item)
    except Exception:  # a framework may refuse in any way
        return None
