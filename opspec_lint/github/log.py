"""Lines of a step's log: workflow commands, and text in which the runner recognises no command."""

from __future__ import annotations

import os

from opspec_lint.kit.text import one_line

_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})


def annotation(level: str, message: str) -> str:
    """Return the command that shows a message on the page of the run: a "notice", a "warning" or an "error"."""
    return f"::{level} title=opspec-lint::{one_line(message).translate(_DATA)}\n"


def group(title: str, text: str) -> str:
    """Return a text as a folded part of the log, in which the runner executes no line as a command."""
    pause = os.urandom(16).hex()  # unpredictable, so that the text cannot resume commands
    return f"::group::{one_line(title)}\n::stop-commands::{pause}\n{text.rstrip()}\n::{pause}::\n::endgroup::\n"
