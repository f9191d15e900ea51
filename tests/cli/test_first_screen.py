"""The first screen of a report on real terminals: the verdict and the worst findings, in lines that fit."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys

import pytest

pty = pytest.importorskip("pty", reason="needs pseudo-terminals")


def screen(columns, rows, *command):
    """Return the first screen of a command in a terminal of a size, without colours, and all lines of its output."""
    import fcntl
    import termios

    controller, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    environment = {name: text for name, text in os.environ.items() if name not in ("NO_COLOR", "CI", "COLUMNS")}
    with subprocess.Popen(
        [sys.executable, "-m", "opspec_lint", *command],
        stdin=follower,
        stdout=follower,
        stderr=subprocess.DEVNULL,
        env=environment | {"TERM": "xterm-256color"},
    ):
        os.close(follower)
        written = b"".join(iter(lambda: _read(controller), b""))
    os.close(controller)
    assert b"\x1b[1;38;5;" in written
    lines = re.sub(r"\x1b\[[\d;]*m|\x1b\]8;;.*?\x1b\\", "", written.decode()).split("\r\n")
    return lines[:rows], lines


def _read(terminal):
    """Return what can be read; the end of a pseudo-terminal is an error on Linux, and no bytes elsewhere."""
    try:
        return os.read(terminal, 1 << 16)
    except OSError:
        return b""


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 30)])
def test_the_first_screen_of_a_comparison(columns, rows):
    shown, lines = screen(columns, rows, "check", "paddle@2.6.2", "paddle@3.0.0")
    assert shown[0] == "189 changes break saved models, and 3 other errors"
    assert len(re.findall(r"^  error  ", "\n".join(shown[: shown.index("")]), re.MULTILINE)) == 3
    assert "flatten2: " in shown[1]
    assert "op_removed" in " ".join(shown[: shown.index("")])
    assert max(map(len, lines)) <= columns


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 30)])
def test_the_first_screen_has_the_whole_of_a_short_report(columns, rows):
    shown, lines = screen(columns, rows, "check", "paddle@2.6.2", "paddle@3.0.0", "--op", "histogram")
    assert sum(" error " in line for line in shown) >= 2
    assert max(map(len, lines)) <= columns
