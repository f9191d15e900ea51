from __future__ import annotations

import pytest

from opspec_lint.github import review_list
from opspec_lint.kit import named_file
from opspec_lint.kit.errors import UsageError
from opspec_lint.kit.named_file import read_named_file
from opspec_lint.project import config, waiver_file

READERS = {"list of reviews": review_list.read, "configuration": lambda path: config.read(path, None)}
READERS["file of waivers"] = waiver_file.read


@pytest.mark.parametrize("what", READERS)
def test_what_is_not_there_is_said(tmp_path, what):
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
