"""The engine of Dask: the rows of the pool, also when its workers are killed, or its scheduler is gone."""

import os
import signal

import pytest

from opspec_lint.kit.errors import OpspecError
from opspec_lint.zoo.work import Job, Place, Setup

distributed = pytest.importorskip("distributed")

SETUP = Setup(targets=())
BATCHES = [[Job(place=Place(path=f"/link{at}", problem="is a link"), targets=())] for at in range(12)]


@pytest.fixture
def dask():
    from opspec_lint.zoo.engines import dask

    result = dask.Dask(SETUP, 1, None)
    yield result
    result.close()


def worker_ids(dask):
    return list(dask._client.run(os.getpid).values())


def test_nothing_listens_beyond_this_machine(dask):
    places = dask._client.run_on_scheduler(_listening), *dask._client.run(_listening).values()
    assert all(places)
    assert {host for addresses in places for host in addresses} == {"127.0.0.1"}


def _listening(dask_scheduler=None, dask_worker=None):
    """Return the addresses at which a scheduler or worker listens for HTTP."""
    server = dask_scheduler or dask_worker
    return [socket.getsockname()[0] for socket in server.http_server._sockets.values()]


def test_rows_come_back_after_a_worker_was_killed(dask):
    for kills in range(2):
        if kills:
            for value in worker_ids(dask):
                os.kill(value, signal.SIGKILL)
        result = list(dask.run(BATCHES))
        assert sorted(batch[0].place.path for batch, _ in result) == sorted(batch[0].place.path for batch in BATCHES)
        assert all(rows is None or rows[0].place == batch[0].place for batch, rows in result)


def test_the_rows_of_a_scheduler_that_is_gone_are_lost_and_another_is_detected(dask):
    list(dask.run(BATCHES))
    dask._cluster.close()
    result = list(dask.run(BATCHES))
    assert len(result) == len(BATCHES)
    assert all(rows is not None for _, rows in dask.run(BATCHES))


def test_a_scheduler_that_does_not_answer_is_a_single_message(monkeypatch):
    from opspec_lint.zoo.engines import dask

    monkeypatch.setattr(dask, "_WAIT", 1)
    with pytest.raises(OpspecError, match=r"tcp://127\.0\.0\.1:1 does not answer"):
        dask.Dask(SETUP, 1, "tcp://127.0.0.1:1")
