"""The faults that `python -m tools.mutate` plants, and the tests that it runs against one."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import coverage
import pytest

from tests.support.paths import TOP
from tools.mutate import stored
from tools.mutate.faults import faults
from tools.mutate.test_selection import Selector


def planted(text):
    """Return the kind of each fault, with the line that stands in place of the first one of a text."""
    return {(fault.kind, fault.planted_in(text).strip()) for fault in faults(text)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a < b", {("comparison", "(a <= b)"), ("comparison", "(a >= b)")}),
        ("a == b", {("comparison", "(a != b)")}),
        ("a < b < c", {("comparison", f"(a {first} b {two} c)") for first, two in
                       (("<=", "<"), (">=", "<"), ("<", "<="), ("<", ">="))}),
        ("a and b", {("logic", "(a or b)")}),
        ("a + b", {("arithmetic", "(a - b)")}),
        ("a += b", {("arithmetic", "a -= b")}),
        ("not a", {("negation", "(a)")}),
        ("x = True", {("constant", "x = (False)")}),
        ("x = 1", {("constant", "x = (2)")}),
        ("x = 'a'", {("constant", "x = ('')")}),
        ("x = ''", {("constant", "x = ('XX')")}),
        ("x = b'a'", {("constant", "x = (b'')")}),
        ("x = f'{a + b}c'", {("constant", "x = ('')")}),
        ("x = None", set()),
        ("f(a, b=c)", {("argument", "(f(b=c))"), ("argument", "(f(a))")}),
        ("a if b else c", {("condition", f"a if {test} else c") for test in ("(True)", "(False)", "(not b)")}),
        ("[a for a in b if c]", {("condition", f"[a for a in b if ({test})]") for test in ("True", "False", "not c")}),
        ("def f():\n  return a", {("return", "def f():\n  return None")}),
        ("def f():\n  a = b", {("statement", "def f():\n  pass")}),
        ("a = b", set()),
        ("def f(a: 'int' = b) -> 'int':\n  '''Text.'''", set()),
        ("TYPE_CHECKING = False\nif TYPE_CHECKING:\n  a = 1", set()),
    ],
)  # fmt: skip
def test_the_faults_of_a_text(text, expected):
    assert planted(text) == expected


def test_a_fault_is_shown_as_the_lines_that_it_changes():
    text = "ä = 'ü'\nif a < b:\n    pass\n"
    (shown, *_) = [fault.diff(text) for fault in faults(text) if fault.kind == "comparison"]
    assert shown == ["-if a < b:", "+if (a <= b):"]


@pytest.fixture
def reaching_tests(tmp_path):
    """Three tests of two lines of one module, one that only imports it, and one that starts another process."""
    data = coverage.CoverageData(str(tmp_path / ".coverage.main"))
    reach = {
        "": {1, 2},
        "tests/a/test_m.py::near": {3},
        "tests/b/test_m.py::far": {3, 4},
        "tests/b/test_x.py::slow": {3},
    }
    for context, lines in reach.items():
        data.set_context(context)
        data.add_lines({"opspec_lint/a/m.py": lines})
    data.write()
    seconds = dict.fromkeys(reach, 1.0) | {"tests/b/test_x.py::slow": 5.0, "tests/b/test_p.py::process": 1.0}
    del seconds[""]
    (tmp_path / "seconds.main.json").write_text(json.dumps(seconds))
    return lambda limit, line: Selector(tmp_path, limit).tests("opspec_lint/a/m.py", line)


def test_the_nearest_tests_that_reach_a_line_come_first_and_those_that_may_last(reaching_tests):
    every = [
        "tests/a/test_m.py::near",
        "tests/b/test_m.py::far",
        "tests/b/test_x.py::slow",
        "tests/b/test_p.py::process",
    ]
    assert reaching_tests(100, 3) == every
    assert reaching_tests(100, 4) == ["tests/b/test_m.py::far", "tests/b/test_p.py::process"]
    assert reaching_tests(100, 1) == every  # it runs when the module is imported
    assert reaching_tests(2.5, 3) == every[:2]
    assert reaching_tests(0.5, 3) == every[:1]


@pytest.mark.usefixtures("reaching_tests")
def test_tests_that_a_tree_lacks_are_not_run(tmp_path):
    (tmp_path / "tests" / "a").mkdir(parents=True)
    (tmp_path / "tests" / "a" / "test_m.py").write_text("def test_other():\n    pass\n\n\ndef near():\n    pass\n")
    notes = Selector(tmp_path, 100)
    notes.keep_existing(tmp_path)
    assert notes.tests("opspec_lint/a/m.py", 3) == ["tests/a/test_m.py::near"]


OLD = """\
def first(x):
    if x > 1:
        return x
    return 0


def second(x):
    if x > 1:
        return x
    return 1
"""


def transferred(tmp_path, texts):
    """Return the faulty module of another revision for each fault of OLD, None where it has no place there."""
    file = tmp_path / "faults.json"
    stored.save(file, [("a.py", fault) for fault in faults(OLD)], {"a.py": OLD})
    return [(path, fault and fault.planted_in(texts[path])) for path, fault in stored.load(file, texts)]


def test_a_stored_fault_is_planted_at_the_same_code_of_another_revision(tmp_path):
    above = "import os\n\n\n"
    moved = {"b.py": "y = 2\n", "c.py": above + OLD}
    planted = [fault.planted_in(OLD) for fault in faults(OLD)]
    assert len(set(planted)) == len(planted) > 10
    assert transferred(tmp_path, {"a.py": OLD}) == [("a.py", text) for text in planted]
    assert transferred(tmp_path, moved) == [("c.py", above + text) for text in planted]


def test_a_stored_fault_of_code_that_is_gone_or_ambiguous_has_no_place(tmp_path):
    assert {fault for _, fault in transferred(tmp_path, {"b.py": OLD, "c.py": OLD})} == {None}
    without_second = OLD.partition("\n\n\ndef second")[0] + "\n"
    places = transferred(tmp_path, {"a.py": without_second})
    assert None in {fault for _, fault in places}
    assert any(fault for _, fault in places)


@pytest.mark.parametrize(
    ("body", "patience", "verdict"),
    [("assert True", 60, "survived"), ("assert False", 60, "killed"), ("while True: pass", 1, "timed out")],
)
def test_the_verdict_on_a_fault(tmp_path, body, patience, verdict):
    (tmp_path / "test_it.py").write_text(f"def test_it():\n    {body}\n")
    call = (
        "import sys; from pathlib import Path; from tools.mutate.__main__ import Trial, _verdict; "
        "print(_verdict(Path(sys.argv[1]), Trial('', '', None, ['test_it.py'], float(sys.argv[2]))))"
    )
    command = [sys.executable, "-c", call, str(tmp_path), str(patience)]
    environment = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    done = subprocess.run(command, cwd=TOP, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == verdict
