"""The limit of steps that all evaluations of source texts count in."""

import pytest

from opspec_lint.builds.cmake import state
from opspec_lint.builds.cmake.projects import evaluate
from opspec_lint.cpp.steps import StepLimit, TooLongError


def test_a_single_evaluation_may_take_all_steps():
    steps = StepLimit(3)
    for _ in range(3):
        steps.spend()
    with pytest.raises(TooLongError, match="more than 3 steps"):
        steps.spend()


def test_evaluations_share_the_total():
    steps = StepLimit(5, largest=3)
    with steps.evaluation():
        steps.spend(3)
    with steps.evaluation():
        steps.spend(2)
        with pytest.raises(TooLongError, match="more than 2 steps"):
            steps.spend()


def test_an_evaluation_within_another_has_the_full_steps_and_takes_none_of_the_outer():
    steps = StepLimit(100, largest=3)
    with steps.evaluation():
        steps.spend(2)
        with steps.evaluation():
            steps.spend(3)
        steps.spend(1)
        with pytest.raises(TooLongError):
            steps.spend()


def test_a_cmake_file_with_too_many_steps_is_refused_with_the_line_where_they_end(monkeypatch):
    monkeypatch.setattr(state, "MAX_CMAKE_STEPS", 5_000)
    lists = evaluate("", lambda _: "set(a 1)\n" * 9).folders[""].lists
    assert lists.unparsed == (4, "its commands take too long")
