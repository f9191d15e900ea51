from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
from functools import partial

import pytest

from opspec_lint.cli import main, output
from opspec_lint.kit.errors import FAILED, OpspecError, UsageError
from tests.support.patience import PATIENCE

NO_SPACE = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture
def old(tmp_path):
    file = tmp_path / "report.txt"
    file.write_text("old")
    return file


def test_a_new_file(tmp_path):
    file = tmp_path / "new.txt"
    output.write(str(file), "größe\n")
    assert file.read_bytes() == "größe\n".encode()
    assert os.listdir(tmp_path) == ["new.txt"]


def test_a_relative_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    output.write("new.txt", "new")
    assert (tmp_path / "new.txt").read_text() == "new"


@pytest.mark.parametrize("make", [output.write, partial(output.write, is_new=True)], ids=["write", "create"])
def test_a_file_is_created_with_the_folder_that_it_needs(tmp_path, make):
    file = tmp_path / "a" / "new.txt"
    make(str(file), "größe\n", makes_folder=True)
    assert file.read_bytes() == "größe\n".encode()
    assert os.listdir(file.parent) == ["new.txt"]


@pytest.mark.parametrize("kind", ["file", "folder", "link", "link to a file"])
def test_nothing_is_created_in_place_of_what_is_there(tmp_path, kind):
    file, another = tmp_path / "it", tmp_path / "other"
    another.write_text("other")
    if kind == "file":
        file.write_text("old")
    elif kind == "folder":
        file.mkdir()
    else:
        file.symlink_to(another if kind == "link to a file" else "nowhere")
    before = sorted(os.listdir(tmp_path)), os.lstat(file)
    with pytest.raises(UsageError, match="already exists"):
        output.write(str(file), "new", is_new=True)
    assert (sorted(os.listdir(tmp_path)), os.lstat(file)) == before
    assert another.read_text() == "other"


def test_what_cannot_be_created_leaves_nothing(tmp_path, monkeypatch):
    def full(*_):
        raise NO_SPACE

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OpspecError, match="cannot be written: No space left"):
        output.write(str(tmp_path / "it"), "new", is_new=True)
    assert os.listdir(tmp_path) == []


def test_an_old_file_is_replaced(old):
    output.write(str(old), "new")
    assert old.read_text() == "new"
    assert os.listdir(old.parent) == [old.name]


def test_what_utf_8_cannot_hold_is_written_out(tmp_path):
    output.write(str(tmp_path / "a"), "\ud800")
    assert (tmp_path / "a").read_bytes() == b"\\ud800"


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_the_mode_of_a_new_file_is_that_of_any(tmp_path, mask):
    before = os.umask(mask)
    try:
        output.write(str(tmp_path / "ours"), "")
        (tmp_path / "theirs").write_text("")
        assert os.umask(mask) == mask
    finally:
        os.umask(before)
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "theirs").stat().st_mode


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755])
def test_the_mode_of_an_old_file_stays(old, mode):
    old.chmod(mode)
    output.write(str(old), "new")
    assert old.stat().st_mode & 0o7777 == mode


@pytest.mark.parametrize("step", ["fsync", "replace", "chmod"])
@pytest.mark.parametrize("error", [NO_SPACE, KeyboardInterrupt()], ids=["disk full", "interrupted"])
def test_a_failed_write_leaves_the_old_file_and_nothing_else(old, monkeypatch, step, error):
    def fail(*_args, **_kwargs):
        raise error

    monkeypatch.setattr(os, step, fail)
    with pytest.raises((OpspecError, KeyboardInterrupt)) as caught:
        output.write(str(old), "new")
    assert old.read_text() == "old"
    assert os.listdir(old.parent) == [old.name]
    if error is NO_SPACE:
        assert str(caught.value) == f"{old}: cannot be written: No space left on device"
        assert caught.value.exit_code == FAILED
        assert caught.value.advice


