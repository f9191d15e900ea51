"""Paths of the files that tests read."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).parents[1]
TOP = TESTS.parent
SPECS = TOP / "specs"
DATA = TESTS / "data"
CASES = TESTS / "cases"
GITCONFIG = TESTS / "support" / "gitconfig"
"""The configuration of git for tests, in place of the user's."""
