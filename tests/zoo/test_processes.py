"""Processes that die: whatever they were doing, the rows of a batch come, or None does."""

import os
import signal
import struct
import threading

import pytest

from opspec_lint.zoo.processes import Processes, audit_in_new_process, rows_of
from opspec_lint.zoo.work import Job, Place, Setup
from tests.support import signals
from tests.support.patience import PATIENCE

SETUP = Setup(targets=())
BATCH = [Job(place=Place(path="/link", problem="is a link"), targets=())]


@pytest.fixture
def processes():
    with signals.in_the_foreground():
        processes = Processes(2, SETUP)
        yield processes
    processes.end()


def within_limit(run):
    """Return what a function returns; fail if it takes too long."""
    results = []
    thread = threading.Thread(target=lambda: results.append(run()), daemon=True)
    thread.start()
    thread.join(PATIENCE)
    assert results, "it hangs"
    return results[0]


def kill(processes):
    for process in processes._processes():
        os.kill(process.pid, signal.SIGKILL)


def test_rows_come_back(processes):
    (future,) = within_limit(lambda: processes.wait_for_batches([processes.submit(BATCH)]))
    assert [row.place for row in rows_of(future)] == [job.place for job in BATCH]
    assert audit_in_new_process(SETUP, BATCH)[0].place == BATCH[0].place


def test_a_process_that_died_before_it_was_given_a_batch(processes):
    within_limit(lambda: processes.wait_for_batches([processes.submit(BATCH)]))
    kill(processes)
    while processes.submit(BATCH).exception(PATIENCE) is None:
        pass
    assert rows_of(processes.submit(BATCH)) is None


def test_a_process_that_died_while_it_sent_rows(processes):
    within_limit(lambda: processes.wait_for_batches([processes.submit(BATCH)]))
    for process in processes._processes():
        os.kill(process.pid, signal.SIGSTOP)
    running = [processes.submit(BATCH)]
    os.write(processes._executor._result_queue._writer.fileno(), struct.pack("!i", 1 << 20) + b"the first rows")
    kill(processes)
    assert list(map(rows_of, within_limit(lambda: processes.wait_for_batches(running)))) == [None]
    within_limit(lambda: (processes.end(), True))


def test_an_interrupt_of_the_terminal_is_for_the_parent(processes):
    within_limit(lambda: processes.wait_for_batches([processes.submit(BATCH)]))
    for process in processes._processes():
        os.kill(process.pid, signal.SIGINT)
    (future,) = within_limit(lambda: processes.wait_for_batches([processes.submit(BATCH)]))
    assert rows_of(future) is not None
