"""The first commands of a new user: what is mistyped, and where a report goes."""

from __future__ import annotations

import pytest

from tests.support.programs import run
from tests.support.projects import FILE, text
from tests.support.repositories import Repository, spec

BASE, HEAD = "paddle@2.6.2", "paddle@3.0.0"


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["check", "tf@2.18.1", "tf@2.19.0"], "did you mean 'tensorflow@2.18.1'?"),
        (["check", "torch@2.4.1", "torch@2.13.0"], "did you mean 'pytorch@2.4.1'?"),
        (["check", "tf@9.9", "tf@2.19.0"], "the nearest is tensorflow@"),
        (["check", "tf@", "tf@2.19.0"], "the newest is tensorflow@"),
        (["check", "--json"], "write --format json"),
        (["--json"], "`opspec-lint check BASE HEAD --format json`"),
        (["explain", "f"], "if it is an op, `opspec-lint check BASE HEAD --op f` shows its findings"),
        (["specs", "padle"], "did you mean 'paddle'?"),
        (["explain", "trace"], "`opspec-lint check BASE HEAD --op trace` shows its findings"),
        (["explain", "attr_default_chnged"], "did you mean 'attr_default_changed'?"),
    ],
    ids=" ".join,
)
def test_what_is_meant_is_advised(arguments, advice):
    ran = run(*arguments)
    assert ran.code in (2, 3)
    assert advice in ran.err


def test_help_is_a_command_too():
    assert run("help").out == run("--help").out
    assert run("help", "check").out == run("check", "--help").out
    assert run("help", "chek").code == 2


def test_specs_of_a_framework():
    names = run("specs", "onnx").out.split()
    assert names
    assert all(name.startswith("onnx@") for name in names)


def test_counts_of_a_report_in_a_file(tmp_path):
    for name, content in (("a.spec", spec("abs", "cos")), ("b.spec", spec("abs"))):
        (tmp_path / name).write_text(content)
    ends = tmp_path / "a.spec", tmp_path / "b.spec"
    page = tmp_path / "reports" / "x.html"
    ran = run("check", *map(str, ends), "--format", f"html={page}")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == f"opspec-lint: 1 error: {page}\n"
    assert page.is_file()
    assert (
        run("check", str(ends[0]), str(ends[0]), "--format", f"html={page}").err
        == f"opspec-lint: no findings: {page}\n"
    )
    assert run("check", str(ends[0]), str(ends[0]), "--quiet", "--format", f"html={page}").err == ""


def test_only_the_last_folder_of_a_path_is_created(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = run("check", BASE, BASE, "--format", "html=a/b/x.html")
    assert ran.code == 3
    assert "a/b/x.html: cannot be written: there is no folder 'a'" in ran.err
    assert list(tmp_path.iterdir()) == []


def test_a_history_that_begins_at_the_tag_of_a_release_branch(tmp_path):
    made = Repository.make(tmp_path / "top", {FILE: text("f(X) -> (Out)")})
    parted = made.commit({FILE: text("f(X, Y?) -> (Out)")})
    made.git("checkout", "-q", "-b", "release")
    made.commit({"README": "released"})
    made.git("tag", "v1.0")
    made.git("checkout", "-q", "main")
    made.commit({FILE: text("f(X, Y?, Z?) -> (Out)")})
    ran = made.opspec("history", FILE, "--since", "v1.0", "--output", "h.sqlite")
    assert ran.returncode == 0, ran.stderr
    assert f"is on another branch: the history begins at the merge base, {parted[:10]}" in ran.stderr
    assert "2 revisions added" in ran.stderr
    blamed = made.opspec("blame", FILE, "f", "--since", "v1.0", env={"XDG_CACHE_HOME": str(tmp_path / "cache")})
    assert (blamed.returncode, "Z" in blamed.stdout) == (0, True), blamed.stderr
