from __future__ import annotations

import os
import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from opspec_lint.frameworks.paddle.extract.tree import extraction
from opspec_lint.frameworks.paddle.sources.source import SOURCE
from opspec_lint.kit import whole_file
from opspec_lint.sources import cache
from tests.support.trees.paddle_trees import BASE, CLASS, OPERATORS, Memory, attrs_of, lost, remarks
from tests.support.trees.paddle_yaml import TREE, YAML
from tests.support.trees.paddle_yaml import entry as yaml_entry

CODE = SOURCE.tree.folders
OP = "class FOp : public framework::OperatorBase {};"
HEADER = f"{OPERATORS}/f_op.h"
FILES = {
    HEADER: "#define LIMIT 3\n#define REGISTER_F(name) REGISTER_OPERATOR(name, FOp, ops::FOpMaker)\n",
    f"{OPERATORS}/f_op.cc": f'#include "{HEADER}"\n{OP}'
    + CLASS.format(name="FOpMaker", body='AddAttr<int>("a", "").SetDefault(LIMIT);')
    + "REGISTER_F(f);",
    f"{OPERATORS}/g_op.cc": f"{OP}{CLASS.format(name='GOpMaker', body='')}REGISTER_OPERATOR(g, FOp, GOpMaker);",
}


def opened(tmp_path):
    return cache.open_store({"XDG_CACHE_HOME": str(tmp_path / "cache")}, "paddle-source", CODE)


@pytest.fixture(params=[0, 10**6], ids=["changes", "whole"])
def store(tmp_path, monkeypatch, request):
    """A cache that keeps what changed wherever it can, and one that never does."""
    monkeypatch.setattr(cache, "_SMALL_SHARE", request.param)
    return opened(tmp_path)


def extract(files, store, key=None, build="all"):
    tree = Memory(BASE | files)
    return extraction.extract(tree, build, store, key), tree


def entries(tmp_path):
    return sorted((tmp_path / "cache" / "opspec-lint" / "paddle-source").iterdir())


def test_a_second_look_reads_next_to_nothing_and_states_the_same(store):
    first, _ = extract(FILES, store, "tree")
    again, tree = extract(FILES, store, "tree")
    assert again == first
    assert tree.was_read == []
    again, _ = extract(FILES, cache.NO_STORE)
    assert again == first


def test_a_tree_with_faults_in_its_yaml_is_kept_as_well(store):
    twice = yaml_entry(more="  traits : t\n  traits : u")
    files = TREE | {f"{YAML}/ops.yaml": twice, f"{YAML}/op_compat.yaml": "- op : f\n  extra : []\n  unread : 1\n"}
    first, _ = extract(files, store, "tree")
    assert {op for op, *_ in remarks(first, "yaml_entry_wrong")} == {"f"}
    again, tree = extract(files, store, "tree")
    assert again == first
    assert tree.was_read == []


def test_only_what_changed_is_read_anew(store):
    extract(FILES, store)
    changed = FILES | {f"{OPERATORS}/g_op.cc": FILES[f"{OPERATORS}/g_op.cc"].replace("(g,", "(h,")}
    actual, tree = extract(changed, store)
    assert sorted(actual.ops) == ["f", "h"]
    assert f"{OPERATORS}/f_op.cc" not in tree.was_read
    assert actual == extract(changed, cache.NO_STORE)[0]


def test_what_another_reader_kept_is_not_used(store, tmp_path):
    extract(FILES, store, "tree")
    extract(FILES, store)
    for key in ("tree", None):
        (tmp_path / "code" / "deep").mkdir(parents=True, exist_ok=True)
        (tmp_path / "code" / "deep" / f"{key}.py").write_text("x = 1")
        cache.identity_of_code.cache_clear()  # as in another process
        code = (*CODE, str(tmp_path / "code"))
        store = cache.open_store({"XDG_CACHE_HOME": str(tmp_path / "cache")}, "paddle-source", code)
        _, tree = extract(FILES, store, key)
        assert f"{OPERATORS}/f_op.cc" in tree.was_read
        _, tree = extract(FILES, store, key)
        assert f"{OPERATORS}/f_op.cc" not in tree.was_read


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (HEADER, "LIMIT 3", "LIMIT 4"),
        (HEADER, "name, FOp", "name##2, FOp"),
        (f"{OPERATORS}/CMakeLists.txt", "", "register_operators(EXCLUDES f_op)"),
        ("paddle/fluid/framework/op_proto_maker.h", "0x1000", "0x2000"),
        ("paddle/fluid/framework/framework.proto", "optional bool extra = 6 [ default = false ];", ""),
    ],
)
def test_a_change_of_what_a_file_looks_at_changes_its_ops(store, path, old, new):
    before, _ = extract(FILES, store)
    files = BASE | FILES
    changed = files | {path: files[path].replace(old, new) if old else new}
    actual, _ = extract(changed, store)
    assert actual == extract(changed, cache.NO_STORE)[0]
    assert actual != before


