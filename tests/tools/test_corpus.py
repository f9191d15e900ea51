"""The corpus that `python -m tools.corpus` writes, and compares a tree with."""

from __future__ import annotations

import json
import random
import sys

import pytest

from tools.corpus import models
from tools.corpus.__main__ import main
from tools.corpus.difference import difference
from tools.corpus.folder import Case, Folder

CASES = [
    Case("texts/rule", [["explain", "op_removed"], ["specs", "--format", "unknown"]], is_few=True),
    Case("pairs/pir", [["check", "paddle-pir@3.0.0", "paddle-pir@3.1.1", "--format", "json=out/x.json"]], is_few=False),
]


@pytest.fixture
def run(tmp_path, monkeypatch):
    """A corpus of two cases; called with the words of a command, it returns the exit code."""
    monkeypatch.setattr("tools.corpus.drawing.draw", lambda *_: CASES)
    monkeypatch.delenv("OPSPEC_LINT_PADDLE_TREE", raising=False)

    def run(command, *args):
        monkeypatch.setattr(sys, "argv", ["corpus", command, str(tmp_path / "corpus"), "--jobs", "1", *args])
        return main()

    return run


def test_the_same_tree_gives_the_same_output(run, tmp_path):
    assert run("write") == 0
    rule, pair = map(Folder(tmp_path / "corpus").output, CASES)
    assert rule.startswith("$ opspec-lint explain op_removed\nexit code 0\n--- standard output\n")
    assert "$ opspec-lint specs --format unknown\nexit code 2\n--- standard error\n" in rule
    assert pair.startswith(
        "$ opspec-lint check paddle-pir@3.0.0 paddle-pir@3.1.1 --format json=out/x.json\nexit code 1\n"
    )
    assert json.loads(pair.partition("--- out/x.json\n")[2])["findings"]
    assert run("compare") == 0


def test_another_output_is_shown_and_kept(run, tmp_path, capsys):
    run("write", "--few")
    folder = Folder(tmp_path / "corpus")
    folder.keep(CASES[0], folder.output(CASES[0]).replace("exit code 2", "exit code 3"))
    capsys.readouterr()
    assert run("compare", "--keep", str(tmp_path / "kept")) == 1
    printed = capsys.readouterr().out
    assert "=== texts/rule\n$ opspec-lint specs --format unknown\n" in printed
    assert "\n-exit code 3\n+exit code 2\n" in printed
    assert "0 cases as before, 2 different\n  pairs/pir\n  texts/rule\n" in printed  # one was never written
    assert "exit code 3" in (tmp_path / "kept" / "old" / "texts" / "rule.txt").read_text(encoding="utf-8")
    assert "exit code 2" in (tmp_path / "kept" / "new" / "texts" / "rule.txt").read_text(encoding="utf-8")
    assert run("renew", "--only", "texts") == 0
    assert run("compare", "--only", "texts") == 0


def test_a_difference_far_down_is_detected_below_its_command():
    old = "$ a\n" + "line\n" * 5000 + "$ b\nsame\nx\n"
    result = list(difference(old, old.replace("x\n", "y\nz\n")))
    assert result[0] == "$ b"
    assert result[-4:-1] == ["-x", "+y", "+z"]


def test_the_same_seed_writes_the_same_models(tmp_path):
    made = [models.write(tmp_path / name, [], 50, random.Random(3)) for name in ("a", "b")]  # noqa: S311 - no secret
    assert made[0] == made[1]
    assert len(made[0]) == 50
    files = [
        {
            path.relative_to(tmp_path / name): path.read_bytes()
            for path in (tmp_path / name / "written").rglob("*.*")
            if path.is_file()
        }
        for name in ("a", "b")
    ]
    assert files[0] == files[1]
