"""One runner starts every interpreter of the user: limits hold from the start, and the process ends with this one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from opspec_lint.interpreters import _supervisor, messages
from opspec_lint.interpreters.runner import Interpreter, Limits, run
from opspec_lint.kit import scratch
from opspec_lint.kit.errors import InputError
from tests.support import signals
from tests.support.paths import TOP
from tests.support.patience import PATIENCE, until

PRINTS = "import sys\nopen(sys.argv[1], 'w').write('said')\n"


def interpreter(python=sys.executable, **environment):
    return Interpreter(python=str(python), called="x", alternative="other", environment={**os.environ, **environment})


def ended(text, *, task=None, python=sys.executable, environment=None, **limits):
    return run(interpreter(python, **(environment or {})), text, Limits(**{"seconds": PATIENCE} | limits), task)


def script(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_a_text_answers():
    result = ended(PRINTS + "print('talks')")
    assert (result.answer, result.status, result.limit, result.output) == ("said", 0, "", "talks\n")


def test_a_text_may_have_a_task():
    assert ended("import sys\nopen(sys.argv[1], 'w').write(open(sys.argv[2]).read())", task="é").answer == "é"


def test_a_text_that_does_not_answer():
    result = ended("raise SystemExit(7)")
    assert (result.answer, result.status, result.limit) == (None, 7, "")


def test_the_last_of_a_long_output_is_kept():
    result = ended("import sys\nsys.stdout.write('x' * (1 << 20) + 'end')")
    assert result.output.endswith("xend")
    assert len(result.output) < 1 << 17


@pytest.mark.parametrize("talks", ["os.system('yes')", "while True: os.write(1, b'x' * 4096)"], ids=["child", "itself"])
def test_output_has_a_limit(talks):
    limits = Limits(file=1 << 20)
    result = ended(f"import os\n{talks}\nraise SystemExit(1)", file=limits.file)
    assert result.limit == "output"
    assert messages.describe_ending(result, limits).startswith("it printed 1 MiB, the most that it may")


def test_output_has_a_limit_before_python_starts(tmp_path):
    result = ended("", python=script(tmp_path / "python", "exec yes"), file=1 << 20)
    assert (result.limit, result.status) == ("output", -signal.SIGXFSZ)


def test_time_has_a_limit():
    result = ended(f"import time\ntime.sleep({PATIENCE})", seconds=1)
    assert (result.limit, result.answer) == ("time", None)
    assert messages.describe_ending(result, Limits(seconds=1)) == "no answer within 1 s"


def test_time_has_a_limit_before_python_starts(tmp_path):
    assert ended("", python=script(tmp_path / "python", f"sleep {PATIENCE}"), seconds=1).limit == "time"


@pytest.mark.parametrize("growths", [0, 1, 8])
def test_time_begins_anew_when_the_answer_grows(tmp_path, monkeypatch, growths):
    """A second passes whenever the supervisor looks at the clock; each time until the answer is whole, it grows."""
    answer, passed = tmp_path / "answer", []

    def monotonic():
        if len(passed) < growths:
            with answer.open("a", encoding="ascii") as stream:
                stream.write("x")
        passed.append(1)
        return float(len(passed))

    monkeypatch.setattr(_supervisor, "time", SimpleNamespace(monotonic=monotonic))
    monkeypatch.setattr(_supervisor, "INTERVAL", 0)
    job = {"command": ["sleep", str(PATIENCE)], "folder": str(tmp_path), "answer": str(answer)}
    actual = _supervisor.run_command(job | {"log": str(tmp_path / "log"), "seconds": 9, "space": 1 << 20})
    assert actual == {"limit": "time"}
    assert len(passed) > 9 + growths


def test_memory_has_a_limit():
    result = ended("held = bytearray(1 << 29)", memory=1 << 28)
    assert "MemoryError" in result.output
    assert ended(f"held = bytearray(1 << 29)\n{PRINTS}", memory=1 << 31).answer == "said"


def test_what_a_text_starts_has_the_same_limit_of_memory():
    text = "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'bytearray(1 << 29)'])"
    assert "MemoryError" in ended(text, memory=1 << 28).output


def test_a_file_has_a_limit(tmp_path):
    file = tmp_path / "file"
    assert "File too large" in ended(f"open({str(file)!r}, 'wb').write(bytes(1 << 21))", file=1 << 20).output
    assert file.stat().st_size <= 1 << 20


def test_files_of_the_folder_and_temporary_files_have_a_limit():
    text = """
