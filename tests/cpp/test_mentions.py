"""The files that mention a name are found by whole words, and once for each content."""

from __future__ import annotations

import pytest

from opspec_lint.cpp import mentions
from opspec_lint.cpp.files import CppFiles
from opspec_lint.cpp.mentions import mentioning
from opspec_lint.kit.bounded_cache import BoundedCache
from tests.support.trees.paddle_trees import Memory

TEXTS = {
    "R(add)": True,
    "R(a\\\ndd)": True,
    "R( /* the op */ add, X)": True,
    "// add\n": True,
    "#define R \\\n  add": True,
    "R(paddle)": False,
    "R(add_n)": False,
    "R(x_add)": False,
    "": False,
}


@pytest.mark.parametrize("text", TEXTS)
def test_names_are_whole_identifiers(text):
    tree = Memory({"a.cc": text})
    paths = mentioning(CppFiles(tree, "", ()), tree.identify(["a.cc"]), ["a.cc"], frozenset({"add", "mul"}))
    assert paths == ({"a.cc"} if TEXTS[text] else frozenset())


def test_a_content_is_searched_once():
    tree = Memory({"a.cc": "R(read_once)", "b.cc": "R(read_once)"})
    for path in ("a.cc", "b.cc", "b.cc"):
        assert mentioning(CppFiles(tree, "", ()), tree.identify([path]), [path], frozenset({"read_once"})) == {path}
    assert tree.was_read == ["a.cc"]


def test_a_full_cache_hides_no_file(monkeypatch):
    monkeypatch.setattr(mentions, "_MENTIONED", BoundedCache(most=2))
    tree = Memory({"a.cc": "R(f)", "b.cc": "R(f) ", "c.cc": "R(f)  "})
    files, names = CppFiles(tree, "", ()), frozenset("f")
    for paths in (["a.cc"], ["a.cc", "b.cc", "c.cc"]):
        assert mentioning(files, tree.identify(paths), paths, names) == {*paths}