def test_a_new_file_that_declares_a_class_which_was_nowhere(store):
    missing = {f"{OPERATORS}/l_op.cc": f"{OP}REGISTER_OPERATOR(l, FOp, ops::LMaker);"}
    before, _ = extract(FILES | missing, store)
    assert [item[0] for item in lost(before)] == ["l"]
    there = {f"{OPERATORS}/l_maker.h": CLASS.format(name="LMaker", body="")}
    result, _ = extract(FILES | missing | there, store)
    assert sorted(result.ops) == ["f", "g", "l"]


def test_builds_do_not_share_what_they_keep(store):
    gpu = {
        f"{OPERATORS}/f_op.cc": FILES[f"{OPERATORS}/f_op.cc"].replace(
            "(LIMIT)", "(\n#ifdef PADDLE_WITH_CUDA\n1\n#else\n2\n#endif\n)"
        )
    }
    assert attrs_of(extract(FILES | gpu, store, "tree", "cpu")[0]) == ["a: INT = 2"]
    assert attrs_of(extract(FILES | gpu, store, "tree", "gpu")[0]) == ["a: INT = 1"]


@pytest.mark.parametrize(
    "harm",
    [
        lambda data: data[:-1],
        lambda _: b"",
        lambda data: b"x" * len(data),
        lambda data: data[:70] + b"\0" + data[71:],
    ],
)
def test_a_damaged_entry_is_as_good_as_none(store, tmp_path, harm):
    first, _ = extract(FILES, store, "tree")
    for entry in entries(tmp_path):
        entry.write_bytes(harm(entry.read_bytes()))
    again, _ = extract(FILES, store, "tree")
    assert again == first


CHANGED = FILES | {f"{OPERATORS}/g_op.cc": FILES[f"{OPERATORS}/g_op.cc"].replace("(g,", "(h,")}


def test_an_entry_under_the_name_of_another_is_as_good_as_none(store, tmp_path):
    extract(FILES, store, "tree")
    extract(CHANGED, store)
    every = {entry: entry.read_bytes() for entry in entries(tmp_path)}
    assert sorted(entry.name.partition("-")[0] for entry in every) == ["parts.all", "parts.all", "tree"]
    for content in every.values():
        for entry, own in every.items():
            entry.write_bytes(content)
            assert (store.load(entry.name) is None) is (content != own)
        assert sorted(extract(FILES, store, "tree")[0].ops) == ["f", "g"]
        assert sorted(extract(CHANGED, store)[0].ops) == ["f", "h"]


@pytest.mark.parametrize("value", [{}, [], 1, "x", {"ops": 1}, {"context": 1}, ("a",), {1: 2}])
def test_an_entry_that_is_something_else_is_as_good_as_none(store, tmp_path, value):
    extract(FILES, store, "tree")
    for entry in entries(tmp_path):
        store.save(entry.name, value)
        assert store.load(entry.name) == value
    assert sorted(extract(FILES, store, "tree")[0].ops) == ["f", "g"]


@pytest.mark.parametrize("content", [b"", b"\xff", b"{\xff", b"[\xff\xff\xff\0", b"c", b"i\0"])
def test_an_entry_in_another_format_is_as_good_as_none(store, tmp_path, content):
    extract(FILES, store, "tree")
    for entry in entries(tmp_path):
        entry.write_bytes(cache._seal(entry.name, content) + content)
        assert store.load(entry.name) is None
    assert sorted(extract(FILES, store, "tree")[0].ops) == ["f", "g"]


