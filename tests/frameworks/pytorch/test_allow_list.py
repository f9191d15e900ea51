from __future__ import annotations

import pytest

from opspec_lint.cli import main

LIST = """
import datetime
import os
os.system("touch PWN")
ALLOW_LIST = [
    ("c10_gone", datetime.date(9999, 1, 1)),
    ("a::f", datetime.date(9999, 1, 1)),
    ("a::old", datetime.date(2020, 1, 1)),
    # two expressions
    (r"^a::h(\\.out)?", datetime.date(2099, 2, 3), "Tensor y"),
]
ALLOW_LIST_COMPILED = [(item[0],) for item in ALLOW_LIST]
"""
BASE = """\
a::f(Tensor x) -> ()
a::f_more(Tensor x) -> ()
a::h(Tensor x, Tensor y) -> ()
a::h.out(Tensor x) -> ()
a::old(Tensor x) -> ()
"""


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list.py").write_text(LIST)
    (tmp_path / "base.txt").write_text(BASE)
    (tmp_path / "head.txt").write_text(BASE.replace("Tensor x", "int x"))

    def waive(*arguments):
        given = ["--owner", "o", "--reason", "r", "--between", "base.txt", "head.txt"]
        code = main.main(["waive", "--import", "list.py", *given, *arguments])
        return code, *capsys.readouterr()

    return waive


def test_an_allow_list_becomes_waivers_and_is_never_run(run, tmp_path, capsys):
    code, out, err = run()
    assert (code, err) == (0, "")
    assert out.splitlines()[:4] == [
        "list.py:6: 'c10_gone' is stale: it matches no op of base",
        "list.py:7: 'a::f' hides 2 findings, matches 2 ops; it is too broad: it matches 2 names, a::f, a::f_more",
        "list.py:8: 'a::old' is stale: it held until 2020-01-01",
        "list.py:10: '^a::h(\\.out)?' hides 1 finding, matches 1 op",
    ]
    text = (tmp_path / "opspec-waivers.yaml").read_text()
    assert [text.count(item) for item in ("9999-01-01", "2099-02-03", "owner: ")] == [2, 1, 3]
    assert not (tmp_path / "PWN").exists()
    assert main.main(["check", "base.txt", "head.txt", "--waivers", "opspec-waivers.yaml"]) == 1
    left = capsys.readouterr().out
    assert "a::old" in left
    assert "a::h.out" in left


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "list.py is no list of accepted changes for specs of pytorch"),
        ("ALLOW_LIST = [(1, datetime.date(2030, 1, 1))]", "list.py:1: the expression is no string"),
        ("ALLOW_LIST = [('a(', datetime.date(2030, 1, 1))]", "list.py:1: the expression is wrong"),
        ("ALLOW_LIST = [('a', 'today')]", "list.py:1: expected a tuple of an expression, a date"),
        ("ALLOW_LIST = [\n'a']", "list.py:2: expected a tuple of an expression, a date"),
    ],
)
def test_a_list_that_is_none_is_refused_with_its_line(run, tmp_path, text, problem):
    (tmp_path / "list.py").write_text(text)
    code, _, err = run()
    assert code == 2
    assert problem in err
