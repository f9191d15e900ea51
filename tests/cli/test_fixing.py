"""The writing of fixes: a file is replaced whole, or left with a message; a fix that cannot be checked is undone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from opspec_lint.cli.fixing import _FixSession
from opspec_lint.fixes.fix import Fix
from opspec_lint.fixes.plan import plan
from opspec_lint.fixes.text_file import TextFile
from opspec_lint.report.findings import Report
from tests.support.repositories import Repository

LARGE = b"// a line that stays\n" * (10 * 1024 * 1024 // 21)


def fix(file, *spans):
    return Fix(description="a fix", safety="safe", edits=tuple(file.edit(*span) for span in spans))


@pytest.fixture
def apply(tmp_path):
    """Apply edits of a file that holds bytes, which may not be those on the disk; return whether and what was said."""

    def applied(path, read, *spans):
        made = _FixSession(str(tmp_path))
        was = made.apply(plan([fix(TextFile(path, read), *spans)]))
        return was, made.lines(Report(comparisons=()), "safe")

    return applied


def test_a_large_file(tmp_path, apply):
    (tmp_path / "m.fbs").write_bytes(LARGE)
    was, _ = apply("m.fbs", LARGE, (0, 0, "first\n"), (len(LARGE), len(LARGE), "last"))
    assert (was, (tmp_path / "m.fbs").read_bytes()) == (True, b"first\n" + LARGE + b"last")


@pytest.mark.parametrize("now", [b"ab", b"abcd", b"", b"xyz"])
def test_a_file_that_has_changed_since_it_was_read(tmp_path, apply, now):
    (tmp_path / "m.fbs").write_bytes(now)
    was, output = apply("m.fbs", b"abc", (0, 1, "x"))
    assert (was, (tmp_path / "m.fbs").read_bytes()) == (False, now)
    assert output == ("nothing to fix", "not changed: m.fbs: changed since it was read")


def test_a_file_that_is_gone_or_came_in_between(tmp_path, apply):
    assert apply("m.fbs", b"abc", (0, 1, "x"))[0] is False
    (tmp_path / "new.yaml").write_bytes(b"theirs")
    assert apply("new.yaml", None, (0, 0, "ours"))[0] is False
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"new.yaml": b"theirs"}


@pytest.mark.parametrize("path", ["../m.fbs", "folder/m.fbs", "link.fbs", ".git/hooks/m.fbs", ".GIT/config"])
def test_nothing_is_written_elsewhere(tmp_path, path):
    top, outside = tmp_path / "top", tmp_path / "outside"
    for folder in (top / ".git/hooks", top / ".GIT", outside):
        folder.mkdir(parents=True, exist_ok=True)
    for file in (tmp_path / "m.fbs", outside / "m.fbs", top / ".git/hooks/m.fbs", top / ".GIT/config"):
        file.write_bytes(b"abc")
    (top / "folder").symlink_to(outside)
    (top / "link.fbs").symlink_to(outside / "m.fbs")
    assert _FixSession(str(top)).apply(plan([fix(TextFile(path, b"abc"), (0, 3, "x"))])) is False
    assert {(top / path).read_bytes(), (outside / "m.fbs").read_bytes(), (tmp_path / "m.fbs").read_bytes()} == {b"abc"}


def test_what_was_done_can_be_taken_back(tmp_path):
    (tmp_path / "a").write_bytes(b"abc")
    made = _FixSession(str(tmp_path))
    files = TextFile("a", b"abc"), TextFile("new", None)
    assert made.apply(plan([fix(files[0], (0, 1, "x")), fix(files[1], (0, 0, "x"))]))
    made.revert()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"abc"}


@pytest.mark.skipif(os.name == "nt", reason="there is no such signal")
def test_a_killed_program_leaves_the_old_or_the_new_file(tmp_path):
    schema = "table T {{ a:int;{} c:int; }}\n" + "// a line\n" * 20_000
    old, new = (schema.format(text) for text in ("", " b:string (deprecated);"))
    repository = Repository.make(tmp_path / "r", {"specs/m.fbs": schema.format(" b:string;")})
    command = [sys.executable, "-m", "opspec_lint", "check", "--fix"]
    started = time.monotonic()
    repository.write({"specs/m.fbs": old})
    assert repository.run(*command).returncode == 0
    whole = time.monotonic() - started
    for part in range(8):
        repository.write({"specs/m.fbs": old})
        with subprocess.Popen(
            command,
            cwd=repository.top,
            env=repository.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            time.sleep(whole * (0.3 + 0.1 * part))
            process.send_signal(signal.SIGKILL)
        assert (repository.top / "specs/m.fbs").read_text() in {old, new}
