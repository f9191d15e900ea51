from __future__ import annotations

import re

import pytest

from opspec_lint.kit.text import one_line
from opspec_lint.report.annotations import ANNOTATIONS, render
from opspec_lint.report.findings import Report, Waived
from opspec_lint.spec.model import Origin
from tests.support.nasty import TEXTS, comparison, every_report, finding, report, side

REGISTERED = {"error", "warning", "notice", "debug", "group", "endgroup", "add-mask", "add-path", "stop-commands"}
REGISTERED |= {"set-output", "set-env", "save-state", "echo", "add-matcher", "remove-matcher"}


def run_line(line):
    """Return the command that the runner reads in a line (its name, properties and data), or None for a line of the
    log.

    Written from the documentation and the tests of the runner: a command begins the line, after blanks; one of the old
    form, `##[name]`, is looked for anywhere in any other line.
    """
    stripped = line.lstrip()
    name, _, rest = stripped[2:].partition("::")[0].partition(" ")
    if stripped.startswith("::") and "::" in stripped[2:] and name.lower() in REGISTERED:
        properties = {}
        for pair in filter(None, rest.strip().split(",")):
            key, _, value = pair.partition("=")
            for code, char in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
                value = value.replace(code, char)
            properties[key] = value
        data = stripped[2:].partition("::")[2]
        for code, char in (("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
            data = data.replace(code, char)
        return name, properties, data
    old = re.search(r"##\[([^\s\]]*)[^\]]*\]", line)
    return (old[1], {}, line[old.end() :]) if old and old[1].lower() in REGISTERED else None


def commands(report_):
    """The commands of a report, and its closing line."""
    *lines, closing, end = render(report_).split("\n")
    assert end == ""
    assert run_line(closing) is None
    return [run_line(line) for line in lines], closing


def only(**fields):
    (command,), _ = commands(report("specs/a.json", findings=[finding("x", **fields)]))
    return command


def test_what_a_command_holds():
    name, properties, data = only(
        op="trace",
        name="axis",
        message="the attr 'axis', 100 %: gone",
        breaks="old models",
        advice="keep it",
        review="inference",
        head_origin=Origin(file="HEAD:specs/a,b.json", line=3, column=5),
    )
    assert name == "error"
    assert properties == {
        "file": "specs/a,b.json",
        "line": "3",
        "col": "5",
        "title": "attr_default_changed: trace, attr axis",
    }
    assert data.split("\n") == [
        "the attr 'axis', 100 %: gone",
        "breaks: old models",
        "instead: keep it",
        "review: needs inference to approve",
    ]


def test_it_is_written_as_github_documents():
    origin = Origin(file="a:b,c%.json", line=1)
    line = render(report("p", findings=[finding("x", message="50%\r\n", head_origin=origin)])).splitlines()[0]
    assert line.startswith(
        "::error file=b%2Cc%25.json,line=1,col=1,title=attr_default_changed%3A x%2C attr x::50%25\\r\\n%0A"
    )


def test_every_level_has_its_command():
    assert [only(level=level)[0] for level in ("error", "warning", "note")] == ["error", "warning", "notice"]


def test_without_an_origin_it_is_in_line_one_of_head():
    properties = only()[1]
    assert (properties["file"], properties["line"], properties["col"]) == ("specs/a.json", "1", "1")


@pytest.mark.parametrize("count", [0, 1, ANNOTATIONS, ANNOTATIONS + 1, 50])
def test_no_more_than_github_shows_of_a_level_and_the_rest_is_counted(count):
    findings = [finding(f"{level}{n}", level=level) for n in range(count) for level in ("note", "warning", "error")]
    result, closing = commands(report("p", findings=findings))
    names = [name for name, _, _ in result]
    shown = min(count, 10)
    assert names == ["error"] * shown + ["warning"] * shown + ["notice"] * shown
    assert [properties["title"] for _, properties, _ in result[:shown]] == [
        f"attr_default_changed: {op}, attr {op}" for op in sorted(f"error{n}" for n in range(count))[:shown]
    ]
    left = 3 * (count - shown)
    assert closing.endswith(f"; {left} not annotated, since GitHub shows at most 10 of a level for each step") == bool(
        left
    )


@pytest.mark.parametrize(
    ("levels", "closing"),
    [
        ([], "opspec-lint: no findings"),
        (["note"], "opspec-lint: 1 note"),
        (["error", "note", "error"], "opspec-lint: 2 errors, 1 note"),
    ],
)
def test_the_last_line_counts_all(levels, closing):
    assert commands(report("p", findings=[finding("x", level=level) for level in levels]))[1] == closing


@pytest.mark.parametrize("finding", every_report())
def test_a_spec_starts_no_command_of_its_own(finding):
    result, _ = commands(finding)
    notices = finding.count("note") + len(finding.waived)
    counts = {"error": finding.count("error"), "warning": finding.count("warning"), "notice": notices}
    assert [name for name, _, _ in result] == [name for name, count in counts.items() for _ in range(min(count, 10))]
    for _, properties, _ in result:
        assert list(properties) in (["file", "line", "col", "title"], ["title"])
        assert len(properties["title"]) <= 255
        assert properties.get("file", "no file") != ""
    assert "##[" not in render(finding)


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_comes_through(text):
    _, properties, data = only(op="a", name=text[:50], message=f"a{text[:500]}")
    assert data.split("\n")[0] == one_line(f"a{text[:500]}").replace("##[", "## [")
    title = one_line(f"attr_default_changed: a, attr {text[:50]}".rstrip())
    assert properties["title"] == title.replace("##[", "## [")


def test_the_runner_of_these_tests_knows_a_command_when_it_sees_one():
    assert run_line("  ::warning file=a%2Cb::x%0Ay") == ("warning", {"file": "a,b"}, "x\ny")
    assert run_line("in the midst ##[error]of a line")[0] == "error"
    assert run_line("::unknown::x") is None
    assert run_line("x ::error::y") is None


@pytest.mark.parametrize("level", ["error", "warning", "note"])
def test_what_is_waived_is_a_notice_that_reports_it(level):
    old, new = (Waived(reason="r", owner="ann", expires="2030-01-01", is_new=is_new) for is_new in (False, True))
    name, properties, data = only(op="trace", name="axis", level=level, waived=old)
    assert name == "notice"
    assert properties["title"] == "waived, attr_default_changed: trace, attr axis"
    assert data.split("\n")[-1] == "waived by ann until 2030-01-01: r"
    name, properties, data = only(op="trace", name="axis", level=level, waived=new)
    assert name == "notice"
    assert properties["title"] == "newly waived, attr_default_changed: trace, attr axis"
    assert data.split("\n")[-1] == "waived by ann until 2030-01-01: r (new in this change)"


def test_of_the_notices_what_is_newly_waived_is_seen_and_the_rest_counted():
    waivers = [Waived(reason="r", owner="o", is_new=is_new) for is_new in (False, True)]
    findings = [finding(f"n{n}", level="note") for n in range(8)]
    findings += [finding(f"w{n}", waived=waivers[n % 2]) for n in range(8)]
    result, closing = commands(report("p", findings=findings))
    titles = [properties["title"] for _, properties, _ in result]
    assert titles == [f"newly waived, attr_default_changed: w{n}, attr w{n}" for n in (1, 3, 5, 7)] + [
        f"attr_default_changed: n{n}, attr n{n}" for n in range(6)
    ]
    assert closing == (
        "opspec-lint: 8 notes, 8 waived, 4 by new waivers of this change"
        "; 6 not annotated, since GitHub shows at most 10 of a level for each step"
    )


def test_of_several_comparisons_every_finding_is_in_its_own_file():
    every = Report(
        general=(finding("specs/gone.json", kind="source", op=None, level="warning"),),
        comparisons=(
            comparison("p", [finding("x")], head=side("specs/a.json"), base=side("main:specs/a.json")),
            comparison("p", [finding("x")], head=side("specs/b.json"), base=side("specs/released.json")),
        ),
    )
    result, _ = commands(every)
    assert [(name, properties["file"], data.split("\n")[0]) for name, properties, data in result] == [
        ("error", "specs/a.json", "x"),
        ("error", "specs/b.json", "x (against specs/released.json)"),
        ("warning", "specs/a.json", "specs/gone.json"),
    ]