import tempfile, time
for number in range(64):
    open(tempfile.mkstemp()[1] if number % 2 else str(number), "wb").write(bytes(1 << 16))
time.sleep(600)
"""
    limits = Limits(space=1 << 21)
    result = ended(text, space=limits.space)
    assert result.limit == "space"
    assert messages.describe_ending(result, limits) == "it wrote more than 2 MiB to files"


def test_many_empty_files_are_not_free():
    text = "import time\nfor number in range(600): open(str(number), 'w')\ntime.sleep(600)"
    assert ended(text, space=1 << 21).limit == "space"


def test_no_core_is_dumped():
    text = "import resource\nprint(resource.getrlimit(resource.RLIMIT_CORE))"
    assert ended(text).output == "(0, 0)\n"


def test_nothing_can_be_typed_and_the_folder_is_empty():
    text = "import os, sys\nprint(repr(sys.stdin.read()), sorted(os.listdir()))"
    assert ended(text).output.startswith("'' [")
    assert "opspec_lint" not in ended(text).output


@pytest.mark.parametrize("name", ["nowhere", "folder", "plain"])
def test_an_interpreter_that_is_none(tmp_path, name):
    (tmp_path / "folder").mkdir()
    (tmp_path / "plain").write_text("text")
    with pytest.raises(InputError, match=r"^x: (cannot be run: |is a directory; expected a Python interpreter)"):
        ended(PRINTS, python=tmp_path / name)


def test_a_signal_that_ends_a_text_is_reported():
    assert ended("import os\nos.abort()").status == -signal.SIGABRT


# What it leaves


WAITS = """
import subprocess, sys, tempfile, time
tempfile.mkstemp()
child = subprocess.Popen(["sleep", "300"])
open({file!r}, "w").write(str(child.pid))
time.sleep(300)
"""
CALLER = """
import os, sys
sys.path.insert(0, {top!r})
from opspec_lint.cli import main
from opspec_lint.interpreters.runner import Interpreter, Limits, run
from opspec_lint.kit.command_line import Outcome
def command(_):
    run(Interpreter(python=sys.executable, called="x", alternative="", environment=os.environ), {text!r}, Limits())
main._command = command
sys.exit(main.main([]))
"""


def runs(pid):
    """Tell whether a process is there, and is not one that only waits for its parent."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@pytest.fixture
def waiting(tmp_path):
    """A program that waits for an interpreter, the process that this one has started, and the temporary folder."""
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    file = tmp_path / "child"
    text = CALLER.format(top=str(TOP), text=WAITS.format(file=str(file)))
    with signals.in_the_foreground():
        process = subprocess.Popen([sys.executable, "-c", text], env={**os.environ, "TMPDIR": str(temporary)})
    try:
        until(lambda: file.exists() and file.read_text())
        yield process, int(file.read_text()), temporary
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129)])
def test_a_signal_ends_what_was_started_and_sweeps_its_folder(waiting, number, code):
    process, child, temporary = waiting
    assert runs(child)
    process.send_signal(number)
    assert process.wait(PATIENCE) == code
    until(lambda: not runs(child))
    assert list(temporary.iterdir()) == []


def test_what_was_started_ends_with_a_program_that_is_killed_and_the_next_sweeps_its_folder(waiting):
    process, child, temporary = waiting
    process.kill()
    until(lambda: not runs(child))
    (left,) = temporary.iterdir()
    ended(PRINTS)
    assert left.exists()
    process.wait()
    scratch.sweep(str(temporary))
    assert list(temporary.iterdir()) == []


def test_the_folder_of_a_program_that_runs_is_not_swept(waiting):
    _, _, temporary = waiting
    scratch.sweep(str(temporary))
    assert len(list(temporary.iterdir())) == 1
