"""Processes of this machine that audit batches; each starts as a new interpreter, without state of its parent."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
from concurrent import futures
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import connection
from typing import Any

from opspec_lint.kit import library_folder
from opspec_lint.zoo import worker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from opspec_lint.zoo.work import Batch, Row, Setup

_LOOK = 2.0
"""Seconds without rows after which the processes are checked for being alive."""
_END = 2.0
"""Seconds that a pool gets to end by itself after its processes were killed."""
_setups: list[Setup] = []
"""The setup of the audit, in a worker process; empty in the parent."""


class Processes:
    """A pool of processes, which ends when one of them dies.

    The executor alone does not notice the death of a process that was sending rows at that moment: it waits for the
    rest of the rows forever.
    """

    def __init__(self, jobs: int, setup: Setup) -> None:
        context = multiprocessing.get_context("spawn")
        begin = setup, os.getcwd()
        with library_folder.inside_library_folder():
            self._executor = ProcessPoolExecutor(
                jobs, mp_context=context, initializer=_initialize_worker, initargs=begin
            )

    def submit(self, batch: Batch) -> Future[list[Row]]:
        """Submit a batch, and return the future of its rows."""
        try:
            with _interrupt_blocked(), library_folder.inside_library_folder():
                return self._executor.submit(_audit_in_worker, batch)
        except (BrokenProcessPool, OSError) as error:  # a process died before it, or while it was started
            failed: Future[list[Row]] = Future()
            failed.set_exception(BrokenProcessPool(str(error)))
            return failed

    def wait_for_batches(self, running: Collection[Future[list[Row]]]) -> Collection[Future[list[Row]]]:
        """Wait until batches are done, and return their futures; all of `running` if a process died."""
        while True:
            # The order matters: a process that dies after this look is noticed in the next round, after _LOOK seconds.
            has_dead = bool(connection.wait([process.sentinel for process in self._processes()], 0))
            done = wait(running, timeout=_LOOK, return_when=FIRST_COMPLETED).done
            if done or has_dead:
                return done or running

    def end(self) -> None:
        """Kill the processes, and end the executor and its threads."""
        executor: Any = self._executor
        processes = self._processes()
        manager, results = executor._executor_manager_thread, executor._result_queue  # noqa: SLF001 - gone at its end
        executor.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            with suppress(OSError, ValueError):
                process.kill()
        if manager is not None:
            manager.join(_END)
            if manager.is_alive():  # it waits for the rest of what a process was sending
                results._writer.close()  # noqa: SLF001 - now that has an end
                manager.join(_END)

    def _processes(self) -> list[multiprocessing.Process]:
        executor: Any = self._executor
        return list((executor._processes or {}).values())  # noqa: SLF001 - they have no other name


def rows_of(future: Future[list[Row]]) -> list[Row] | None:
    """Return the rows of a batch that is done; None if its process died."""
    try:
        return future.result(timeout=0)
    except (BrokenProcessPool, CancelledError, futures.TimeoutError):
        return None


def audit_in_new_process(setup: Setup, batch: Batch) -> list[Row] | None:
    """Audit a batch in a new process, and return its rows; None if the process died."""
    processes = Processes(1, setup)
    try:
        return next(map(rows_of, processes.wait_for_batches([processes.submit(batch)])))
    finally:
        processes.end()


@contextmanager
def _interrupt_blocked() -> Iterator[None]:
    """Block SIGINT within: a process started meanwhile inherits the mask, so only its parent reacts to Ctrl-C."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _initialize_worker(setup: Setup, folder: str) -> None:
    """Prepare a worker process: keep the setup, and change to the folder of the parent."""
    _setups[:] = [setup]
    os.chdir(folder)


def _audit_in_worker(batch: Batch) -> list[Row]:
    """Return the rows of a batch; runs in a worker process."""
    # Reading a model makes many objects and hardly any cycles: collections during the batch would only cost time.
    gc.disable()
    rows = worker.audit_batch(_setups[0], batch)
    gc.collect()
    gc.freeze()  # specs and their caches live until the end; later collections need not traverse them
    return rows
