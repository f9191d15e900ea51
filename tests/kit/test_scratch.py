"""Temporary folders are deleted after use, and those that were left behind by the next program."""

from __future__ import annotations

import signal
import stat
import threading

import pytest

from opspec_lint.kit import scratch
from opspec_lint.kit.errors import Terminated


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def test_a_folder_is_empty_and_private_and_deleted_afterwards(place):
    with scratch.folder() as folder:
        assert folder.parent == place
        assert list(folder.iterdir()) == []
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        (folder / "file").write_text("x")
    assert list(place.iterdir()) == []


def test_it_is_deleted_after_an_error(place):
    with pytest.raises(ValueError, match="x"), scratch.folder():
        raise ValueError("x")
    assert list(place.iterdir()) == []


def test_what_was_left_behind_is_swept_and_nothing_else(place):
    left = place / f"{scratch.PREFIX}left"
    (left / "deep").mkdir(parents=True)
    (left / "deep" / "link").symlink_to(place)
    elsewhere = place / "elsewhere"
    elsewhere.mkdir()
    (place / f"{scratch.PREFIX}link").symlink_to(elsewhere)
    (place / f"{scratch.PREFIX}file").write_text("x")
    (place / "opspec-lint-x").mkdir()
    with scratch.folder() as first, scratch.folder() as two:
        assert not left.exists()
        assert first.exists()
        assert two.exists()
    assert sorted(path.name for path in place.iterdir()) == [
        "elsewhere",
        "opspec-lint-run-file",
        "opspec-lint-run-link",
        "opspec-lint-x",
    ]


def test_a_folder_of_another_user_is_not_swept(place, monkeypatch):
    left = place / f"{scratch.PREFIX}left"
    left.mkdir()
    monkeypatch.setattr("os.geteuid", lambda: left.stat().st_uid + 1)
    scratch.sweep(str(place))
    assert left.exists()


def test_a_signal_is_raised_within_and_ends_the_program_again_afterwards(place):
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(Terminated) as caught, scratch.folder():
        signal.raise_signal(signal.SIGTERM)
    assert caught.value.number == signal.SIGTERM
    assert signal.getsignal(signal.SIGTERM) is before
    assert list(place.iterdir()) == []


@pytest.mark.usefixtures("place")
def test_a_handler_of_the_caller_stays():
    got = []
    before = signal.signal(signal.SIGTERM, lambda *_: got.append(1))
    try:
        with scratch.folder():
            signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert got == [1]


@pytest.mark.usefixtures("place")
def test_a_thread_sets_no_handlers():
    result = []

    def use():
        with scratch.folder() as folder:
            result.append(folder.exists())

    thread = threading.Thread(target=use)
    thread.start()
    thread.join()
    assert result == [True]
