"""A command that takes long and says nothing is said to be at work."""

from __future__ import annotations

import signal
from itertools import count
from types import SimpleNamespace

import pytest

from opspec_lint.cli import at_work as module
from opspec_lint.cli.at_work import at_work
from tests.support.patience import PATIENCE, until

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there is no such signal")


@pytest.fixture
def soon(monkeypatch):
    """Show a message of a long step after some milliseconds."""
    monkeypatch.setattr(module, "_LONG", 0.05)
    monkeypatch.setattr(module, "_AGAIN", 0.05)


@pytest.fixture
def late(monkeypatch):
    """The timer never goes off by itself, and whenever the clock is looked at, the time of what takes long passes."""
    clock = count(0, PATIENCE)
    monkeypatch.setattr(module, "_LONG", PATIENCE)
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: float(next(clock))))


@pytest.mark.usefixtures("soon")
def test_what_takes_long_is_reported_and_wiped():
    output = []
    with at_work("opspec-lint check", output.append):
        until(lambda: output)
    assert output[0].startswith("opspec-lint check: at work, ")
    assert output[-1] == ""
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_what_is_short_states_nothing(monkeypatch):
    monkeypatch.setattr(module, "_LONG", PATIENCE)
    output = []
    with at_work("opspec-lint check", output.append):
        pass
    assert output == []


@pytest.mark.usefixtures("late")
def test_what_a_command_states_stays():
    output = []
    with at_work("opspec-lint check", output.append) as progress:
        signal.raise_signal(signal.SIGALRM)
        progress("reading")
        signal.raise_signal(signal.SIGALRM)
    assert output == [f"opspec-lint check: at work, {PATIENCE} s", "reading", ""]


def test_an_error_ends_it(monkeypatch):
    monkeypatch.setattr(module, "_LONG", PATIENCE)
    before = signal.getsignal(signal.SIGALRM)
    output = []
    with pytest.raises(ValueError, match="odd"), at_work("opspec-lint check", output.append):
        raise ValueError("odd")
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is before
    assert output == []
