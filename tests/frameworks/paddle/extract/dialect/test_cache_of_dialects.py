"""What was read of a tree's PIR ops is used again where nothing that it depends on has changed."""

from __future__ import annotations

import pytest

from opspec_lint.frameworks.paddle.extract.dialect import completion, extraction, extractor, ops
from opspec_lint.frameworks.paddle.sources.pir_source import SOURCE
from opspec_lint.kit.bounded_cache import BoundedCache
from opspec_lint.sources import cache
from tests.support.trees.paddle_trees import Memory
from tests.support.trees.pir_trees import (
    BASE,
    DIALECT,
    GENERATOR,
    HAND,
    HAND_CODE,
    HAND_HEADER,
    SCRIPT,
    YAML,
    shown,
    tree,
)

OPS = "- op : ff\n  args : (Tensor x, Scalar value = 1)\n  output : Tensor\n"
COMPAT = "- op : ff\n  scalar :\n    value :\n      data_type : {}\n"
MARKED = "- op : ff\n  args : (Tensor x, Scalar value)\n  output : Tensor\n  support_tensor : [value]\n"


@pytest.fixture
def store(tmp_path):
    return cache.open_store({"XDG_CACHE_HOME": str(tmp_path)}, "paddle-pir-source", SOURCE.tree.folders)


def read(store, files, key=None):
    given = Memory(files)
    return extraction.extract(given, store, key), set(given.was_read)


def test_a_file_that_is_the_same_is_not_read_again(store):
    files = tree(OPS, COMPAT.format("float"), {f"{HAND}.h": HAND_HEADER, f"{HAND}.cc": HAND_CODE})
    first, was_read = read(store, files)
    assert {f"{YAML}/ops.yaml", f"{HAND}.cc", f"{GENERATOR}/op_gen.py"} <= was_read
    again, was_read = read(store, files)
    assert was_read == set()
    assert again == first
    another, was_read = read(store, files | {f"{DIALECT}/own.yaml": OPS.replace("ff", "gg")})
    assert f"{HAND}.cc" not in was_read
    assert another.ops.keys() - first.ops.keys() == {"pd_op.gg"}


@pytest.fixture
def extract_anew(monkeypatch):
    def extract(files):
        monkeypatch.setattr(ops, "_MADE", BoundedCache())
        monkeypatch.setattr(extractor, "_CONTENTS", BoundedCache())
        monkeypatch.setattr(completion, "_NAMED", BoundedCache())
        return extraction.extract(Memory(files))

    return extract


def test_whatever_an_op_depends_on_makes_it_anew(store, extract_anew):
    files = tree(OPS, COMPAT.format("float"))
    changes = {
        f"{YAML}/op_compat.yaml": COMPAT.format("int"),
        f"{GENERATOR}/op_gen.py": SCRIPT.replace("is_mutable_attribute", ""),
        f"{DIALECT}/CMakeLists.txt": BASE[f"{DIALECT}/CMakeLists.txt"].replace("pd_op)", "pd)"),
        f"{GENERATOR}/gen_utils.py": BASE[f"{GENERATOR}/gen_utils.py"].replace("pir::Int", "pir::UInt"),
        f"{YAML}/ops.yaml": OPS.replace("= 1", "= 2"),
    }
    for path, text in changes.items():
        changed = files | {path: text}
        first, expected = extract_anew(files), extract_anew(changed)
        read(store, files)
        actual, _ = read(store, changed)
        assert actual == expected
        assert actual != first or path.endswith("gen_utils.py")


def test_names_follow_op_compat_where_the_op_stays(extract_anew):
    files = tree(OPS, "- op : ff (gg)\n")
    renamed = files | {f"{YAML}/op_compat.yaml": "- op : ff (hh)\n"}
    first, expected = extract_anew(files), extract_anew(renamed)
    assert extraction.extract(Memory(files)) == first != expected
    assert extraction.extract(Memory(renamed)) == expected


def test_an_entry_that_moved_has_its_new_place(extract_anew):
    files = tree(OPS)
    moved = files | {f"{YAML}/ops.yaml": f"\n{OPS}"}
    first, expected = extract_anew(files), extract_anew(moved)
    assert extraction.extract(Memory(files)) == first != expected
    assert extraction.extract(Memory(moved)) == expected


def test_an_entry_that_stays_is_neither_read_nor_made_again(monkeypatch):
    first = extraction.extract(Memory(tree(OPS)))
    monkeypatch.setattr(extractor.entry, "read_entry", None)
    monkeypatch.setattr(ops, "_OpBuilder", None)
    second = extraction.extract(Memory(tree(OPS, COMPAT.format("int").replace("ff", "gg"))))
    assert second.ops == first.ops != {}


def test_what_a_single_file_does_to_op_compat_reaches_the_files_behind_it(store):
    grad = "- backward_op : ff_grad\n  forward : ff(Scalar value) -> Tensor\n  args : (Scalar value)\n  output :\n"
    files = tree(OPS, COMPAT.format("float"), {f"{YAML}/backward.yaml": grad})
    first, _ = read(store, files)
    second, _ = read(store, files | {f"{YAML}/ops.yaml": MARKED})
    assert [len(shown(result.ops["pd_op.ff_grad"])[0]) for result in (first, second)] == [0, 1]


def test_a_tree_of_a_commit_is_detected_as_a_whole(store):
    files = tree(OPS) | {"paddle": "the id of the folder"}
    first, _ = read(store, files, "commit")
    again, was_read = read(store, files, "commit")
    assert again == first
    assert again.ops
    assert was_read == set()


class Commit(Memory):
    """A tree whose folders have ids."""

    def identify(self, paths):
        folders = {
            path: {item: text for item, text in self.files.items() if item.startswith(f"{path}/")} for path in paths
        }
        ids = {path: str(hash(frozenset(inside.items()))) for path, inside in folders.items() if inside}
        return super().identify(paths) | ids


def committed(store, files):
    given = Commit(files)
    return extraction.extract(given, store, "commit"), set(given.was_read)


def test_a_tree_in_which_nothing_changed_is_not_made_again(store, monkeypatch):
    first, _ = committed(store, tree(OPS, COMPAT.format("float")))
    edited, _ = committed(store, tree(OPS, COMPAT.format("int")))
    monkeypatch.setattr(extractor, "OpMaker", None)
    another, was_read = committed(store, tree(OPS, COMPAT.format("int"), {"paddle/other.cc": "x"}))
    assert was_read == set()
    assert another == edited != first


def test_a_tree_without_a_key_leaves_nothing_that_another_is_taken_for(store):
    committed(store, tree(OPS, COMPAT.format("float")))
    staged, _ = read(store, tree(OPS, COMPAT.format("int")))
    actual, _ = committed(store, tree(OPS, COMPAT.format("int")))
    assert actual == staged == read(cache.NO_STORE, tree(OPS, COMPAT.format("int")))[0]
