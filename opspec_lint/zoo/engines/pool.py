"""The default engine: a pool of processes on this machine."""

from __future__ import annotations

from itertools import islice

from opspec_lint.zoo.engine import Engine
from opspec_lint.zoo.processes import Processes, rows_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from concurrent.futures import Future

    from opspec_lint.zoo.work import Batch, Row, Setup

_AHEAD = 2
"""Batches that are in the pool for each process: one that is audited, and the next."""


class Pool:
    """A pool of `jobs` processes, which is started anew after a process died."""

    def __init__(self, setup: Setup, jobs: int, _: str | None = None) -> None:
        self._setup = setup
        self._jobs = jobs
        self._processes: Processes | None = None

    def run(self, batches: Iterable[Batch]) -> Iterator[tuple[Batch, list[Row] | None]]:
        """Audit batches; when a process dies, yield all batches that are in the pool with None."""
        left = iter(batches)
        running: dict[Future[list[Row]], Batch] = {}
        while True:
            for batch in islice(left, _AHEAD * self._jobs - len(running)):
                running[self._ensure_processes().submit(batch)] = batch
            if not running:
                return
            done = list(self._ensure_processes().wait_for_batches(running))
            if any(rows_of(future) is None for future in done):
                # A broken executor loses every batch that it holds, not only the one whose process died.
                self.close()
                done = list(running)
            for future in done:
                yield running.pop(future), rows_of(future)

    def close(self) -> None:
        """End the processes."""
        if self._processes is not None:
            self._processes.end()
            self._processes = None

    def _ensure_processes(self) -> Processes:
        if self._processes is None:
            self._processes = Processes(self._jobs, self._setup)
        return self._processes


ENGINE = Engine(summary="processes of this machine", start=Pool)
