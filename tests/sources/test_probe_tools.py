"""Probes try what may crash a framework in child processes."""

from __future__ import annotations

import os

import pytest

from opspec_lint.sources import probe_tools


def answer(item):
    if item == "crash":
        os._exit(1)
    if item == "raise":
        raise ValueError(item)
    os.write(1, b"noise that a framework prints")
    return [item, len(item)]


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([], []),
        (["a", "bc"], [["a", 1], ["bc", 2]]),
        (["crash", "a", "raise", "crash", "crash", "b"], [None, ["a", 1], None, None, None, ["b", 1]]),
    ],
)
def test_an_item_that_ends_the_process_has_no_result(items, expected, capfd):
    assert probe_tools.in_children(answer, iter(items)) == expected
    assert capfd.readouterr().out == ""


def test_without_fork_errors_have_no_result(monkeypatch):
    monkeypatch.delattr(os, "fork")
    assert probe_tools.in_children(answer, ["a", "raise"]) == [["a", 1], None]


def test_many_long_results_pass_the_pipe():
    assert probe_tools.in_children(lambda number: "x" * number, [100_000] * 20) == ["x" * 100_000] * 20


def test_only_a_runtime_error_is_a_refusal():
    def refuse():
        raise RuntimeError

    assert not probe_tools.accepts(refuse)
    assert probe_tools.accepts(int, "1")
    with pytest.raises(ValueError, match="invalid literal"):
        probe_tools.accepts(int, "one")


@pytest.mark.parametrize(
    ("taken", "expected"),
    [
        ([None, False, True, True, False], [("0", False), ("1", False), ("2", True)]),
        ([True, False], []),
        ([False, True, True], [("0", False, True)]),
        ([True, True], [("0", True, True)]),
        ([False, None], [("0", ["dispensable", "duplicable"])]),
    ],
)
def test_the_numbers_of_inputs_become_inputs(taken, expected):
    assert [tuple(record.values()) for record in probe_tools.input_records(taken)] == expected
