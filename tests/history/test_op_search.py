"""The history of one op of a source tree has the same values of this op as the whole history."""

from __future__ import annotations

import random

import pytest

from opspec_lint.history import op_search
from tests.history.test_history import PADDLE, here, random_tree  # noqa: F401 - a fixture
from tests.support.histories import DEFAULT, build, tree
from tests.support.programs import run
from tests.support.repositories import Repository


def commit_all(repository, files):
    present = repository.git("ls-files").splitlines()
    return repository.commit({**dict.fromkeys(set(present) - files.keys()), **files})


@pytest.mark.parametrize("seed", range(3))
def test_blame_of_a_tree_equals_blame_of_its_whole_history(here, seed, monkeypatch):  # noqa: F811
    chance = random.Random(seed)  # noqa: S311 - no secret
    monkeypatch.setattr(op_search, "_MANY", chance.choice([1, 5]))
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
    assert [of_op for _, of_op in blamed] == [whole for whole, _ in blamed]


def test_bisection_finds_a_change_of_another_file(here, monkeypatch):  # noqa: F811
    read = []
    original = op_search._OpReader.read
    monkeypatch.setattr(op_search._OpReader, "read", lambda *args: read.append(args[1]) or original(*args))
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


def test_an_op_that_the_last_revision_lacks(here):  # noqa: F811
    repository = Repository.make(here / "top", tree(fast=DEFAULT.format(1)))
    ran = run("blame", f"{PADDLE}:{repository.top}", "fats")
    assert ran.code == 3
    assert "has no op 'fats'" in ran.err
    assert "did you mean 'fast'?" in ran.err
