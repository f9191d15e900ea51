"""`-` is standard output for every --output, and never the name of a file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from tests.support import paths
from tests.support.models import onnx_models
from tests.support.patience import PATIENCE
from tests.support.programs import run


@pytest.fixture(autouse=True)
def there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.onnx").write_bytes(onnx_models.whole())


@pytest.mark.parametrize(
    "texts",
    [
        ("extract", "paddle@1.8.5"),
        ("check", "paddle@2.6.2", "paddle@3.0.0", "--op", "relu"),
        ("show", "m.onnx"),
    ],
)
def test_a_text_goes_to_standard_output(tmp_path, texts):
    ran, plain = run(*texts, "--output", "-"), run(*texts)
    assert (ran.code, ran.out, ran.err) == (plain.code, plain.out, plain.err)
    assert ran.out
    assert [path.name for path in tmp_path.iterdir()] == ["m.onnx"]


@pytest.mark.parametrize("option", ["--output", "--store"])
def test_standard_output_is_no_folder(tmp_path, option):
    ran = run("prove", "paddle@2.6.2", "paddle@3.0.0", "--op", "relu", option, "-")
    assert (ran.code, ran.out) == (2, "")
    assert f"{option} names a folder, and - is standard output" in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["m.onnx"]


@pytest.mark.skipif(sys.platform != "linux", reason="fills a pipe whose size Linux tells")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_write_that_is_interrupted_is_continued(unbuffered):
    """A process that is stopped while it waits for the reader of a pipe has written a part when it goes on."""
    import fcntl
    import termios

    command = [sys.executable, "-m", "opspec_lint", "rules", "--format", "json"]
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered, "PYTHONPATH": str(paths.TOP)}
    whole = run("rules", "--format", "json").out.encode()
    assert len(whole) > 3 * 65536
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        size = fcntl.fcntl(process.stdout, fcntl.F_GETPIPE_SZ)
        end = time.monotonic() + PATIENCE
        while int.from_bytes(fcntl.ioctl(process.stdout, termios.FIONREAD, b"\0" * 4), sys.byteorder) < size:
            assert time.monotonic() < end
            time.sleep(0.01)
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
        process.send_signal(signal.SIGCONT)
        time.sleep(0.1)  # the write ends before the pipe is read
        assert process.stdout.read() == whole
    assert process.returncode == 0
