"""An audit of many models: what has no row is given to an engine until everything has one.

The end of an engine's loop is not trusted: what it lost is found by counting rows against the list. A batch whose
worker died is halved; a model that died twice alone in a worker of its own gets a row that says so.
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
"""Models of a batch: enough that sending them costs little, few enough that little is lost with a worker."""
_LISTED = 500
"""Files that are added to the list at a time."""
_DEATHS = 2
_ROUNDS = 5
"""Rounds in a row in which an engine gives nothing back, after which it is given up."""


def list_places(results: Results, places: Iterable[Place]) -> None:
    """Write the list of a run; what is unchanged since it was read counts as read."""
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
    """Audit what is left of the list.

    Args:
        results: the file of the results, whose list is written.
        setup: what is the same for all models.
        jobs: the number of workers, for the size of batches.
        start: starts the workers; called if there is anything to do.
        show: is told how many models are done, of how many, and nothing else.

    Raises:
        OpspecError: the engine gives nothing back.
    """
    _pass_over(results, setup)
    total, left = results.counts()
    if not left:
        return
    workers = start()
    try:
        _Drive(results, setup, workers, total, show).until_done(max(1, min(_BATCH, left // (4 * jobs))))
    finally:
        workers.close()


def _pass_over(results: Results, setup: Setup) -> None:
    """Note what is known of targets without playing a tape: those that do not judge a format, and broken files."""
    results.carry_over_unreadable()
    left = results.formats_left()
    if setup.is_of_all:
        for form, _ in left:
            own = loader.spec_families(form)
            others = [place for place, target in enumerate(setup.targets) if not specs.is_of(target.name, own)]
            results.pass_over(form, others)
        return
    frameworks = [specs.spec_of(each).provenance.framework for each in setup.targets] if left else []
    for form, framework in left:
        own = {framework, *loader.spec_frameworks(form)}
        results.pass_over(form, [place for place, each in enumerate(frameworks) if each not in own])


class _Drive:
    def __init__(
        self, results: Results, setup: Setup, workers: Workers, total: int, show: Callable[[int, int, str], None]
    ) -> None:
        self._results = results
        self._setup = setup
        self._workers = workers
        self._total = total
        self._show = show
        self._died: list[Batch] = []

    def until_done(self, size: int) -> None:
        """Give what is left to the engine, again and again."""
        idle = 0
        while left := self._results.counts()[1]:
            self._round(_batches(self._results.jobs(), size), left)
            while self._died:
                halves = [half for batch in self._died for half in _halves(batch)]
                self._died = []
                self._round((each for each in halves if len(each) > 1), self._results.counts()[1])
                self._alone([each[0] for each in halves if len(each) == 1])
            idle = 0 if self._results.counts()[1] < left else idle + 1
            if idle == _ROUNDS:
                raise OpspecError(f"the engine gave no rows for {left} models, {_ROUNDS} times", advice="run it again")

    def _round(self, batches: Iterable[Batch], left: int) -> None:
        for batch, rows in self._workers.run(batches):
            if rows is None:
                self._died.append(batch)
                continue
            self._keep(batch, rows)
            left -= len(batch)
            self._show(self._total - left, self._total, "")

    def _alone(self, jobs: Iterable[Job]) -> None:
        for job in jobs:
            rows = next(
                (rows for _ in range(_DEATHS) if (rows := processes.alone(self._setup, [job])) is not None), None
            )
            self._keep([job], [_dead(self._setup, job)] if rows is None else rows)

    def _keep(self, batch: Batch, rows: list[Row]) -> None:
        self._results.keep(rows, [job.tape is not None for job in batch])


def _dead(setup: Setup, job: Job) -> Row:
    advice = "a crash of a reader is a bug in opspec-lint, unless the system ended it; please report it"
    error = InputError(job.place.path, "its reader died", advice=advice)
    return worker.unread(setup, job, error)


def _batches(jobs: Iterator[Job], size: int) -> Iterator[Batch]:
    while batch := list(islice(jobs, size)):
        yield batch


def _halves(batch: Batch) -> list[Batch]:
    middle = len(batch) // 2
    return [half for half in (batch[:middle], batch[middle:]) if half]
