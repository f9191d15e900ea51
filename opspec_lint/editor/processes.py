"""The processes that read: one for each task. It has what it needs imported when it starts, and can be ended any time.

What a check keeps in memory is gone with its process. What is worth keeping is in the cache on the disk.
"""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import os
import pickle
import signal
from struct import Struct

from opspec_lint.kit import library_folder
from opspec_lint.kit.errors import OpspecError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkServerContext

    from opspec_lint.editor.messages import Checked, Declared, Task

_PRELOADED = ["opspec_lint.editor.preloaded"]
_ADVICE = "the next change starts another one"
_SIZE = Struct("!Q")
"""How many bytes of an answer follow."""


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

    Raises:
        OpspecError: the process ended while it was started.
    """

    def __init__(self, task: Task) -> None:
        context = _context()
        self._pipe, there = context.Pipe(duplex=False)
        self._process = context.Process(target=_read, args=(there, task), daemon=True)
        self._is_ended = False
        try:
            self._process.start()
        except (EOFError, OSError) as error:
            self._pipe.close()
            told = f"the process that reads could not be started: {type(error).__name__}"
            raise OpspecError(told, advice=_ADVICE) from None
        finally:
            there.close()

    async def answers(self) -> AsyncIterator[Checked | Declared]:
        """Yield the answers as they come.

        Raises:
            OpspecError: the process ended before it had answered.
        """
        stream = asyncio.StreamReader()
        protocol = asyncio.StreamReaderProtocol(stream)
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, self._pipe)
        has_answered = False
        try:
            while True:
                (size,) = _SIZE.unpack(await stream.readexactly(_SIZE.size))
                yield pickle.loads(await stream.readexactly(size))  # noqa: S301 - of a process of our own
                has_answered = True
        except asyncio.IncompleteReadError:
            await asyncio.to_thread(self._process.join)
            if not has_answered and not self._is_ended:
                told = f"the process that reads ended with exit code {self._process.exitcode}"
                raise OpspecError(told, advice=_ADVICE) from None
        finally:
            transport.close()

    def end(self) -> None:
        """End the process, whatever it does."""
        if not self._is_ended:  # later on, another process may have its number
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
    with open(there.fileno(), "wb", closefd=False) as stream:
        for each in answers(task):
            data = pickle.dumps(each)
            stream.write(_SIZE.pack(len(data)) + data)
            stream.flush()
