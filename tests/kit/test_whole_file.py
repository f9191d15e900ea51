from __future__ import annotations

import errno
import os
import threading

import pytest

from opspec_lint.kit import whole_file
from opspec_lint.kit.held_folder import hold_folder

PREFIX = ".ours-"


def write(path, data=b"new", **more):
    with hold_folder(str(path.parent)) as folder:
        whole_file.write_in(folder, path.name, (data,), prefix=PREFIX, **more)


def test_the_file_is_whole_and_alone(tmp_path):
    write(tmp_path / "it", mode=0o640)
    assert (tmp_path / "it").read_bytes() == b"new"
    assert (tmp_path / "it").stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["it"]


def test_what_a_killed_writer_left_is_swept_and_nothing_else(tmp_path):
    for name in (f"{PREFIX}abc.tmp", f"{PREFIX}abc", f"{PREFIX}abc.tmp.txt", "abc.tmp"):
        (tmp_path / name).write_text("x")
    (tmp_path / f"{PREFIX}folder.tmp").mkdir()
    (tmp_path / f"{PREFIX}link.tmp").symlink_to("abc.tmp")
    write(tmp_path / "it")
    kept = [f"{PREFIX}abc", f"{PREFIX}abc.tmp.txt", f"{PREFIX}folder.tmp", f"{PREFIX}link.tmp", "abc.tmp", "it"]
    assert sorted(os.listdir(tmp_path)) == sorted(kept)


def test_what_another_writer_is_at_is_not_swept(tmp_path, monkeypatch):
    real = os.fsync

    def another(handle):
        monkeypatch.setattr(os, "fsync", real)
        write(tmp_path / "other")
        assert len(os.listdir(tmp_path)) == 2
        real(handle)

    monkeypatch.setattr(os, "fsync", another)
    write(tmp_path / "it")
    assert sorted(os.listdir(tmp_path)) == ["it", "other"]


def test_a_writer_that_was_swept_before_it_had_its_lock_begins_anew(tmp_path, monkeypatch):
    real, swept = whole_file.fcntl.flock, []

    def flock(handle, how):
        if not swept:
            swept.extend(os.listdir(tmp_path))
            os.unlink(tmp_path / swept[0])
        real(handle, how)

    monkeypatch.setattr(whole_file.fcntl, "flock", flock)
    write(tmp_path / "it")
    assert swept
    assert os.listdir(tmp_path) == ["it"]


def test_without_locks_nothing_is_lost(tmp_path, monkeypatch):
    def none(*_):
        raise OSError(errno.ENOLCK, "no locks")

    monkeypatch.setattr(whole_file.fcntl, "flock", none)
    write(tmp_path / "it")
    monkeypatch.setattr(whole_file, "fcntl", None)
    write(tmp_path / "that")
    assert sorted(os.listdir(tmp_path)) == ["it", "that"]


def test_a_failure_leaves_the_old_file_alone(tmp_path, monkeypatch):
    def fail(*_, **__):
        raise OSError(errno.EIO, "no")

    (tmp_path / "it").write_text("old")
    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="no"):
        write(tmp_path / "it")
    assert (tmp_path / "it").read_text() == "old"
    assert os.listdir(tmp_path) == ["it"]


def test_many_writers_at_once(tmp_path):
    def several(number):
        for _ in range(40):
            write(tmp_path / "it", b"%d" % number * 5000)

    threads = [threading.Thread(target=several, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert os.listdir(tmp_path) == ["it"]
    content = (tmp_path / "it").read_bytes()
    assert content == content[:1] * 5000


def test_many_files_in_a_folder_are_written_in_linear_time(tmp_path, monkeypatch):
    listed = []
    monkeypatch.setattr(whole_file, "_sweep", lambda folder, _: listed.append(len(folder.names())))
    for number in range(100):
        whole_file.write(str(tmp_path / str(number)), b"", prefix="p")
    assert sum(listed) < 2 * 100
