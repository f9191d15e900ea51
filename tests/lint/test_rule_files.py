"""A mistake in the file of a rule names that file, whatever the mistake is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from tests.support import paths

RULE = '''\
"""The default value of an attr became empty.

Flags:
    One thing.

Why it breaks:
    Another.

Instead:
    Nothing.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    on=("attr_default_changed",),
    when=lambda change: change.new == "",
    level="warning",
    directions=("backward",),
    message="the default value of the attr '{name}' became empty",
    witness="a model saved without '{name}'",
    advice="keep {old}",
    flagged=(('f(X) -> () [a: STRING = "b"]', 'f(X) -> () [a: STRING = ""]'),),
    passes=(),
)
'''
FILE = "opspec_lint/lint/rules/attrs/attr_default_changed_to_empty.py"
SPEC = '{"f": {"Inputs": {}, "Outputs": {}, "Attrs": {"a": {"type": 2, "default_value": "%s"}}}}'


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A copy of the package with a rule of its own, and a function that checks with it."""
    folder = tmp_path_factory.mktemp("package")
    shutil.copytree(paths.TOP / "opspec_lint", folder / "opspec_lint", ignore=shutil.ignore_patterns("__pycache__"))
    for name, value in (("a", "x"), ("b", "")):
        (folder / f"{name}.json").write_text(SPEC % value, encoding="utf-8")

    def check(text):
        (folder / FILE).write_text(text, encoding="utf-8")
        command = [sys.executable, "-B", "-m", "opspec_lint", "check", "a.json", "b.json"]
        environment = {**os.environ, "PYTHONPATH": str(folder)}
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)

    return check


def test_a_rule_without_a_mistake_judges(package):
    ran = package(RULE)
    assert (ran.returncode, ran.stderr) == (1, "")
    assert "[attr_default_changed_to_empty: break, backward]" in ran.stdout


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Flags:", "Flag:", "expected the sections Flags, Why it breaks, Instead, found Flag, Why"),
        ('level="warning",', 'level="warning" =', "SyntaxError: "),
        ('level="warning"', 'level="warn"', "'warn' is none of: off, note, warning, error"),
        ('("backward",)', '("backwards",)', "'backwards' is none of"),
        ("the attr '{name}'", "the attr '{nam}'", "a template uses 'nam', a word that the fact does not have"),
        ("keep {old}", "keep {old", ""),
        ('    advice="keep {old}",\n', "", "Rule needs 'advice'"),
        ("RULE = ", "RUL = ", "has no attribute 'RULE'"),
        ("change.new ==", "change.newer ==", "no attribute 'newer'"),
        (
            "change.new ==",
            "change.facts['newer'] ==",
            "its condition uses 'newer', a fact that this event does not have",
        ),
        ("change.new ==", "chang.new ==", "name 'chang' is not defined"),
        ('("attr_default_changed",)', '("attr_defualt_changed",)', "begins with none of the events in `on`"),
        ('on=("attr_default_changed",)', 'on="attr_default_changed"', "begins with none of the events in `on`"),
        ("lint.rule import", "lint.rul import", "No module named 'opspec_lint.lint.rul'"),
        ('"""The default', 'raise KeyError("x")\n"""The default', "KeyError: 'x'"),
    ],
)
def test_a_mistake_names_the_file_of_the_rule(package, old, new, message):
    assert old in RULE
    ran = package(RULE.replace(old, new))
    assert (ran.returncode, ran.stdout) == (3, "")
    first, second = ran.stderr.splitlines()
    assert f"{FILE}: " in first
    assert message in first
    assert "internal error" not in ran.stderr
    assert "CONTRIBUTING.md" in second
