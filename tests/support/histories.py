"""Repositories with a history: of a spec file, and of a small source tree of Paddle."""

from __future__ import annotations

import sqlite3

from tests.support.programs import run
from tests.support.projects import FILE, text
from tests.support.repositories import Repository
from tests.support.trees import paddle_trees

CODE = "class FOp : public framework::OperatorWithKernel {{}};\n{makers}"
DEFAULT = 'AddInput("X", "").AsDispensable(); AddAttr<int>("axis", "").SetDefault({});'


def tree(**bodies):
    """Return the files of a tree with ops, each by the body of its Make()."""
    files = dict(paddle_trees.BASE)
    for op, body in bodies.items():
        maker = paddle_trees.CLASS.format(name=f"{op.upper()}OpMaker", body=body)
        registered = f"REGISTER_OPERATOR({op}, ops::FOp, ops::{op.upper()}OpMaker);\n"
        files[f"{paddle_trees.OPERATORS}/{op}_op.cc"] = CODE.format(makers=maker + registered)
    return files


def of_specs(top, *versions):
    """Return a repository with a spec file, a commit for each version, and the ids of the commits."""
    made = Repository.make(top)
    return made, [
        made.commit({FILE: text(*lines)}, f"Change {index} (#{index})") for index, lines in enumerate(versions)
    ]


def build(source, output, *more):
    """Build a history, which must succeed, and return what it prints to standard error."""
    ran = run("history", source, "--output", output, *more)
    assert (ran.code, ran.out) == (0, ""), ran.err
    return ran.err


def extracted(source):
    """Return the canonical text of a source."""
    ran = run("extract", source)
    assert ran.code == 0, ran.err
    return ran.out


def dumped(file):
    """All that a history says, as SQL."""
    with sqlite3.connect(file) as database:
        return list(database.iterdump())
