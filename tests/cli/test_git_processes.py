"""A check of source trees starts git a few times, however many sources it reads."""

from __future__ import annotations

import subprocess

import pytest

from opspec_lint.cli.main import main
from tests.support.repositories import Repository
from tests.support.trees.paddle_trees import BASE, CLASS, OPERATORS

SOURCE = f"{OPERATORS}/f_op.cc"
SUBCOMMANDS = ("rev-parse", "cat-file", "ls-tree", "ls-files")


def op(default):
    body = f'AddInput("X", ""); AddAttr<int>("axis", "").SetDefault({default});'
    made = CLASS.format(name="FMaker", body=body)
    return f"class F : public framework::OperatorWithKernel {{}};{made}REGISTER_OPERATOR(f, F, FMaker);\n"


@pytest.fixture
def started(monkeypatch):
    """The subcommands of git that were started."""
    names = []

    class Counted(subprocess.Popen):
        def __init__(self, command, **options):
            names.append(next((text for text in command if text in SUBCOMMANDS), "other"))
            super().__init__(command, **options)

    monkeypatch.setattr(subprocess, "Popen", Counted)
    return names


def test_a_single_process_reads_both_trees_and_all_sources_of_them(tmp_path, monkeypatch, capsys, started):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    made = Repository.make(tmp_path / "top", BASE | {SOURCE: op(1)})
    made.commit({SOURCE: op(2)})
    started.clear()
    assert main(["check", *(f"paddle-source:{made.top}@{revision}" for revision in ("HEAD~1", "HEAD"))]) == 1
    assert "attr_default_changed" in capsys.readouterr().out
    assert started == ["rev-parse", "cat-file"]
