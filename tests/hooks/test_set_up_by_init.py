"""What `opspec-lint init` writes, under the real pre-commit: a repository of each kind, a good commit and a bad one."""

from __future__ import annotations

import re
import sys

import pytest
from committing import BASE, BROKEN, CONFIG, GROWN, PRE_COMMIT
from paddle_trees import BASE as TREE
from paddle_trees import CLASS, OPERATORS
from repositories import Repository

ABS, CEIL = 'op {\n  name: "Abs"\n}\n', 'op {\n  name: "Ceil"\n}\n'
OP = f"{OPERATORS}/f_op.cc"
MAKER = CLASS.format(name="FOpMaker", body='AddInput("X", "x"); AddAttr<int>("axis", "a").SetDefault({axis});')
SOURCE = (
    f"class FOp : public framework::OperatorWithKernel {{}};\n{MAKER}\nREGISTER_OPERATOR(f, ops::FOp, ops::FOpMaker);\n"
)
PADDLE = TREE | {OP: SOURCE.replace("{axis}", "1")}
INIT = (sys.executable, "-m", "opspec_lint", "init")


@pytest.mark.parametrize(
    ("files", "good", "bad", "rule"),
    [
        ({"OP_DESC.spec": BASE}, {"OP_DESC.spec": GROWN}, {"OP_DESC.spec": BROKEN}, "op_removed"),
        ({"specs/ops.json": BASE}, {"specs/ops.json": GROWN}, {"specs/ops.json": BROKEN}, "op_removed"),
        ({"ops.pbtxt": ABS}, {"ops.pbtxt": ABS + CEIL}, {"ops.pbtxt": CEIL}, "op_removed"),
        (PADDLE, {OP: f"// a comment\n{PADDLE[OP]}"}, {OP: SOURCE.replace("{axis}", "2")}, "attr_default_changed"),
    ],
    ids=["a spec file only", "specs", "an op list", "a source tree of Paddle"],
)
def test_the_hook_takes_a_good_commit_and_refuses_a_bad_one(tmp_path, hooks, files, good, bad, rule):
    revision = Repository(hooks.source).head
    more = {"PRE_COMMIT_HOME": str(hooks.home), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    repository = Repository.make(tmp_path / "top", files, **more)
    repository.git("switch", "-qc", "mine")
    ran = repository.run(*INIT, "--from", f"{hooks.source}@{revision}")
    assert ran.returncode == 0, ran.stderr
    assert (repository.top / CONFIG).exists()
    ran = repository.run(*PRE_COMMIT, "install", timeout=600)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    repository.git("add", "--all")
    assert committed(repository)[0] == 0
    repository.stage(good)
    code, said = committed(repository)
    assert (code, verdict(said)) == (0, "Passed"), said
    repository.stage(bad)
    code, said = committed(repository)
    assert (code, verdict(said)) == (1, "Failed"), said
    assert f"[{rule}" in said
    assert repository.run(sys.executable, "-m", "opspec_lint", "check").returncode == 1


def committed(repository):
    ran = repository.run("git", "commit", "-m", "x", timeout=600)
    return ran.returncode, ran.stdout + ran.stderr


def verdict(said):
    return re.search(r"^opspec-lint\.+(?:\(.*\))?(\w+)$", said, re.MULTILINE)[1]
