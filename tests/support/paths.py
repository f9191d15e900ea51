"""Where things stand that tests read."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).parents[1]
TOP = TESTS.parent
SPECS = TOP / "specs"
DATA = TESTS / "data"
CASES = TESTS / "cases"
GITCONFIG = TESTS / "support" / "gitconfig"
"""The only configuration of git that counts in tests."""
