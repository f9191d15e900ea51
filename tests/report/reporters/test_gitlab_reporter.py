from __future__ import annotations

import json

import pytest

from opspec_lint.report.findings import Waived
from opspec_lint.report.reporters.gitlab import render
from opspec_lint.spec.model import Origin
from tests.support.nasty import REPORTS, TEXTS, every_report, finding, report


def issues(report_):
    return json.loads(render(report_))


def only(**fields):
    (issue,) = issues(report("specs/a.json", findings=[finding("x", **fields)]))
    return issue


def test_what_an_issue_holds():
    first = finding(
        "x",
        op="trace",
        name="axis",
        message="the attr 'axis' was removed",
        head_origin=Origin(file="./specs/b.json", line=7),
    )
    assert issues(report("p", findings=[first])) == [
        {
            "description": "trace, attr axis: the attr 'axis' was removed",
            "check_name": "attr_default_changed",
            "fingerprint": first.fingerprint,
            "severity": "blocker",
            "location": {"path": "specs/b.json", "lines": {"begin": 7}},
        }
    ]


@pytest.mark.parametrize(
    ("level", "directions", "severity"),
    [
        ("error", ("backward",), "blocker"),
        ("error", ("backward", "forward"), "blocker"),
        ("error", ("forward",), "critical"),
        ("error", (), "critical"),
        ("warning", ("backward",), "major"),
        ("warning", (), "minor"),
        ("note", ("backward",), "info"),
        ("note", (), "info"),
    ],
)
def test_the_severity_states_the_level_and_whether_saved_models_break(level, directions, severity):
    assert only(level=level, directions=directions)["severity"] == severity


@pytest.mark.parametrize("item", every_report())
def test_what_gitlab_requires(item):
    text = render(item)
    assert not text.startswith("\ufeff")
    document = json.loads(text)
    assert isinstance(document, list)
    assert len(document) == len(item.findings)
    for issue in document:
        assert isinstance(issue["description"], str)
        assert issue["check_name"]
        assert issue["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert issue["location"]["path"]
        assert not issue["location"]["path"].startswith(("/", "./", "../"))
        assert issue["location"]["lines"]["begin"] >= 1
    fingerprints = [issue["fingerprint"] for issue in document]
    assert all(fingerprints)
    assert len(set(fingerprints)) == len(fingerprints)


def test_the_worst_come_first():
    levels = ["note", "error", "warning"]
    result = issues(report("p", findings=[finding(level, level=level) for level in levels]))
    assert [issue["severity"] for issue in result] == ["blocker", "major", "info"]


def test_nothing_detected_is_an_empty_array():
    assert render(REPORTS["empty"]) == "[]\n"


@pytest.mark.parametrize("text", TEXTS)
def test_every_string_is_one_that_any_json_parser_can_hold(text):
    issue = only(op=f"a{text}", message=f"b{text}", head_origin=Origin(file=f"c{text}"))
    assert issue["description"].isprintable()
    assert issue["location"]["path"].isprintable()


def test_what_is_waived_is_information_that_reports_it():
    for is_new, mark in ((False, ""), (True, " (new in this change)")):
        issue = only(
            op="trace", name="axis", waived=Waived(reason="r", owner="ann", expires="2030-01-01", is_new=is_new)
        )
        assert issue["severity"] == "info"
        assert issue["description"] == f"[waived by ann until 2030-01-01: r{mark}] trace, attr axis: x"
