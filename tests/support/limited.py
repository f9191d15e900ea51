"""Calls of functions in a separate process with a limit of time and memory."""

from __future__ import annotations

import gc
import os
import pickle
import resource
import signal
import time
import traceback
from contextlib import contextmanager

from tests.support.forking import fork
from tests.support.patience import PATIENCE

SECONDS = 10
MEMORY = 1 << 30
"""Bytes that may be allocated in addition to the memory of this process."""


class Outcome:
    """The outcome of a call: its value if it returned, else the description of its failure."""

    def __init__(self, value=None, failure=""):
        self.value = value
        self.failure = failure


@contextmanager
def processor_time(seconds=SECONDS):
    """Make sure that this process does some work within some seconds of processor time."""
    begin = time.process_time()
    yield
    assert time.process_time() - begin < seconds


def call(function, *arguments, seconds=SECONDS, memory=MEMORY):
    """Call a function in a fork of this process, which is ended at its limits, and return the outcome.

    The limit of time counts processor time. The function must return plain data.
    """
    reading, writing = os.pipe()
    child = fork()
    if not child:
        os.close(reading)
        _run(writing, function, arguments, seconds, memory)
    os.close(writing)
    is_hung = False

    def end_child(*_):
        nonlocal is_hung
        is_hung = True
        os.kill(child, signal.SIGKILL)

    before = signal.signal(signal.SIGALRM, end_child)
    signal.alarm(PATIENCE)
    try:
        with os.fdopen(reading, "rb") as stream:
            data = stream.read()
        _, status = os.waitpid(child, 0)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    if data:
        return Outcome(*pickle.loads(data))  # noqa: S301 - our own process wrote it
    if is_hung:
        return Outcome(failure="it hangs")
    is_late = -os.waitstatus_to_exitcode(status) in (signal.SIGXCPU, signal.SIGKILL)
    return Outcome(failure=f"it takes more than {seconds} s" if is_late else f"it ended with {status}")


def _held():
    """Return the address space of this process in bytes, which is large in a worker that has run many tests."""
    with open("/proc/self/statm", encoding="ascii") as stream:
        return int(stream.read().split()[0]) * resource.getpagesize()


def _run(writing, function, arguments, seconds, memory):
    """Be the child: never return."""
    gc.freeze()  # a collection would touch, and so copy, all memory of the parent
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (_held() + memory,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        outcome = (function(*arguments), "")
    except MemoryError:
        outcome = (None, f"it takes more than {memory >> 20} MiB")
    except BaseException:
        outcome = (None, traceback.format_exc())
    try:
        with os.fdopen(writing, "wb") as stream:
            pickle.dump(outcome, stream)
    finally:
        os._exit(0)
