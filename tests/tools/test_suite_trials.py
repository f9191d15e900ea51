"""The trial of the README's test command: what it runs, and under which conditions."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support.paths import TOP
from tools import suite_trials
from tools.suite_trials import Outcome

SUITE = """
import signal, sys, pathlib, pytest

def test_signals():
    pathlib.Path(__file__).with_name("ignored").write_text(str(signal.getsignal(signal.SIGINT) == signal.SIG_IGN))

def test_input():
    assert not sys.stdin.isatty()

@pytest.mark.skip("no such machine")
def test_elsewhere():
    pass
"""
README = "# A project\n\n<!-- the test command -->\n```sh\n{command}\n```\n"


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository whose test command runs three tests, and keeps what it found in the temporary folder."""
    (tmp_path / "project").mkdir()
    monkeypatch.setattr(suite_trials, "TOP", tmp_path / "project")
    # The packages of this run are good enough; a fresh environment would need a network.
    monkeypatch.setattr(suite_trials, "_run", _run_without_network)
    monkeypatch.setattr(suite_trials, "_LOOPS", 1)  # other tests run beside this one
    command = f"{sys.executable} -m pytest -p no:cacheprovider test_it.py; code=$?; cp ignored {tmp_path}; exit $code"
    (tmp_path / "project/README.md").write_text(README.format(command=command))
    (tmp_path / "project/test_it.py").write_text(SUITE)
    identity = ("-c", "user.name=n", "-c", "user.email=e@example.org")
    for arguments in (("init", "-q"), ("add", "."), (*identity, "commit", "-qm", "x")):
        subprocess.run(["git", "-C", str(tmp_path / "project"), *arguments], check=True)
    return tmp_path


def _run_without_network(*command: str) -> None:
    if "pip" not in command:
        subprocess.run(command, check=True)


@pytest.mark.parametrize(("condition", "is_ignored"), [("idle", "False"), ("busy", "False"), ("nohup", "True")])
def test_conditions(repository, condition, is_ignored):
    outcome = suite_trials.try_suite(sys.executable, condition, "HEAD")
    assert (outcome.code, outcome.closing_line.split(" in ")[0]) == (0, "2 passed, 1 skipped"), outcome.output
    assert (repository / "ignored").read_text() == is_ignored
    assert "no such machine" in outcome.details
    assert "SKIPPED" in outcome.details


def test_a_failure_is_the_exit_code(repository, monkeypatch, capsys):
    (repository / "project/test_it.py").write_text("def test_it():\n    assert False\n")
    identity = ("-c", "user.name=n", "-c", "user.email=e@example.org")
    subprocess.run(["git", "-C", str(repository / "project"), *identity, "commit", "-qam", "x"], check=True)
    monkeypatch.setattr(sys, "argv", ["suite_trials", "--condition", "nohup"])
    with pytest.raises(SystemExit, match="True"):
        suite_trials.main()
    printed = capsys.readouterr().out
    assert "exit code 1" in printed
    assert "FAILED test_it.py::test_it" in printed


def test_the_command_of_the_readme():
    assert "pytest" in suite_trials.test_command((TOP / "README.md").read_text(encoding="utf-8"))
    with pytest.raises(ValueError, match="the test command"):
        suite_trials.test_command("# A project\n")


def test_an_interrupted_run_has_no_closing_line():
    assert Outcome(code=-9, seconds=1.0, output="").closing_line == ""
