"""The processes that read, one for each task, which can be ended at any time.

A process is forked with its imports done. Its memory is freed with it; the cache on the disk keeps what is worth
keeping.
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

    from opspec_lint.editor.messages import CheckResult, OpenDeclarations, Task

_PRELOADED = ["opspec_lint.editor.preloaded"]
_ADVICE = "the next change starts another one"
_SIZE = Struct("!Q")
"""The prefix of an answer: its number of bytes."""


def prepare() -> None:
    """Start the process from which the reading processes are forked; it does their imports."""
    from multiprocessing import forkserver

    _context().set_forkserver_preload(_PRELOADED)
    with library_folder.inside_library_folder():
        forkserver.ensure_running()


def _context() -> ForkServerContext:
    """Return the context that starts processes by a fork server."""
    # Not "fork": the server has threads, whose locks a forked process would inherit in any state.
    return multiprocessing.get_context("forkserver")


class ReadingProcess:
    """A process that runs one task.

    Args:
        task: the task.

    Raises:
        OpspecError: the process ended while it was started.
    """

    def __init__(self, task: Task) -> None:
        context = _context()
        self._pipe, write_end = context.Pipe(duplex=False)
        self._process = context.Process(target=_read, args=(write_end, task), daemon=True)
        self._is_ended = False
        try:
            self._process.start()
        except (EOFError, OSError) as error:
            self._pipe.close()
            message = f"the process that reads could not be started: {type(error).__name__}"
            raise OpspecError(message, advice=_ADVICE) from None
        finally:
            # The pipe ends with the process only if this process cannot write to it either.
            write_end.close()

    async def answers(self) -> AsyncIterator[CheckResult | OpenDeclarations]:
        """Yield the answers when they arrive.

        Raises:
            OpspecError: the process ended before it answered.
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
            # In a thread: the pipe may end before the process, and a wait would stop all other requests.
            await asyncio.to_thread(self._process.join)
            if not has_answered and not self._is_ended:
                message = f"the process that reads ended with exit code {self._process.exitcode}"
                raise OpspecError(message, advice=_ADVICE) from None
        finally:
            transport.close()

    def end(self) -> None:
        """Kill the process."""
        if not self._is_ended:  # a second kill could hit another process that got its number
            self._is_ended = True
            self._process.kill()


def _read(write_end: Connection, task: Task) -> None:
    """Run a task, in a separate process, and write the answers to a pipe."""
    from opspec_lint.editor.reading import answers

    # The process ends soon after its answers, so a collection would cost time and free nothing that matters.
    gc.disable()
    # Ctrl-C in the terminal of a server goes to its whole process group; the server ends this process itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with open(os.devnull, "wb") as nothing:
        os.dup2(nothing.fileno(), 1)  # descriptor 1 is the server's connection to the client
    os.chdir(task.request.folder)
    with open(write_end.fileno(), "wb", closefd=False) as stream:
        for answer in answers(task):
            data = pickle.dumps(answer)
            stream.write(_SIZE.pack(len(data)) + data)
            stream.flush()
