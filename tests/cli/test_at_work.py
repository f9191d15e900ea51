"""A command that takes long and says nothing is said to be at work."""

from __future__ import annotations

import signal
import time

import pytest

from opspec_lint.cli import at_work as module
from opspec_lint.cli.at_work import at_work

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there is no such signal")


@pytest.fixture(autouse=True)
def _soon(monkeypatch):
    monkeypatch.setattr(module, "_LONG", 0.05)
    monkeypatch.setattr(module, "_AGAIN", 0.05)


def wait(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(0.01)


def test_what_takes_long_is_said_and_wiped():
    said = []
    with at_work("opspec-lint check", said.append):
        wait(0.2)
    assert said[0].startswith("opspec-lint check: at work, ")
    assert said[-1] == ""
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_what_is_short_says_nothing():
    said = []
    with at_work("opspec-lint check", said.append):
        pass
    assert said == []


def test_what_a_command_says_stays():
    said = []
    with at_work("opspec-lint check", said.append) as progress:
        progress("reading")
        wait(0.2)
    assert said == ["reading", ""]


def test_an_error_ends_it():
    said = []
    with pytest.raises(ValueError, match="odd"), at_work("opspec-lint check", said.append):
        raise ValueError("odd")
    wait(0.15)
    assert said == []
