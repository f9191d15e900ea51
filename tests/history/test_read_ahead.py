"""Two processes, one from each end, make the history that one of them makes alone."""

from __future__ import annotations

import os
import random
from contextlib import contextmanager
from itertools import islice

import pytest

from opspec_lint.history import read_ahead, walk
from opspec_lint.history.contracts import topic_of
from opspec_lint.sources.reading import Reading, open_repositories
from tests.history.test_history import PADDLE, VERSIONS, here, random_tree  # noqa: F401 - a fixture
from tests.support.histories import build, dumped, of_specs
from tests.support.programs import run
from tests.support.projects import FILE, text
from tests.support.repositories import Repository


class Sent(read_ahead.ReadAhead):
    """Return the messages that a second process has sent."""

    def __init__(self, turns):
        super().__init__(None)
        self._turns = list(turns)

    def received_changes(self):
        """Return the messages that it sent, at once."""
        sent, self._turns = self._turns, []
        return iter([(number, commit, read_ahead.change_to_text(turn)) for number, commit, turn in sent])


@pytest.fixture
def helped(monkeypatch):
    """A function that has a second process send as many turns, and gather the revisions that it began with."""
    monkeypatch.setattr(walk, "_WORTH", 1)
    starts = []

    def with_turns(count):
        @contextmanager
        def started(topic, base, start):
            starts.append(start)
            yield Sent(() if start is None else islice(read_ahead.read_backwards(topic, base, start), count))

        monkeypatch.setattr(read_ahead, "start_read_ahead", started)
        return starts

    return with_turns


def specs(top):
    """A spec file that is removed, broken and renamed on the way."""
    repository, _ = of_specs(top, *VERSIONS[:2])
    repository.commit({FILE: "{"})
    repository.commit({"other": ""})
    repository.commit({FILE: text(*VERSIONS[2])})
    repository.commit({FILE: None})
    repository.commit({FILE: text(*VERSIONS[3])})
    repository.git("mv", FILE, "specs/new.json")
    repository.commit({})
    repository.commit({"specs/new.json": text(*VERSIONS[0])})
    return "specs/new.json"


def paddle(top):
    """A tree of Paddle with ops that cannot be resolved for some time."""
    chance = random.Random(1)  # noqa: S311 - no secret
    repository = Repository.make(top)
    for _ in range(10):
        files = random_tree(chance)
        present = repository.git("ls-files").splitlines()
        repository.commit({**dict.fromkeys(set(present) - files.keys()), **files})
    return f"{PADDLE}:{top}"


@pytest.mark.parametrize("made", [specs, paddle])
@pytest.mark.parametrize("count", [0, 1, 3, 5, 9, 30])
def test_the_history_is_the_same_however_much_is_sent(here, monkeypatch, helped, made, count):  # noqa: F811
    source = made(here / "top")
    monkeypatch.chdir(here / "top")
    build(source, here / "alone", "--jobs", "1")
    helped(count)
    build(source, here / "h")
    assert dumped(here / "h") == dumped(here / "alone")


def test_what_was_sent_is_not_read_again_after_a_kill(here, monkeypatch, helped):  # noqa: F811
    repository, commits = of_specs(here / "top", *VERSIONS * 3)
    monkeypatch.chdir(here / "top")
    monkeypatch.setattr(walk, "_PORTION", 2)
    build(FILE, here / "alone", "--jobs", "1")
    going = walk._Walk._add
    calls = iter(range(100))

    def add(self, *args):
        if next(calls) == 4:
            raise KeyboardInterrupt
        return going(self, *args)

    starts = helped(4)
    monkeypatch.setattr(walk._Walk, "_add", add)
    run("history", FILE, "--output", here / "h")
    monkeypatch.setattr(walk._Walk, "_add", going)
    assert starts == [repository.head]
    build(FILE, here / "h")
    assert starts == [repository.head, commits[-5]]
    assert dumped(here / "h") == dumped(here / "alone")


def test_new_commits_after_a_kill_are_read_behind_what_was_sent(here, monkeypatch, helped):  # noqa: F811
    repository, _ = of_specs(here / "top", *VERSIONS * 2)
    monkeypatch.chdir(here / "top")
    monkeypatch.setattr(walk, "_PORTION", 2)
    going = walk._Walk._add
    calls = iter(range(100))

    def add(self, *args):
        if next(calls) == 2:
            raise KeyboardInterrupt
        return going(self, *args)

    helped(3)
    monkeypatch.setattr(walk._Walk, "_add", add)
    run("history", FILE, "--output", here / "h")
    monkeypatch.setattr(walk._Walk, "_add", going)
    repository.commit({FILE: text(*VERSIONS[1])})
    repository.commit({FILE: text(*VERSIONS[2])})
    build(FILE, here / "h")
    build(FILE, here / "alone", "--jobs", "1")
    assert dumped(here / "h") == dumped(here / "alone")


def test_a_second_process_sends_what_it_reads(here, monkeypatch):  # noqa: F811
    repository, _ = of_specs(here / "top", *VERSIONS)
    monkeypatch.chdir(here / "top")
    monkeypatch.setattr(walk, "_WORTH", 1)
    reading = Reading(environment=dict(os.environ))
    with open_repositories(reading) as repositories:
        topic = topic_of(FILE, reading, repositories)
        expected = [
            (number, commit, read_ahead.change_to_text(turn))
            for number, commit, turn in read_ahead.read_backwards(topic, None, topic.tip)
        ]
        with read_ahead.start_read_ahead(topic, None, repository.head) as helper:
            actual = []
            while len(actual) < len(expected):
                actual += helper.received_changes()
    assert actual == expected
    build(FILE, here / "h")
    build(FILE, here / "alone", "--jobs", "1")
    assert dumped(here / "h") == dumped(here / "alone")
