"""A file that a merge left in conflict is no input: the error names it and the way out."""

from __future__ import annotations

import sys

import pytest

from tests.support.repositories import Repository, spec
from tests.support.trees.paddle_trees import BASE, CLASS, OPERATORS

SPEC = "specs/p.json"
OP = f"{OPERATORS}/f_op.cc"


def op(default):
    maker = CLASS.format(name="FOpMaker", body=f'AddAttr<int>("a", "").SetDefault({default});')
    return f"class FOp : public framework::OperatorBase {{}};\n{maker}REGISTER_OPERATOR(f, FOp, FOpMaker);\n"


def merged(folder, path, base, own, reference, rest=None):
    """A repository in the middle of a merge that changes one file in two ways."""
    made = Repository.make(folder, {**(rest or {}), path: base})
    made.git("checkout", "-q", "-b", "topic")
    made.commit({path: reference})
    made.git("checkout", "-q", "main")
    made.commit({path: own})
    assert made.run("git", "merge", "-q", "topic").returncode == 1
    return made


def lint(repository, *args):
    ran = repository.run(sys.executable, "-m", "opspec_lint", *args)
    return ran.returncode, ran.stderr.splitlines()


@pytest.mark.parametrize(
    "texts", [("check", "--staged", "--base", "HEAD~1"), ("check", f"HEAD:{SPEC}", f":{SPEC}"), ("extract", f":{SPEC}")]
)
def test_a_spec_file_in_conflict(tmp_path, texts):
    made = merged(tmp_path / "a", SPEC, spec(f=["a"]), spec(f=["b"]), spec(f=["c"]))
    assert lint(made, *texts) == (
        3,
        [
            f"opspec-lint: error: {SPEC}: has a merge conflict in the index",
            f"opspec-lint: advice: resolve it, then run `git add {SPEC}`",
        ],
    )


def test_an_op_of_a_source_tree_in_conflict(tmp_path):
    made = merged(tmp_path / "a", OP, op(1), op(2), op(3), BASE)
    code, lines = lint(made, "check", "paddle-source:.@HEAD", "paddle-source:.@:index")
    assert code == 3
    assert lines[0] == f"opspec-lint: error: {OP}: has a merge conflict in the index"


def test_different_files_in_conflict_do_not_matter_to_a_spec_file(tmp_path):
    made = merged(tmp_path / "a", "README", "1\n", "2\n", "3\n", {SPEC: spec("f")})
    assert lint(made, "check", "--staged", "--base", "HEAD~1") == (0, [])
