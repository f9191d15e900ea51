"""Places as an editor counts them, the folder of a check, the texts that stand for files, and documents of base."""

from __future__ import annotations

import pytest

from opspec_lint.editor import base_document
from opspec_lint.editor.folders import folder_of
from opspec_lint.editor.lines import Lines
from opspec_lint.editor.messages import BasePlace
from opspec_lint.editor.unsaved import unsaved_contents
from tests.support.repositories import Repository


@pytest.mark.parametrize(("encoding", "start", "end"), [("utf-8", 7, 10), ("utf-16", 4, 7), ("utf-32", 3, 6)])
def test_columns_are_in_the_units_of_the_client(encoding, start, end):
    lines = Lines({"a": "x\né😀 abc\n".encode()}.get, encoding)
    assert lines.range_at("a", 2, 4) == (1, start, 1, end)
    assert lines.position("a", 2, 4) == (1, start)


def test_a_place_behind_the_end_is_empty():
    lines = Lines({"a": b"x"}.get, "utf-16")
    assert lines.range_at("a", 9, 9) == (8, 0, 8, 0)
    assert lines.range_at("none", 1, 1) == (0, 0, 0, 0)
    assert [lines.lacks(text) for text in ("a", "none")] == [False, True]


@pytest.mark.parametrize(
    ("configured", "file", "folder"),
    [
        ({}, "sub/deep/a.cc", ""),
        ({"opspec-lint.toml": ""}, "sub/deep/a.cc", ""),
        ({"sub/opspec-lint.yaml": "", "opspec-lint.toml": ""}, "sub/deep/a.cc", "sub"),
        ({"sub/pyproject.toml": "[tool.ruff]"}, "sub/deep/a.cc", ""),
        ({"sub/pyproject.toml": "[tool.opspec-lint]"}, "sub/deep/a.cc", "sub"),
        ({"sub/pyproject.toml": "[tool.opspec-lint]"}, "a.cc", ""),
    ],
)
def test_a_file_is_checked_where_its_configuration_is(tmp_path, configured, file, folder):
    made = Repository.make(tmp_path / "top", {"sub/deep/a.cc": "", "a.cc": "", **configured})
    assert folder_of(str(made.top / file)) == str((made.top / folder).resolve())


def test_what_is_in_no_repository_is_not_checked(tmp_path):
    made = Repository.make(tmp_path / "top", {"a": ""})
    assert folder_of(str(tmp_path / "a.cc")) is None
    assert folder_of(str(made.top / ".git" / "config")) is None


def test_texts_that_differ_represent_their_files(tmp_path):
    contents = {"same": b"a\r\n", "other": b"a\n", "marked": b"\xef\xbb\xbfa\n", "latin": b"\xe9"}
    for name, data in contents.items():
        (tmp_path / name).write_bytes(data)
    texts = {"same": "a\r\n", "other": "b\n", "marked": "b\n", "latin": "é", "none": "a"}
    actual, problems = unsaved_contents({str(tmp_path / name): text for name, text in texts.items()})
    assert actual == {
        str((tmp_path / "other").resolve()): b"b\n",
        str((tmp_path / "marked").resolve()): b"\xef\xbb\xbfb\n",
    }
    assert [problem.place.path for problem in problems] == [str(tmp_path / "latin"), str(tmp_path / "none")]
    assert not any(problem.is_error for problem in problems)


def test_a_document_of_base_is_read_at_its_commit(tmp_path):
    path = "folder/a name #1?.json"
    made = Repository.make(tmp_path / "top", {path: "old\n", "secret": "x"})
    place = BasePlace(top=str(made.top), commit=made.head, path=path, range=(0, 0, 0, 0))
    made.commit({path: None})
    uri = base_document.uri_of(place)
    assert base_document.text_of(uri, made.environment) == "old\n"
    for wrong in (uri.replace("old", "new") + "0", uri.partition("?")[0], "file:///etc/passwd?" + made.head, "x"):
        assert base_document.text_of(wrong, made.environment) is None


def test_a_document_that_is_not_in_the_commit_is_none(tmp_path):
    made = Repository.make(tmp_path / "top", {"a": "a"})
    for path in ("none", "../a", "gone/none"):
        place = BasePlace(top=str(made.top), commit=made.head, path=path, range=(0, 0, 0, 0))
        assert base_document.text_of(base_document.uri_of(place), made.environment) is None
