"""The processes that read: one for each task. It has what it needs imported when it starts, and can be ended any time.

What a check keeps in memory is gone with its process. What is worth keeping is in the cache on the disk.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal

from opspec_lint.kit import library_folder
from opspec_lint.kit.errors import OpspecError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkServerContext

    from opspec_lint.editor.messages import Checked, Declared, Task

_PRELOADED = ["opspec_lint.editor.preloaded"]


def prepare() -> None:
    """Start the process from which those that read are forked; it imports what they need."""
    from multiprocessing import forkserver

    _context().set_forkserver_preload(_PRELOADED)
    with library_folder.entered():
        forkserver.ensure_running()


def _context() -> ForkServerContext:
    return multiprocessing.get_context("forkserver")


class Reader:
    """A process that does one task.

    Args:
        task: the task.
    """

    def __init__(self, task: Task) -> None:
        context = _context()
        self._answers, there = context.Pipe(duplex=False)
        self._process = context.Process(target=_read, args=(there, task), daemon=True)
        self._has_answered = self._is_ended = False
        self._process.start()
        there.close()

    def next(self) -> Checked | Declared | None:
        """Return the next answer when it comes, None after the last one.

        Raises:
            OpspecError: the process ended before it had answered.
        """
        try:
            answer: Checked | Declared = self._answers.recv()
        except (EOFError, OSError):
            self._answers.close()
            self._process.join()
            if self._has_answered or self._is_ended:
                return None
            told = f"the process that reads ended with exit code {self._process.exitcode}"
            raise OpspecError(told, advice="the next change starts another one") from None
        self._has_answered = True
        return answer

    def end(self) -> None:
        """End the process, whatever it does."""
        self._is_ended = True
        self._process.kill()


def _read(there: Connection, task: Task) -> None:
    """Do a task; runs in a process of its own."""
    from opspec_lint.editor.reading import answers

    gc.disable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with open(os.devnull, "wb") as nothing:
        os.dup2(nothing.fileno(), 1)  # which is the server's connection with the client
    os.chdir(task.request.folder)
    for each in answers(task):
        there.send(each)
