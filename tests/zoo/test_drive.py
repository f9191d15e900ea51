"""Engines that lose batches, and models that end their readers: each file has its rows, and none has them twice."""

import itertools
import json
import os
import signal
import threading

import pytest

from opspec_lint.kit.errors import OpspecError
from opspec_lint.zoo import drive, results, specs, worker
from opspec_lint.zoo.engines.pool import Pool
from opspec_lint.zoo.work import Place, Setup
from tests.support import zoo


@pytest.fixture
def audited(tmp_path):
    """Audit some models by an engine, and return the verdicts."""
    setup = Setup(targets=(specs.make_target("onnx@1.23.2", lambda: None, None),))
    places = [Place(path=str(zoo.onnx(tmp_path / "zoo" / f"{at:03d}.onnx", weights=8 * at))) for at in range(1, 41)]

    def run(start):
        with results.open_results_to_write(str(tmp_path / "zoo.sqlite")) as result:
            result.begin(setup.targets)
            drive.list_places(result, places)
            drive.audit_all(result, setup, 2, lambda: start(setup), lambda *_: None)
            return {os.path.basename(model_verdict.model): model_verdict for model_verdict in result.model_verdicts()}

    return run


class Losing:
    """Workers in this process that lose what they are told to; `lost` tells of a batch None, "died" or "lost"."""

    def __init__(self, setup, lost):
        self.setup, self.lost = setup, lost

    def run(self, batches):
        for batch in batches:
            how = self.lost(batch)
            if how is None:
                yield batch, worker.audit_batch(self.setup, batch)
            elif how == "died":
                yield batch, None

    def close(self):
        pass


def test_what_an_engine_loses_is_given_to_it_again(audited):
    fates = itertools.cycle(("lost", "died", None, "died", "lost", "lost", None))
    result = audited(lambda setup: Losing(setup, lambda _: next(fates)))
    assert len(result) == 40
    assert {value.verdict for value in result.values()} == {"loads"}


def test_only_a_model_that_ends_two_processes_of_its_own_counts_as_deadly(audited, monkeypatch):
    alone = []

    def is_deadly(batch):
        return any(job.place.path.endswith("007.onnx") for job in batch)

    def in_a_process(setup, batch):
        (name,) = (os.path.basename(job.place.path) for job in batch)
        alone.append(name)
        is_unlucky = name == "008.onnx" and alone.count(name) == 1
        return None if is_deadly(batch) or is_unlucky else worker.audit_batch(setup, batch)

    monkeypatch.setattr(drive.processes, "audit_in_new_process", in_a_process)
    near = ("006.onnx", "007.onnx", "008.onnx")
    result = audited(
        lambda setup: Losing(
            setup, lambda batch: "died" if any(job.place.path.endswith(near) for job in batch) else None
        )
    )
    assert len(result) == 40
    assert [name for name, row in result.items() if row.verdict != "loads"] == ["007.onnx"]
    assert "the process that read it died" in json.loads(result["007.onnx"].findings)[0]["message"]
    assert [alone.count(name) for name in near] == [1, 2, 2]


def test_an_engine_that_gives_nothing_back_is_given_up(audited):
    with pytest.raises(OpspecError, match="gave no rows for 40 models"):
        audited(lambda setup: Losing(setup, lambda _: "lost"))


def test_a_pool_whose_processes_are_killed_five_times(audited):
    pools, kills, over = [], [], threading.Event()

    def start(setup):
        pools.append(Pool(setup, 2))
        return pools[-1]

    def kill():
        while len(kills) < 5 and not over.wait(0.4 if kills else 0.02):
            processes = pools[-1]._processes if pools else None
            for process in processes._processes()[:1] if processes is not None else ():
                os.kill(process.pid, signal.SIGKILL)
                kills.append(process.pid)

    killer = threading.Thread(target=kill)
    killer.start()
    result = audited(start)
    over.set()
    killer.join()
    assert len(result) == 40
    assert {value.verdict for value in result.values()} == {"loads"}
    assert kills
