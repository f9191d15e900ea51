"""Runs of opspec-lint and of the replay programs."""

from __future__ import annotations

import contextlib
import io
import os
import pty
import subprocess
import sys

from opspec_lint.cli import main
from tests.support.paths import TOP
from tests.support.patience import PATIENCE


class Ran:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err


def run(*arguments, program=main.main):
    """Run a program in this process."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = program(list(map(str, arguments)))
        except SystemExit as left:
            code = left.code
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode("utf-8"))
    return Ran(code, *texts)


def spawn(*arguments, **options):
    """Run opspec-lint as users do."""
    command = [sys.executable, "-m", "opspec_lint", *map(str, arguments)]
    defaults = {"capture_output": True, "timeout": PATIENCE, "cwd": TOP}
    return subprocess.run(command, check=False, **defaults | options)


def on_a_terminal(*arguments, program="main", **environment):
    """Return the output of a program on a terminal."""
    controller, terminal = pty.openpty()
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")}
    command = [sys.executable, "-c", f"import sys; from opspec_lint.cli.main import {program}; sys.exit({program}())"]
    with subprocess.Popen(
        [*command, *map(str, arguments)], stdout=terminal, env={**kept, "TERM": "xterm", **environment}
    ) as process:
        os.close(terminal)
        data = b""
        while True:
            try:
                piece = os.read(controller, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            data += piece
        process.wait(PATIENCE)
    os.close(controller)
    return data
