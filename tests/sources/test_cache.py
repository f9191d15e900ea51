"""Entries of the cache: the code that they belong to, and when they are decoded."""

from __future__ import annotations

import os

import pytest

from opspec_lint import __version__
from opspec_lint.sources import cache


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Return a function that installs a module and the notes on it, and returns what identifies the code."""

    def install(folder, content, *, edited=0, noted="abc"):
        top = tmp_path / folder / "opspec_lint"
        notes = tmp_path / folder / f"opspec_lint-{__version__}.dist-info"
        for item in (top / "sources", notes):
            item.mkdir(parents=True)
        module, record = top / "sources" / "parts.py", notes / "RECORD"
        module.write_text(content)
        record.write_text(f"../bin/opspec-lint,sha256={folder},9\nopspec_lint/sources/parts.py,sha256={noted},9\n")
        now = os.stat(record).st_mtime_ns
        os.utime(module, ns=(now, now + edited))
        monkeypatch.setattr(cache, "_PACKAGE", str(top))
        return cache.identity_of_code((str(top / "sources"),))

    return install


def test_another_installation_is_the_same_code(installed):
    assert installed("one", "x = 1") == installed("two", "x = 1")


def test_another_content_is_another_code(installed):
    assert installed("one", "x = 1") != installed("two", "x = 2", noted="def")


def test_a_module_that_was_edited_is_another_code(installed):
    assert installed("one", "x = 1") != installed("two", "x = 2", edited=1)


def test_modules_that_nobody_noted_are_reported_by_their_times(tmp_path):
    (tmp_path / "module.py").write_text("x = 1")
    first = cache.identity_of_code((str(tmp_path),))
    cache.identity_of_code.cache_clear()
    os.utime(tmp_path / "module.py", ns=(1, 1))
    assert cache.identity_of_code((str(tmp_path),)) != first


def test_a_full_entry_is_decoded_once_in_a_process(tmp_path, monkeypatch):
    """Base and head of a check begin with the same entry. Each gets a copy, which it updates in place."""
    decoded = []
    decode = cache._decode
    monkeypatch.setattr(cache, "_decode", lambda key, data: decoded.append(key) or decode(key, data))
    (tmp_path / "module.py").touch()

    def store():
        return cache.Store(str(tmp_path / "cache"), (str(tmp_path),))

    key = store().name("parts", "tree")
    store().save(key, {"ops": {"a": 1}, "table": [1]})
    first = store().latest("parts")
    first["ops"]["b"] = first["new"] = 2
    first["table"].append(2)
    assert store().latest("parts") == {"ops": {"a": 1}, "table": [1]}
    assert decoded == [key]
    store().save(key, {"ops": {"a": 3}, "table": [1]})
    assert store().latest("parts")["ops"] == {"a": 3}
    assert decoded == [key, key]
