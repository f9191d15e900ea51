"""The loop that audits many models: sends models without a row to an engine until every model has a row.

The engine's own end of iteration is not trusted: lost models are found by comparing the rows with the list. A batch
whose worker process died is halved until the crash is isolated. A model that kills two processes in which it is the
only model gets a row that says so.
"""

from __future__ import annotations

import os
from itertools import islice

from opspec_lint.kit.errors import InputError, OpspecError
from opspec_lint.models import loader
from opspec_lint.models.tape import current_stamp, model_folder
from opspec_lint.zoo import processes, specs, worker
from opspec_lint.zoo.places import storage_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from opspec_lint.models.storage import Storage
    from opspec_lint.zoo.engine import Workers
    from opspec_lint.zoo.results import Results
    from opspec_lint.zoo.work import Batch, Job, Place, Row, Setup

_BATCH = 50
"""Largest batch: large enough that sending it is cheap, small enough that little work is lost with a worker."""
_LISTED = 500
"""Files that are added to the list in one transaction."""
# A process may also die of something else, such as the system's memory killer; only a second death convicts the model.
_DEATHS = 2
_ROUNDS = 5
"""Consecutive rounds without any row after which the engine is abandoned."""


def list_places(results: Results, places: Iterable[Place]) -> None:
    """Write the list of files of a run; a file whose stamps are unchanged counts as read already."""
    left = iter(places)
    while chunk := list(islice(left, _LISTED)):
        results.add_places(chunk, _is_unchanged)


def _is_unchanged(place: Place, stamps: dict[str, str]) -> bool:
    if place.problem or not stamps:
        return bool(place.problem) and not stamps
    storage, folder = storage_of(place.source), model_folder(place.path)
    return all(
        stamp == (worker.strictness(place) if name == worker.STRICTNESS else _stamp(storage, folder, name))
        for name, stamp in stamps.items()
    )


def _stamp(storage: Storage, folder: str, name: str) -> str:
    path = folder.rstrip(os.sep) or folder if name == os.curdir else os.path.join(folder, name)
    return current_stamp(storage, path)


def audit_all(
    results: Results, setup: Setup, jobs: int, start: Callable[[], Workers], show: Callable[[int, int, str], None]
) -> None:
    """Audit the listed models that lack a row or a verdict.

    `jobs`, the number of workers, limits the size of batches. `start` starts the workers; it is called only if there
    is work. `show` is a progress callback: `(done, total, "")`. Raises OpspecError if the engine returns no rows.
    """
    _skip_irrelevant_targets(results, setup)
    total, left = results.counts()
    if not left:
        return
    workers = start()
    try:
        _AuditLoop(results, setup, workers, total, show).run_until_done(max(1, min(_BATCH, left // (4 * jobs))))
    finally:
        workers.close()


def _skip_irrelevant_targets(results: Results, setup: Setup) -> None:
    """Record the verdicts that need no reading: targets that judge no model of a format, and unreadable files."""
    results.carry_over_unreadable()
    left = results.formats_left()
    if setup.is_of_all:
        for form, _ in left:
            own = loader.spec_families(form)
            others = [index for index, target in enumerate(setup.targets) if not specs.may_belong_to(target.name, own)]
            results.skip_targets(form, others)
        return
    frameworks = [specs.spec_of(target).provenance.framework for target in setup.targets] if left else []
    for form, framework in left:
        own = {framework, *loader.spec_frameworks(form)}
        results.skip_targets(
            form, [index for index, target_framework in enumerate(frameworks) if target_framework not in own]
        )


class _AuditLoop:
    def __init__(
        self, results: Results, setup: Setup, workers: Workers, total: int, show: Callable[[int, int, str], None]
    ) -> None:
        self._results = results
        self._setup = setup
        self._workers = workers
        self._total = total
        self._show = show
        self._crashed_batches: list[Batch] = []

    def run_until_done(self, size: int) -> None:
        """Run rounds over the jobs that are left, until there are none; `size` is the largest size of a batch."""
        idle = 0
        while left := self._count_left():
            self._run_batches(_split_into_batches(self._results.jobs(), size), left)
            while self._crashed_batches:
                # Both halves may crash again: the loop ends since each pass halves the batches down to single models.
                halves = [half for batch in self._crashed_batches for half in _halves(batch)]
                self._crashed_batches = []
                self._run_batches((half for half in halves if len(half) > 1), self._count_left())
                self._audit_separately(job for half in halves if len(half) == 1 for job in half)
            idle = 0 if self._count_left() < left else idle + 1
            if idle == _ROUNDS:
                raise OpspecError(f"the engine gave no rows for {left} models, {_ROUNDS} times", advice="run it again")

    def _count_left(self) -> int:
        _, left = self._results.counts()
        return left

    def _run_batches(self, batches: Iterable[Batch], left: int) -> None:
        for batch, rows in self._workers.run(batches):
            if rows is None:
                self._crashed_batches.append(batch)
                continue
            self._store(batch, rows)
            left -= len(batch)
            self._show(self._total - left, self._total, "")

    def _audit_separately(self, jobs: Iterable[Job]) -> None:
        for job in jobs:
            rows: list[Row] | None = None
            for _ in range(_DEATHS):
                rows = processes.audit_in_new_process(self._setup, [job])
                if rows is not None:
                    break
            self._store([job], [_crashed_row(self._setup, job)] if rows is None else rows)

    def _store(self, batch: Batch, rows: list[Row]) -> None:
        self._results.store_rows(rows, [job.tape is not None for job in batch])


def _crashed_row(setup: Setup, job: Job) -> Row:
    advice = "a crash of a reader is a bug in opspec-lint, unless the system ended it; please report it"
    error = InputError(job.place.path, "the process that read it died", advice=advice)
    return worker.unreadable_row(setup, job, error)


def _split_into_batches(jobs: Iterator[Job], size: int) -> Iterator[Batch]:
    while batch := list(islice(jobs, size)):
        yield batch


def _halves(batch: Batch) -> list[Batch]:
    middle = len(batch) // 2
    return [half for half in (batch[:middle], batch[middle:]) if half]
