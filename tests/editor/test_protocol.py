"""Results in the types of the Language Server Protocol."""

from __future__ import annotations

import pytest

pytest.importorskip("lsprotocol")

from lsprotocol import converters

from opspec_lint.editor import protocol
from opspec_lint.editor.messages import FileEdits, FilePlace, FixAction, Mark


def mark(*files):
    action = FixAction(title="add a patch", is_safe=True, files=files)
    place = FilePlace(path="a.yaml", range=(0, 0, 0, 1))
    texts = {"group": "error", "rule": "r", "page": None, "fingerprint": "0", "message": "m", "explanation": "e"}
    return Mark(place=place, base=None, actions=(action,), **texts)


@pytest.mark.parametrize("is_new", [True, False])
def test_an_action_may_create_a_file(is_new):
    made = mark(FileEdits(path="4.yaml", is_new=is_new, edits=(((0, 0, 0, 0), "text"),)))
    (action,) = protocol.code_actions(made, lambda path: (f"file:///{path}", None), is_versioned=True)
    changes = converters.get_converter().unstructure(action)["edit"]["documentChanges"]
    created = {"kind": "create", "uri": "file:///4.yaml", "options": {"overwrite": False, "ignoreIfExists": False}}
    assert changes[:-1] == ([created] if is_new else [])
    assert changes[-1]["textDocument"]["uri"] == "file:///4.yaml"


def test_a_client_without_new_files_gets_no_such_action():
    made = mark(FileEdits(path="4.yaml", is_new=True, edits=()))
    assert not list(protocol.code_actions(made, lambda path: (path, None), is_versioned=False))