def test_an_entry_of_another_user_is_as_good_as_none(store, tmp_path, monkeypatch):
    extract(FILES, store, "tree")
    (name, *_) = [entry.name for entry in entries(tmp_path)]
    assert store.load(name) is not None
    monkeypatch.setattr(os, "geteuid", lambda: 4711)
    assert store.load(name) is None


def test_what_a_killed_writer_left_is_swept_by_the_next_process(store, tmp_path, monkeypatch):
    extract(FILES, store, "tree")
    folder = entries(tmp_path)[0].parent
    (folder / ".new-abcdefgh.tmp").write_bytes(b"half")
    monkeypatch.setattr(whole_file, "_writes", {})
    extract(CHANGED, store)
    assert [path.name for path in folder.iterdir() if path.name.startswith(".")] == []


def renamed(number):
    return FILES | {f"{OPERATORS}/g_op.cc": FILES[f"{OPERATORS}/g_op.cc"].replace("(g,", f"(g{number},")}


def many(number):
    """Return a tree of many files of which one changes."""
    body = CLASS.format(name="OpMaker", body="".join(f'AddAttr<int>("a{at}", "");' for at in range(20)))
    others = {f"{OPERATORS}/n{at}_op.cc": f"{OP}{body}REGISTER_OPERATOR(n{at}, OpMaker);" for at in range(20)}
    return renamed(number) | others


def test_where_little_changed_little_is_written(tmp_path):
    for number in range(3):
        extract(many(number), opened(tmp_path))
    sizes = {path.name: path.stat().st_size for path in entries(tmp_path)}
    (whole,) = (size for name, size in sizes.items() if not name.endswith("+"))
    assert [4 * size <= whole for name, size in sizes.items() if name.endswith("+")] == [True, True]


@pytest.mark.parametrize(
    "value", [{}, {"context": "", "facts": {}, "folders": {}, "table": [], "stale": 0, "parts": {}}]
)
def test_what_changed_is_nothing_without_the_very_whole(tmp_path, monkeypatch, value):
    monkeypatch.setattr(cache, "_SMALL_SHARE", 0)
    for number in range(2):
        extract(renamed(number), opened(tmp_path))
    (whole,) = (path for path in entries(tmp_path) if not path.name.endswith("+"))
    for _ in range(3):
        result, tree = extract(renamed(1), opened(tmp_path))
        assert sorted(result.ops) == ["f", "g1"]
        assert not [path for path in tree.was_read if path.endswith("_op.cc")]
    whole.write_bytes(cache._encode(whole.name, value))
    os.utime(whole, ns=(1, 1))
    assert opened(tmp_path).latest("parts.all") is None
    assert sorted(extract(renamed(2), opened(tmp_path))[0].ops) == ["f", "g2"]


def test_a_whole_that_changes_are_made_of_stays_while_they_are_used(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "_SMALL_SHARE", 0)
    monkeypatch.setattr(cache, "_MAX_ENTRIES", 3)
    for number in range(9):
        store = opened(tmp_path)
        assert (store.latest("parts.all") is None) is (number == 0)
        extract(renamed(number), store)
    assert sorted(path.name.endswith("+") for path in entries(tmp_path)) == [False, True, True]


def test_many_at_once(store):
    with ThreadPoolExecutor(8) as pool:
        result = list(pool.map(lambda _: extract(FILES, store, "tree")[0], range(24)))
    assert [item == result[0] for item in result] == [True] * 24


def test_old_entries_make_room(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "_MAX_ENTRIES", 3)
    store = opened(tmp_path)
    names = [store.name("tree", str(number)) for number in range(6)]
    for number, name in enumerate(names):
        store.save(name, number)
        os.utime(tmp_path / "cache" / "opspec-lint" / "paddle-source" / name, (number, number))
    assert sorted(entry.name for entry in entries(tmp_path)) == sorted(names[3:])
    assert store.latest("tree") == 5
    assert store.load(names[0]) is None


@pytest.mark.parametrize("environment", [{}, {"XDG_CACHE_HOME": "relative"}, {"HOME": "also/relative"}])
def test_no_place_is_no_cache(environment):
    assert cache.open_store(environment, "paddle-source", CODE) is cache.NO_STORE


