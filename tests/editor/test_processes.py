"""The processes that read: what comes of those that fail, crash or are ended."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest

from opspec_lint.editor import reading
from opspec_lint.editor.messages import CheckResult, OpenDeclarations, Task
from opspec_lint.editor.processes import ReadingProcess
from opspec_lint.kit.errors import OpspecError
from opspec_lint.project.check_context import Request
from opspec_lint.sources.reading import Reading
from tests.support.projects import FILE, TODAY, text
from tests.support.repositories import Repository


@pytest.fixture
def task(tmp_path):
    """A task in a repository; words replace parts of its request."""
    made = Repository.make(tmp_path / "top", {FILE: text("f(X) -> (Out)")})

    def task(**options):
        how = Reading(environment=made.environment, caches=False)
        defaults = {"reading": how, "folder": str(made.top), "today": TODAY}
        return Task(request=Request(**defaults | options), documents={}, encoding="utf-16")

    return task


def answers(reader):
    async def read():
        return [answer async for answer in reader.answers()]

    return asyncio.run(read())


def test_a_process_answers_twice_and_ends(task):
    assert [type(answer) for answer in answers(ReadingProcess(task()))] == [CheckResult, OpenDeclarations]


def test_an_error_is_an_answer(task):
    (answer,) = answers(ReadingProcess(task(base="nowhere")))
    (problem,) = answer.problems
    assert "nowhere" in problem.text
    assert (problem.is_error, problem.is_crash) == (True, False)


def test_a_bug_is_an_answer(task):
    (answer,) = answers(ReadingProcess(task(reading=None)))
    (problem,) = answer.problems
    assert problem.is_crash
    assert "AttributeError" in problem.text


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGKILL])
def test_a_crash_is_an_error(task, number):
    reader = ReadingProcess(task())
    os.kill(reader._process.pid, number)
    with pytest.raises(OpspecError, match=f"ended with exit code -{int(number)}"):
        answers(reader)


def test_a_crash_behind_the_findings_keeps_them(task, monkeypatch):
    def crash(*_):
        raise RuntimeError("an accident")

    monkeypatch.setattr(reading, "_declared", crash)
    first, second = reading.answers(task())
    assert first.problems == ()
    assert second.marks == first.marks
    assert ["an accident" in problem.text for problem in second.problems] == [True]


def test_a_process_that_is_ended_answers_no_more(task):
    reader = ReadingProcess(task())
    reader.end()
    assert answers(reader) == []
