"""An interrupt ends the program with 130 and without a traceback, also while its modules are imported."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from tests.support import signals
from tests.support.patience import PATIENCE

CODE = """
import os, signal, sys
from opspec_lint.cli import start
from tests.support.patience import PATIENCE

def interrupt(event, values):
    if event == "import" and values[0] == {when!r}:
        os.kill(os.getpid(), signal.SIGINT)

sys.addaudithook(interrupt)
sys.argv = ["opspec-lint", "rules"]
start.opspec_lint()
"""
MODULES = ("opspec_lint.cli.main", "opspec_lint.kit.errors", "opspec_lint.cli.commands.rules", "opspec_lint.lint.rule")


def interrupted(when):
    command = [sys.executable, "-c", CODE.format(when=when)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)


@pytest.mark.parametrize("when", MODULES)
def test_an_interrupt_during_an_import(when):
    with signals.in_the_foreground():
        ran = interrupted(when)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")


def test_an_interrupt_that_is_ignored_stays_so():
    with signals.ignored(signal.SIGINT):
        ran = interrupted(MODULES[0])
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "attr_added_with_default" in ran.stdout