def test_a_place_that_cannot_be_written_is_no_harm(tmp_path):
    (tmp_path / "file").write_text("")
    store = cache.open_store({"XDG_CACHE_HOME": str(tmp_path / "file")}, "paddle-source", CODE)
    result, _ = extract(FILES, store, "tree")
    assert sorted(result.ops) == ["f", "g"]


def test_the_place_is_that_of_the_user(tmp_path):
    extract(FILES, cache.open_store({"HOME": str(tmp_path)}, "paddle-source", CODE), "tree")
    assert (tmp_path / ".cache" / "opspec-lint" / "paddle-source").is_dir()


def test_many_edits_in_a_row_leave_nothing_behind(store):
    """What a tree needs is kept, and what earlier ones needed goes: deleted files, and files as they were."""
    sizes = []
    for number in range(30):
        added = f"{OPERATORS}/n{number % 3}_op.cc"
        edited = FILES[f"{OPERATORS}/g_op.cc"].replace("(g,", f"(g{number},")
        header = FILES[HEADER].replace("LIMIT 3", f"LIMIT {number}")
        files = FILES | {added: edited, HEADER: header}
        actual, _ = extract(files, store)
        assert actual == extract(files, cache.NO_STORE)[0]
        kept = store.latest("parts.all")
        sizes.append((len(kept["table"]), len(kept["parts"]), len(kept["facts"])))
    assert max(sizes[5:]) <= tuple(2 * item for item in sizes[0])
    assert all(len(numbers) <= sizes[0][0] for _, numbers, _, _ in kept["parts"].values())


NEIGHBOR = f"{OPERATORS}/beside.h"
DEEPER = f"{OPERATORS}/deeper.h"
WITH_HEADERS = FILES | {
    f"{OPERATORS}/f_op.cc": f'#include "{HEADER}"\n#include "{NEIGHBOR}"\n{OP}'
    + CLASS.format(
        name="FOpMaker", body='AddAttr<int>("a", "").SetDefault(LIMIT); AddAttr<int>("b", "").SetDefault(kB);'
    )
    + "REGISTER_F(f);",
    NEIGHBOR: "constexpr int kB = 1;\n",
    DEEPER: "",
}
SNIPPETS = (
    "// kB and LIMIT, of which nothing is said\n",
    "constexpr int kB = 2;\n",
    "#define kB 3\n",
    "#undef LIMIT\n#define LIMIT 4\n",
    f'#include "{DEEPER}"\n',
    "namespace other { constexpr int kOther = 5; }\n",
    "static inline int Unused() { return 6; }\n",
    "class FOpMaker {};\n",
)


def test_a_header_that_states_nothing_of_an_op_may_change(store):
    extract(WITH_HEADERS, store)
    actual, tree = extract(WITH_HEADERS | {DEEPER: "int x;", HEADER: FILES[HEADER] + SNIPPETS[6]}, store)
    assert actual == extract(WITH_HEADERS, cache.NO_STORE)[0]
    changed = WITH_HEADERS | {NEIGHBOR: WITH_HEADERS[NEIGHBOR] + f'#include "{DEEPER}"\n'}
    extract(changed, store)
    actual, tree = extract(changed | {DEEPER: SNIPPETS[6]}, store)
    assert f"{OPERATORS}/f_op.cc" not in tree.was_read
    actual, tree = extract(changed | {DEEPER: SNIPPETS[3]}, store)
    assert f"{OPERATORS}/f_op.cc" in tree.was_read
    assert "a: INT = 4" in attrs_of(actual)


@pytest.mark.parametrize("seed", range(6))
def test_headers_may_change_in_any_way(store, seed):
    chance = random.Random(seed)  # noqa: S311 - the same for the same seed
    for _ in range(12):
        more = {path: "".join(chance.sample(SNIPPETS, chance.randrange(3))) for path in (NEIGHBOR, DEEPER, HEADER)}
        files = WITH_HEADERS | {path: WITH_HEADERS[path] + text for path, text in more.items()}
        if chance.random() < 0.2:
            del files[DEEPER]
        assert extract(files, store)[0] == extract(files, cache.NO_STORE)[0]
