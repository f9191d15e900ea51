"""Hyperlinks on terminals: a known terminal gets them, or any as FORCE_HYPERLINK demands."""

from __future__ import annotations

import os

import pytest

from opspec_lint.cli import main


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, False),
        ({"FORCE_HYPERLINK": "1"}, True),
        ({"FORCE_HYPERLINK": "0", "TERM": "xterm-kitty"}, False),
        ({"FORCE_HYPERLINK": "", "TERM": "xterm-kitty"}, False),
        ({"TERM": "xterm-kitty"}, True),
        ({"TERM": "xterm-256color"}, False),
        ({"TERM_PROGRAM": "WezTerm"}, True),
        ({"TERM_PROGRAM": "Apple_Terminal"}, False),
        ({"VTE_VERSION": "7600"}, True),
        ({"VTE_VERSION": "4900"}, False),
        ({"VTE_VERSION": "new"}, False),
    ],
)
def test_links_are_for_terminals_that_show_them(variables, expected, monkeypatch):
    for name in os.environ:
        monkeypatch.delenv(name)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert main._takes_links() is expected
