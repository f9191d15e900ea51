"""The engine for a cluster: workers of a Dask scheduler, or of a LocalCluster that is started for the run."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import CancelledError
from contextlib import suppress
from itertools import islice
from typing import Any

from opspec_lint.kit import library_folder
from opspec_lint.kit.errors import OpspecError, UsageError
from opspec_lint.zoo import worker
from opspec_lint.zoo.engine import Engine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from opspec_lint.zoo.work import Batch, Row, Setup

_AHEAD = 3
"""Batches that are queued at the scheduler for each worker thread, so that no thread waits for the network."""
_WAIT = 60
"""Seconds to wait for the scheduler, and for its first worker."""
_STARTS = 3
"""Tries to start a LocalCluster, or to reach a scheduler."""
_SILENCE = 60
"""Seconds without any result after which the queued batches count as lost."""
_DASHBOARD = "127.0.0.1:0"
"""Any free port of this machine: ":0" would show the paths of models to the whole network."""
_LOST = (OSError, TimeoutError, CancelledError, asyncio.CancelledError, asyncio.TimeoutError)
"""Exceptions for a future that the scheduler lost, or whose scheduler is gone."""


class Dask:
    """A client of a Dask scheduler that audits batches.

    `address` is the address of the scheduler; None starts a LocalCluster with `jobs` workers. Raises UsageError if Dask
    is not installed, OpspecError if the scheduler does not answer.
    """

    def __init__(self, setup: Setup, jobs: int, address: str | None) -> None:
        self._setup = setup
        self._jobs = jobs
        self._address = address
        # Workers of a LocalCluster share this disk: relative paths of models count from the folder of this process.
        self._folder = os.getcwd() if address is None else None
        self._client: Any = None
        self._cluster: Any = None
        self._connect()

    def run(self, batches: Iterable[Batch]) -> Iterator[tuple[Batch, list[Row] | None]]:
        """Audit batches; if the scheduler is silent for too long, yield the queued batches with None and reconnect."""
        left = iter(batches)
        out: dict[Any, Batch] = {}
        while True:
            for batch in islice(left, max(_AHEAD * self._threads() - len(out), 0 if out else 1)):
                out[self._submit(batch)] = batch
            if not out:
                return
            done = _finished_futures(list(out))
            if done is None:
                yield from ((batch, None) for batch in out.values())
                out = {}
                self.close()
                self._connect()
                continue
            for future in done:
                yield out.pop(future), _rows_of_future(future)

    def _submit(self, batch: Batch) -> Any:
        """Submit a batch, and return its future."""
        try:
            # pure=False: Dask would otherwise return the result of an earlier call with the same arguments.
            return self._client.submit(_audit_in_folder, self._folder, self._setup, batch, pure=False)
        except Exception:  # each release of Dask has another one for a scheduler that is gone
            return _NoFuture()

    def close(self) -> None:
        """Disconnect from the scheduler; a LocalCluster is ended."""
        for resource in (self._client, self._cluster):
            with suppress(Exception):  # it may be gone
                resource.close(timeout=10)
        self._client = self._cluster = None

    def _threads(self) -> int:
        with suppress(Exception):  # the scheduler is gone; the next wait notices that
            return max(1, sum(map(int, self._client.nthreads().values())))
        return 1

    def _connect(self) -> None:
        """Connect to the scheduler, with some attempts. Raises OpspecError if it does not answer."""
        error: Exception | None = None
        for _ in range(_STARTS):
            error = self._connect_once(_import_distributed())
            if error is None:
                return
            self.close()
        where = self._address or "a LocalCluster"
        problem = f"the scheduler at {where} does not answer: {error}"
        raise OpspecError(problem, advice="check its address, and run it again: what was audited is kept")

    def _connect_once(self, distributed: Any) -> Exception | None:
        """Connect to the cluster, or start one here; return the error if that fails."""
        critical = 50  # `logging.CRITICAL`
        try:
            if self._address is None:
                with library_folder.inside_library_folder():
                    self._cluster = distributed.LocalCluster(
                        n_workers=self._jobs,
                        threads_per_worker=1,
                        dashboard_address=_DASHBOARD,
                        silence_logs=critical,
                    )
            self._client = distributed.Client(self._cluster or self._address, timeout=_WAIT)
            self._client.wait_for_workers(1, timeout=_WAIT)
        except (OSError, TimeoutError, RuntimeError) as error:  # a worker that dies while it starts is a RuntimeError
            return error
        return None


def _audit_in_folder(folder: str | None, setup: Setup, batch: Batch) -> list[Row]:
    """Return the rows of a batch whose paths count from `folder`; None: from the folder of the worker process."""
    if folder is not None:
        os.chdir(folder)
    return worker.audit_batch(setup, batch)


def _import_distributed() -> Any:
    """Return the module `distributed`, with its loggers silenced. Raises UsageError if Dask is not installed."""
    try:
        import dask
        import distributed
    except ImportError:
        advice = "pip install 'opspec-lint[dask]'"
        raise UsageError("--engine dask needs Dask, which is not installed", advice=advice) from None
    import logging

    for name in (
        logger_name for logger_name in logging.root.manager.loggerDict if logger_name.startswith("distributed")
    ):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # each has a level of its own
    # A worker that is started again later imports nothing from the current folder either (Python 3.11 and later).
    dask.config.set({"distributed.nanny.pre-spawn-environ.PYTHONSAFEPATH": "1"})
    return distributed


class _NoFuture:
    """A placeholder for the future of a batch that could not be submitted because the scheduler was gone."""


def _finished_futures(futures: list[Any]) -> list[Any] | None:
    """Return the futures that are done; None if none is done for long, or if the scheduler is gone."""
    if any(isinstance(future, _NoFuture) for future in futures):
        return None
    import distributed

    try:
        return list(distributed.wait(futures, timeout=_SILENCE, return_when="FIRST_COMPLETED").done)
    except _LOST:
        return None


def _rows_of_future(future: Any) -> list[Row] | None:
    """Return the rows of a batch; None if its workers died or the scheduler forgot it.

    Raises OpspecError if the workers have another version of opspec-lint, or none.
    """
    try:
        rows: list[Row] = future.result(timeout=_SILENCE)
    except _LOST:
        return None
    except Exception as error:
        # By name: the module of this exception differs between releases of Dask.
        if type(error).__name__ == "KilledWorker":
            return None
        problem = f"a worker cannot audit: {type(error).__name__}: {error}"
        raise OpspecError(problem, advice="install this version of opspec-lint on the workers") from None
    return rows


ENGINE = Engine(summary="a cluster of Dask", start=Dask, takes_address=True)
