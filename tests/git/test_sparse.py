"""A source tree of which a sparse checkout leaves out a part is one error, and not a tree without its ops."""

from __future__ import annotations

import pytest

from opspec_lint.git.repository import INDEX, WORK_TREE
from opspec_lint.git.sparse import left_out
from opspec_lint.kit.errors import InputError
from tests.support.projects import check, config, facts
from tests.support.repositories import Repository
from tests.support.trees.paddle_trees import BASE, CLASS, OPERATORS

OP = CLASS.format(name="FOpMaker", body='AddInput("X", "x");') + (
    "\nclass FOp : public framework::OperatorWithKernel {};\nREGISTER_OPERATOR(f, ops::FOp, ops::FOpMaker);\n"
)
FILES = {**BASE, f"{OPERATORS}/f_op.cc": OP, f"{OPERATORS}/deep/g_op.cc": OP.replace("(f,", "(g,"), "docs/x.cc": "x"}


def sparse(folder, *patterns, prefix=""):
    made = Repository.make(folder, {f"{prefix}{path}": text for path, text in FILES.items()})
    made.commit({"opspec-lint.yaml": config(source=f"paddle-source:{prefix.rstrip('/') or '.'}")})
    made.git("sparse-checkout", "set", "--no-cone", *patterns)
    return made


@pytest.mark.parametrize("prefix", ["", "a [b]/"])
@pytest.mark.parametrize("hidden", [f"{OPERATORS}/f_op.cc", f"{OPERATORS}/deep", "paddle"])
def test_what_the_reading_needs_is_left_out(tmp_path, monkeypatch, prefix, hidden):
    pattern = f"!/{prefix}{hidden}".replace("[", r"\[")
    made = sparse(tmp_path / "top", "/*", pattern, prefix=prefix)
    assert not (made.top / prefix / hidden).exists()
    monkeypatch.chdir(made.top)
    with pytest.raises(InputError, match="the sparse checkout leaves out ") as caught:
        check(made)
    assert "git sparse-checkout disable" in caught.value.advice
    assert "--head HEAD" in caught.value.advice
    assert facts(check(made, head=INDEX)) == []
    made.git("sparse-checkout", "disable")
    assert facts(check(made)) == []


def test_what_nobody_reads_may_be_left_out(tmp_path, monkeypatch):
    made = sparse(tmp_path / "top", "/*", "!/docs")
    assert not (made.top / "docs").exists()
    monkeypatch.chdir(made.top)
    assert facts(check(made, head=WORK_TREE)) == []
    assert left_out(str(made.top), made.environment) == {"docs/x.cc"}


def test_a_file_that_was_deleted_is_not_left_out(tmp_path, monkeypatch):
    made = sparse(tmp_path / "top", "/*", "!/docs")
    (made.top / OPERATORS / "f_op.cc").unlink()
    monkeypatch.chdir(made.top)
    assert ("error", "op_removed", "f") in facts(check(made))


def test_a_folder_of_no_repository_has_nothing_left_out(tmp_path):
    assert left_out(str(tmp_path), Repository(tmp_path).environment) == frozenset()
    made = Repository.make(tmp_path / "top", FILES)
    assert left_out(str(made.top), made.environment) == frozenset()
