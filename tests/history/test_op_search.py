"""The history of one op of a source tree has the same values of this op as the whole history."""

from __future__ import annotations

import json
import random

import pytest

from opspec_lint.history import op_reader, op_search
from opspec_lint.history.facts import FactExtractor
from opspec_lint.spec.notation import parse_spec
from tests.history.test_history import PADDLE, here, random_tree  # noqa: F401 - a fixture
from tests.history.test_log import valid
from tests.support.histories import DEFAULT, build, tree
from tests.support.programs import run
from tests.support.repositories import Repository
from tests.support.trees import onnx_trees


def commit_all(repository, files):
    present = repository.git("ls-files").splitlines()
    return repository.commit({**dict.fromkeys(set(present) - files.keys()), **files})


@pytest.mark.parametrize("op", "fg")
def test_facts_of_a_single_op_equal_its_facts_among_all_ops(op):
    specs = [parse_spec(text) for text in ("f(X) -> (Out)\ng(X) -> (Out)", "f(X) -> (Out) [a: INT = 0]", "g(Y) -> ()")]
    complete, selective = FactExtractor(), FactExtractor(only=op)
    every = [complete.extract(spec, "c") for spec in specs]
    assert [selective.extract(spec, "c") for spec in specs] == [
        {unit: facts for unit, facts in changes.items() if unit[1] in (op, "")} for changes in every
    ]
    assert any(unit[1] == op for changes in every for unit in changes)


def without_coverage(output):
    """Return the output of blame without the statement which revisions were read."""
    if output.startswith("{"):
        return {key: value for key, value in json.loads(output).items() if key != "searched"}
    return output.partition("\nread ")[0].rstrip("\n")


@pytest.mark.parametrize("seed", range(3))
def test_blame_of_a_tree_equals_blame_of_its_whole_history(here, seed, monkeypatch):  # noqa: F811
    chance = random.Random(seed)  # noqa: S311 - no secret
    monkeypatch.setattr(op_reader, "_MANY", chance.choice([1, 5]))
    repository = Repository.make(here / "top")
    for number in range(12):
        commit_all(repository, {**random_tree(chance), "README": str(number)})
    repository.git("tag", "v1.0", "HEAD~3")
    source = f"{PADDLE}:{repository.top}"
    build(source, here / "h")
    blamed = [
        (run("blame", here / "h", op, *more).out, run("blame", source, op, *more).out)
        for op in "abcde"
        for more in ((), ("--format", "json"), ("--at", "HEAD~4"))
    ]
    assert sum(bool(whole) for whole, _ in blamed) > 6
    assert [without_coverage(of_op) for _, of_op in blamed] == [without_coverage(whole) for whole, _ in blamed]


@pytest.mark.parametrize("seed", range(4))
def test_files_that_come_and_go_are_searched_again(here, seed):  # noqa: F811
    """A file that lacks the op at a reading may have declared it before, and be removed and added again."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    repository = Repository.make(here / "top", {"README": ""})
    for number in range(24):
        declared = tree(f=DEFAULT.format(chance.choice([1, 1, 1, 2])), g=DEFAULT.format(number))
        path = next(path for path in declared if path.endswith("f_op.cc"))
        text = declared.pop(path)
        folder = chance.choice(["", "a", "b"])
        if folder:
            declared[path.replace("f_op.cc", f"{folder}/f_op.cc")] = text
        commit_all(repository, {**declared, "README": str(number)})
    last = next(
        number
        for number in range(24)
        if run("blame", f"{PADDLE}:{repository.top}", "f", "--at", f"HEAD~{number}").code == 0
    )
    source = f"{PADDLE}:{repository.top}"
    build(source, here / "h")
    texts = [run("blame", name, "f", "--format", "json", "--at", f"HEAD~{last}").out for name in (here / "h", source)]
    assert without_coverage(texts[1]) == without_coverage(texts[0])


def test_bisection_finds_a_change_of_another_file(here, monkeypatch):  # noqa: F811
    read = []
    original = op_search.OpReader.read
    monkeypatch.setattr(op_search.OpReader, "read", lambda *args: read.append(args[1]) or original(*args))
    shared = "#define VALUE {}\n"
    repository, commits = Repository.make(here / "top"), []
    for number in range(60):
        files = tree(f=DEFAULT.format("VALUE"), g=DEFAULT.format(number))
        path = next(path for path in files if path.endswith("f_op.cc"))
        files[path] = f'#include "paddle/fluid/operators/value.h"\n{files[path]}'
        files["paddle/fluid/operators/value.h"] = shared.format(number // 25)
        commits.append(commit_all(repository, files))
    out = run("blame", f"{PADDLE}:{repository.top}", "f").out
    assert f"{commits[50][:10]}" in out
    assert len(read) < 25
    assert "of 60 revisions, those that concern the op; unknown is what another file changed" in " ".join(out.split())


@pytest.mark.parametrize("successor", [{}, {"fast": DEFAULT.format(1)}], ids=["removed", "renamed"])
def test_an_op_that_is_gone_is_blamed_on_its_removal(here, successor):  # noqa: F811
    repository = Repository.make(here / "top", tree(slow=DEFAULT.format(1), g=DEFAULT.format(0)))
    last = commit_all(repository, tree(slow=DEFAULT.format(2), g=DEFAULT.format(0)))
    removal = commit_all(repository, tree(g=DEFAULT.format(0), **successor))
    for number in range(3):
        commit_all(repository, {**tree(g=DEFAULT.format(number), **successor), "slow.cc": "// slow " * number})
    source = f"{PADDLE}:{repository.top}"
    ran = run("blame", source, "slow")
    assert ran.code == 3
    assert f"{removal[:10]} of " in ran.err
    assert f"removed it: --at {removal[:10]}^" in ran.err
    assert ran.err.count(source) == 1
    assert last[:10] in run("blame", source, "slow", "--at", f"{removal}^").out


def test_the_answer_names_the_revisions_that_were_read(here):  # noqa: F811
    repository = Repository.make(here / "top", tree(f=DEFAULT.format(1)))
    commits = [commit_all(repository, tree(f=DEFAULT.format(1), g=DEFAULT.format(number))) for number in range(6)]
    source = f"{PADDLE}:{repository.top}"
    searched = valid(run("blame", source, "f", "--format", "json").out, "blame")["searched"]
    assert commits[-1] in searched["read"]
    assert commits[2] not in searched["read"]
    assert searched["revisions"] == 7
    build(source, here / "h")
    assert valid(run("blame", here / "h", "f", "--format", "json").out, "blame")["searched"] is None


def test_an_op_that_no_revision_has(here):  # noqa: F811
    repository = Repository.make(here / "top", tree(fast=DEFAULT.format(1)))
    ran = run("blame", f"{PADDLE}:{repository.top}", "fats")
    assert ran.code == 3
    assert "has no op 'fats'" in ran.err
    assert "did you mean 'fast'?" in ran.err
    assert "nor had it before any of the last 50 revisions" in " ".join(ran.err.split())


def test_a_macro_at_the_declarations_of_many_ops_is_no_name_of_an_op(here, monkeypatch):  # noqa: F811
    """All paragraphs of the file contain the macro, so every change of the file would concern the op."""
    read = []
    original = op_search.OpReader.read
    monkeypatch.setattr(op_search.OpReader, "read", lambda *args: read.append(args[1]) or original(*args))
    schema = """ONNX_OPERATOR_SET_SCHEMA({}, 1, OpSchema()
    .Attr("axis", "text", AttributeProto::INT, static_cast<int64_t>({})));
