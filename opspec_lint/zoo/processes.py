"""Processes of this machine that audit batches. Each is started anew, so that it has nothing of its parent."""

from __future__ import annotations

import gc
import multiprocessing
import signal
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress

from opspec_lint.zoo import worker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.zoo.work import Batch, Row, Setup

_setups: list[Setup] = []
"""In such a process, what is the same for all models."""


def started(jobs: int, setup: Setup) -> ProcessPoolExecutor:
    """Return a pool of processes that `audited` runs in."""
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin, initargs=(setup,))


def ended(executor: ProcessPoolExecutor) -> None:
    """End the processes of a pool, whatever they do."""
    processes = list((executor._processes or {}).values())  # noqa: SLF001 - it has no other name before 3.14
    executor.shutdown(wait=False, cancel_futures=True)
    for each in processes:
        with suppress(OSError, ValueError):
            each.kill()
    for each in processes:
        with suppress(OSError, ValueError, AssertionError):
            each.join(5)


def audited(batch: Batch) -> list[Row]:
    """Return the rows of a batch; runs in a process of a pool."""
    gc.disable()
    rows = worker.audited(_setups[0], batch)
    gc.collect()
    gc.freeze()  # specs and what is kept of them stay; they need not be looked through again
    return rows


def alone(setup: Setup, batch: Batch) -> list[Row] | None:
    """Return the rows of a batch that is audited in a process of its own; None if that died."""
    executor = started(1, setup)
    try:
        return executor.submit(audited, batch).result()
    except BrokenProcessPool:
        return None
    finally:
        ended(executor)


def _begin(setup: Setup) -> None:
    """Prepare a process: the interrupt of a terminal is for its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _setups[:] = [setup]
