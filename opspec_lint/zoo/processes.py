"""Processes of this machine that audit batches. Each is started anew, so that it has nothing of its parent."""

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
"""Seconds without rows after which the processes are looked at: are they alive?"""
_END = 2.0
"""Seconds that a pool has to end by itself when its processes are gone."""
_setups: list[Setup] = []
"""In such a process, what is the same for all models."""


class Processes:
    """A pool of processes, which ends when one of them dies.

    The executor alone does not notice the death of a process that was just sending rows: it waits for the rest of them.

    Args:
        jobs: the number of processes.
        setup: what is the same for all models.
    """

    def __init__(self, jobs: int, setup: Setup) -> None:
        context = multiprocessing.get_context("spawn")
        begin = setup, os.getcwd()
        with library_folder.entered():
            self._executor = ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin, initargs=begin)

    def submit(self, batch: Batch) -> Future[list[Row]]:
        """Have a batch audited."""
        try:
            with _interrupt_held(), library_folder.entered():
                return self._executor.submit(_audited, batch)
        except (BrokenProcessPool, OSError) as error:  # a process died before it, or while it was started
            failed: Future[list[Row]] = Future()
            failed.set_exception(BrokenProcessPool(str(error)))
            return failed

    def done(self, running: Collection[Future[list[Row]]]) -> Collection[Future[list[Row]]]:
        """Wait for batches, and return those that are done: all of them if a process died."""
        while True:
            has_dead = bool(connection.wait([each.sentinel for each in self._processes()], 0))
            done = wait(running, timeout=_LOOK, return_when=FIRST_COMPLETED).done
            if done or has_dead:
                return done or running

    def end(self) -> None:
        """End the processes, whatever they do."""
        executor: Any = self._executor
        processes = self._processes()
        manager, results = executor._executor_manager_thread, executor._result_queue  # noqa: SLF001 - gone at its end
        executor.shutdown(wait=False, cancel_futures=True)
        for each in processes:
            with suppress(OSError, ValueError):
                each.kill()
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


def alone(setup: Setup, batch: Batch) -> list[Row] | None:
    """Return the rows of a batch that is audited in a process of its own; None if that died."""
    processes = Processes(1, setup)
    try:
        return next(map(rows_of, processes.done([processes.submit(batch)])))
    finally:
        processes.end()


@contextmanager
def _interrupt_held() -> Iterator[None]:
    """Hold the interrupt of a terminal back: a process that is started meanwhile never gets it, its parent does."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(setup: Setup, folder: str) -> None:
    """Prepare a process, which goes to the folder of its parent."""
    _setups[:] = [setup]
    os.chdir(folder)


def _audited(batch: Batch) -> list[Row]:
    """Return the rows of a batch; runs in a process of a pool."""
    gc.disable()
    rows = worker.audited(_setups[0], batch)
    gc.collect()
    gc.freeze()  # specs and what is kept of them stay; they need not be looked through again
    return rows