"""
    others = ("Abs", "Add", "Neg", "Exp")
    get = "fn(GetOpSchema<ONNX_OPERATOR_SET_SCHEMA_CLASS_NAME(Onnx, 1, {})>());\n"
    sets = "".join(get.format(op) for op in ("Softmax", "Sum", *others))
    repository = Repository.make(here / "top")
    for number in range(20):
        values = {"Softmax": number // 15, "Sum": number, **dict.fromkeys(others, 0)}
        defs = "\n".join(schema.format(*value) for value in values.items())
        code = f'#include "onnx/defs/schema.h"\nnamespace ONNX_NAMESPACE {{\n{defs}}}\n'
        commit_all(repository, {**onnx_trees.TREE, onnx_trees.SETS: sets, onnx_trees.DEFS: code})
    out = run("blame", f"onnx-source:{repository.top}", "Softmax@1").out
    assert "before 0" in out
    assert len(read) < 8


def test_progress_names_the_last_change(here, monkeypatch):  # noqa: F811
    texts = []
    original = op_search.build_op_history

    def build_op_history(writer, topic, op, since, progress):
        original(writer, topic, op, since, lambda *args: texts.append(args[2]) or progress(*args))

    monkeypatch.setattr(op_search, "build_op_history", build_op_history)
    repository = Repository.make(here / "top", tree(f=DEFAULT.format(0)))
    commit_all(repository, tree(f=DEFAULT.format(1)))
    change = commit_all(repository, tree(f=DEFAULT.format(2)))
    for number in range(3):
        commit_all(repository, tree(f=DEFAULT.format(2), g=DEFAULT.format(number)))
    assert change[:10] in run("blame", f"{PADDLE}:{repository.top}", "f").out
    assert {text for text in texts if text} == {f"last change {change[:10]}"}


def test_the_newest_change_is_announced_before_the_others_are_searched(here, monkeypatch):  # noqa: F811
    monkeypatch.setattr(op_search, "_LONG", 4)
    repository = Repository.make(here / "top", tree(f=DEFAULT.format(0)))
    commit_all(repository, tree(f=DEFAULT.format(1)))
    repository.commit(tree(f=DEFAULT.format(2)), "Another default (#12)")
    for number in range(3):
        commit_all(repository, tree(f=DEFAULT.format(2), g=DEFAULT.format(number)))
    change, date = repository.git("log", "-1", "--skip=3", "--format=%H %cs").split()
    ran = run("blame", f"{PADDLE}:{repository.top}", "f")
    line = f"{change[:10]} of {date} #12 changed f last: attr axis default_value; the search for earlier"
    assert ran.err.count(" changed f last") == ran.err.count(line) == 1


def test_bisection_begins_with_paragraphs_that_name_the_op(here, monkeypatch):  # noqa: F811
    read = []
    original = op_search.OpReader.read
    monkeypatch.setattr(op_search.OpReader, "read", lambda *args: read.append(args[1]) or original(*args))
    repository, commits = Repository.make(here / "top"), []
    for number in range(80):
        files = tree(f=DEFAULT.format("VALUE"), g=DEFAULT.format(number))
        path = next(path for path in files if path.endswith("f_op.cc"))
        files[path] = f'#include "paddle/fluid/operators/value.h"\n{files[path]}'
        declared = f"// the default value of f\n#define VALUE {number // 50}\n"
        files["paddle/fluid/operators/value.h"] = f"{declared}\n// {number}\n"
        commits.append(commit_all(repository, files))
    assert commits[50][:10] in run("blame", f"{PADDLE}:{repository.top}", "f").out
    assert sorted(set(read)) == [0, 49, 50, 79]
