"""Lines of a step's log: workflow commands, and text that the runner is to take for no command."""

from __future__ import annotations

import os

from opspec_lint.kit.text import one_line

_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})


def annotation(level: str, message: str) -> str:
    """Return the command that shows a message on the page of the run: a "notice", a "warning" or an "error"."""
    return f"::{level} title=opspec-lint::{one_line(message).translate(_DATA)}\n"


def group(title: str, text: str) -> str:
    """Return a text as a folded part of the log, in which no line is a command, whatever it holds."""
    pause = os.urandom(16).hex()
    return f"::group::{one_line(title)}\n::stop-commands::{pause}\n{text.rstrip()}\n::{pause}::\n::endgroup::\n"
