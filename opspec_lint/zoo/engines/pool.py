"""A pool of processes of this machine: the engine that needs nothing else."""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, CancelledError, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice

from opspec_lint.zoo import processes
from opspec_lint.zoo.engine import Engine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from concurrent.futures import Future, ProcessPoolExecutor

    from opspec_lint.zoo.work import Batch, Row, Setup

_AHEAD = 2
"""Batches that are in the pool for each process: one in work, and the next."""


class Pool:
    """A pool of processes.

    Args:
        setup: what is the same for all models.
        jobs: the number of processes.
    """

    def __init__(self, setup: Setup, jobs: int, _: str | None = None) -> None:
        self._setup = setup
        self._jobs = jobs
        self._executor: ProcessPoolExecutor | None = None

    def run(self, batches: Iterable[Batch]) -> Iterator[tuple[Batch, list[Row] | None]]:
        """Audit batches; when a process dies, all those that are in the pool are yielded with None."""
        left = iter(batches)
        running: dict[Future[list[Row]], Batch] = {}
        while True:
            for batch in islice(left, _AHEAD * self._jobs - len(running)):
                future = self._submitted(batch)
                if future is None:
                    yield batch, None
                else:
                    running[future] = batch
            if not running:
                return
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for each in done:
                yield running.pop(each), self._result(each)

    def close(self) -> None:
        """End the processes."""
        if self._executor is not None:
            processes.ended(self._executor)
            self._executor = None

    def _submitted(self, batch: Batch) -> Future[list[Row]] | None:
        if self._executor is None:
            self._executor = processes.started(self._jobs, self._setup)
        try:
            return self._executor.submit(processes.audited, batch)
        except BrokenProcessPool:
            self.close()
            return None

    def _result(self, future: Future[list[Row]]) -> list[Row] | None:
        try:
            return future.result()
        except (BrokenProcessPool, CancelledError):
            self.close()
            return None


ENGINE = Engine(summary="processes of this machine", start=Pool)
