from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import sys

import pytest

from opspec_lint.github import review_list
from opspec_lint.kit import named_file
from opspec_lint.kit.errors import UsageError
from opspec_lint.kit.named_file import read_named_file
from opspec_lint.project import config, waiver_file
from tests.support.paths import TOP
from tests.support.patience import PATIENCE
from tests.support.programs import run, spawn

READERS = {"list of reviews": review_list.read, "configuration": lambda path: config.read(path, None)}
READERS["file of waivers"] = waiver_file.read


@pytest.mark.parametrize("what", READERS)
def test_what_is_not_there_is_reported(tmp_path, what):
    with pytest.raises(UsageError, match="cannot be read: No such file") as caught:
        READERS[what](str(tmp_path / "none.yaml"))
    assert caught.value.advice


@pytest.mark.parametrize("what", READERS)
def test_what_is_read_is_bounded(tmp_path, monkeypatch, what):
    monkeypatch.setattr(named_file, "MAX_BYTES", 1 << 20)
    path = tmp_path / "large.yaml"
    path.write_bytes(b" " * (1 << 20) + b"!")
    with pytest.raises(UsageError, match=f"is larger than 1 MiB, the limit for a {what}"):
        READERS[what](str(path))


def test_a_file_of_just_that_size_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(named_file, "MAX_BYTES", 3)
    path = tmp_path / "file"
    path.write_bytes(b"abc")
    assert read_named_file(str(path), "file", "") == b"abc"


@pytest.mark.parametrize(
    "command",
    [
        "check BASE PIPE",
        "check PIPE BASE",
        "extract PIPE",
        "extract paddle-pir-wheel:PIPE.whl",
        "validate PIPE",
        "check BASE BASE --waivers PIPE",
        "check BASE BASE --config PIPE",
        "prove --store STORE BASE",
        "waive --baseline --owner o --between BASE BASE --waivers PIPE",
    ],
)
@pytest.mark.parametrize("is_link", [False, True])
def test_a_named_pipe_is_not_waited_for(tmp_path, monkeypatch, command, is_link):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "BASE").write_text('{"f": {"Inputs": {}, "Outputs": {}, "Attrs": {}}}')
    (tmp_path / "STORE" / "release").mkdir(parents=True)
    os.mkfifo("real")
    for name in ("PIPE", "PIPE.whl", "STORE/release/index.json"):
        os.symlink(tmp_path / "real", name) if is_link else os.mkfifo(name)
    ran = run(*command.split())
    assert ran.code in (2, 3)
    assert "a pipe, a socket or a device" in ran.out + ran.err


def test_a_socket_is_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("it")
        ran = run("extract", "it")
    assert (ran.code, "cannot be read" in ran.err) == (3, True)


@pytest.mark.parametrize("way", ["/dev/zero", "/dev/stdin", "-"])
def test_a_device_without_end_is_refused_after_a_block(way):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (300 << 20, 300 << 20))

    with open("/dev/zero", "rb") as endless:
        ran = spawn("extract", way, stdin=endless, preexec_fn=limit)
    assert (ran.returncode, b"a pipe, a socket or a device" in ran.stderr) == (3, True)


@pytest.mark.parametrize(
    "content", ["exec head -c 100M /dev/zero", r"printf '\377\377'; exec head -c 100M /dev/urandom"]
)
@pytest.mark.parametrize("way", ["/dev/stdin", "-"])
def test_a_pipe_that_begins_no_spec_is_read_no_further(content, way):
    """Let a program write to a pipe that cannot take all its output."""
    with subprocess.Popen(["sh", "-c", content], stdout=subprocess.PIPE) as writer:
        ran = spawn("extract", way, stdin=writer.stdout)
        writer.stdout.close()
    assert (ran.returncode, writer.returncode) == (3, -signal.SIGPIPE)
    assert b"is binary" in ran.stderr or b"is not UTF-8 text" in ran.stderr


@pytest.mark.parametrize("source", ["<(cat {0})", "/dev/stdin < {0}", "- < {0}", "/dev/stdin < <(cat {0})"])
def test_what_a_shell_gives_is_read(tmp_path, source):
    base = tmp_path / "base.json"
    base.write_text('{"f": {"Inputs": {}, "Outputs": {}, "Attrs": {}}}')
    script = f"{sys.executable} -m opspec_lint extract {source.format(base)}"
    ran = subprocess.run(["bash", "-c", script], cwd=TOP, capture_output=True, check=False, timeout=PATIENCE)
    assert (ran.returncode, b'"f"' in ran.stdout) == (0, True), ran.stderr


def test_an_empty_device_holds_nothing():
    ran = run("extract", "/dev/null")
    assert (ran.code, "/dev/null" in ran.err) == (3, True)