def test_a_disk_that_is_full_ends_the_program_with_3(old, monkeypatch, capsys):
    def fail(*_args):
        raise NO_SPACE

    spec = old.parent / "ops.json"
    spec.write_text('{"relu": {"Inputs": {}, "Outputs": {}, "Attrs": {}}}')
    monkeypatch.setattr(os, "fsync", fail)
    assert main.main(["check", str(spec), str(spec), "--output", str(old)]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert "No space left on device" in err
    assert old.read_text() == "old"


@pytest.mark.parametrize("is_far", [False, True])
@pytest.mark.parametrize("target", ["old", "nowhere", "/dev/null", "."])
def test_nothing_is_written_through_a_link(tmp_path, monkeypatch, target, is_far):
    (tmp_path / "old").write_text("old")
    (tmp_path / "link").symlink_to(target)
    monkeypatch.chdir("/" if is_far else tmp_path)
    with pytest.raises(OpspecError, match="link is a symbolic link") as caught:
        output.write(str(tmp_path / "link"), "new")
    assert caught.value.advice.startswith("name what it leads to")
    assert os.readlink(tmp_path / "link") == target
    assert (sorted(os.listdir(tmp_path)), (tmp_path / "old").read_text()) == (["link", "old"], "old")


def test_a_link_may_be_on_the_way_inside_of_the_current_folder_and_not_out_of_it(tmp_path, monkeypatch):
    for name in ("here/real", "outside"):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    os.symlink("real", "inside")
    os.symlink("../outside", "out")
    output.write("inside/a/it", "new", makes_folder=True)
    assert (tmp_path / "here/real/a/it").read_text() == "new"
    with pytest.raises(OpspecError, match="out/a is a symbolic link"):
        output.write("out/a/it", "new", makes_folder=True)
    assert os.listdir(tmp_path / "outside") == []
    output.write("../outside/it", "new")
    assert (tmp_path / "outside/it").read_text() == "new"


@pytest.mark.parametrize("name", ["link/it", "a/link/it", "a/last", "../it", ".", "a/../../it", "a/folder", "a/pipe"])
def test_below_a_folder_no_link_is_followed_and_no_way_out(tmp_path, name):
    top, outside = tmp_path / "top", tmp_path / "outside"
    (top / "a" / "folder").mkdir(parents=True)
    outside.mkdir()
    (outside / "it").write_text("old")
    (top / "link").symlink_to(outside)
    (top / "a" / "link").symlink_to(outside)
    (top / "a" / "last").symlink_to(outside / "it")
    os.mkfifo(top / "a" / "pipe")
    with pytest.raises(OpspecError, match="cannot be written"):
        output.write(str(top / name), "new", below=str(top), makes_folder=True)
    assert (outside / "it").read_text() == "old"
    assert (sorted(os.listdir(tmp_path)), os.listdir(outside)) == (["outside", "top"], ["it"])
    assert sorted(os.listdir(top / "a")) == ["folder", "last", "link", "pipe"]


def test_a_folder_that_is_a_link_is_not_written_below(tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "store").symlink_to("outside")
    with pytest.raises(OpspecError, match="store is a symbolic link"):
        output.write(str(tmp_path / "store/a/it"), "new", below=str(tmp_path / "store"), makes_folder=True)
    assert os.listdir(tmp_path / "outside") == []


def test_a_folder_that_becomes_a_link_meanwhile_is_not_followed(tmp_path, monkeypatch):
    real, outside = os.fsync, tmp_path / "outside"
    outside.mkdir()

    def swap(handle):
        os.rename(tmp_path / "top/a", tmp_path / "moved")
        os.symlink(outside, tmp_path / "top/a")
        real(handle)

    monkeypatch.setattr(os, "fsync", swap)
    output.write(str(tmp_path / "top/a/it"), "new", below=str(tmp_path / "top"), makes_folder=True)
    assert (os.listdir(outside), os.listdir(tmp_path / "moved")) == ([], ["it"])


def test_a_link_that_comes_at_the_last_moment_is_replaced_and_not_followed(tmp_path, monkeypatch):
    real = os.fsync
    (tmp_path / "old").write_text("old")

    def swap(handle):
        os.symlink("old", tmp_path / "it")
        real(handle)

    monkeypatch.setattr(os, "fsync", swap)
    output.write(str(tmp_path / "it"), "new")
    assert ((tmp_path / "it").read_text(), (tmp_path / "old").read_text()) == ("new", "old")


def test_a_file_that_is_read_only_stays(old):
    old.chmod(0o444)
    with pytest.raises(OpspecError, match="is read-only"):
        output.write(str(old), "new")
    assert old.read_text() == "old"


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser gives files away")
def test_the_owner_of_an_old_file_stays(old):
    os.chown(old, 1234, 2345)
    output.write(str(old), "new")
    assert (old.stat().st_uid, old.stat().st_gid) == (1234, 2345)


def test_a_name_that_no_file_can_have(tmp_path):
    with pytest.raises(OpspecError, match="cannot be written"):
        output.write(str(tmp_path / "a\0b"), "new")


def test_a_pipe_that_no_program_reads_is_an_error(tmp_path):
    """One that others have laid in the place of a report would hold us up for ever."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OpspecError, match="cannot be written: no program reads the pipe"):
        output.write(str(tmp_path / "pipe"), "text")


def test_a_pipe_is_written_to_directly(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    output.write(str(pipe), "text")
    reader.join(10)
    assert read == ["text"]
    assert os.listdir(tmp_path) == ["pipe"]


@pytest.mark.parametrize(
    "place", ["no/such/folder/report.txt", "report.txt/below", "report.txt/below/it", "link/report.txt", ".", ""]
)
def test_where_nothing_can_be_written(old, monkeypatch, place):
    monkeypatch.chdir(old.parent)
    (old.parent / "link").symlink_to("nowhere")
    with pytest.raises(OpspecError, match="cannot be written") as caught:
        output.write(place, "new")
    assert caught.value.exit_code == FAILED
    assert old.read_text() == "old"


@pytest.mark.parametrize("to_file", [False, True])
def test_standard_output_by_name(tmp_path, to_file):
    program = "from opspec_lint.cli.output import write; write('/dev/stdout', 'text')"
    command = [sys.executable, "-c", program]
    if to_file:
        with open(tmp_path / "out", "w", encoding="utf-8") as stream:
            subprocess.run(command, stdout=stream, check=True, timeout=PATIENCE)
        assert (tmp_path / "out").read_text() == "text"
    else:
        assert subprocess.run(command, capture_output=True, check=True, timeout=PATIENCE).stdout == b"text"


@pytest.mark.parametrize("mode", [">", ">>"])
def test_our_own_standard_output_keeps_what_it_held(tmp_path, mode):
    """`/dev/stdout` is another name of a file that others write to as well."""
    program = f"import sys; sys.path.insert(0, {os.getcwd()!r}); from opspec_lint.cli.output import write"
    script = (
        f'{{ echo HEAD; {sys.executable} -c "{program}; write({"/dev/stdout"!r}, {"text"!r})"; echo TAIL; }} {mode} log'
    )
    (tmp_path / "log").write_text("OLD\n")
    subprocess.run(["sh", "-c", script], cwd=tmp_path, check=True)
    assert (tmp_path / "log").read_text() == ("OLD\n" if mode == ">>" else "") + "HEAD\ntextTAIL\n"
