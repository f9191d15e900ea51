from __future__ import annotations

import re

import pytest

from opspec_lint.kit.terminal import Terminal
from opspec_lint.report.findings import Waived
from opspec_lint.report.reporter import REPORTERS
from opspec_lint.report.reporters import text as text_reporter
from tests.support.nasty import REPORTS, TEXTS, every_report
from tests.support.nasty import finding as nasty_finding
from tests.support.nasty import report as nasty_report

NAMES = REPORTERS.names()
_WITHOUT_WAIVERS = ("azure", "paddle", "statistics")


@pytest.mark.parametrize("report", every_report())
def test_every_report_is_plain_text_in_every_format(report):
    for name in NAMES:
        render = REPORTERS.load(name).render
        text = render(report)
        assert isinstance(text, str), name
        assert text == "" or text.endswith("\n"), name
        # Whatever is not printable could steer a terminal, or forge a line of its own.
        assert text.replace("\n", "").isprintable(), name
        text.encode("utf-8")
        text.encode("ascii", "backslashreplace")
        assert render(report) == text, name
        # A line of such a form is a command to a CI runner.
        assert name == "github" or not re.search(r"^\s*::", text, re.MULTILINE), name


COLORED = [loaded for loaded in map(REPORTERS.load, NAMES) if loaded.render_on is not None]


@pytest.mark.parametrize("format_", COLORED, ids=lambda item: item.render.__module__)
@pytest.mark.parametrize("report", every_report())
def test_colours_are_all_that_colour_adds(format_, report):
    colored, render = format_.render_on(report, Terminal(color=True)), format_.render
    for code in ("0", *text_reporter._COLORS.values()):
        colored = colored.replace(f"\x1b[{code}m", "")
    assert colored == render(report)


def test_the_nasty_reports_hold_every_level_and_kind():
    findings = [finding for report in REPORTS.values() for finding in report.findings]
    assert {finding.level for finding in findings} == {"error", "warning", "note"}
    assert {finding.kind for finding in findings} == {
        *("op", "input", "output", "attr", "registration", "source", "config", "waiver")
    }
    judged = {finding.rule for name in REPORTS if name.startswith("strict") for finding in REPORTS[name].findings}
    assert len(judged) > 13, sorted(judged)
    assert any(finding.new_name for finding in findings)
    assert any(finding.review for finding in findings)
    assert any(finding.also for finding in findings)
    assert {finding.waived.is_new for finding in findings if finding.waived} == {True, False}
    general = [item for report in REPORTS.values() for item in report.general]
    assert {item.kind for item in general} == {"source", "config", "waiver"}


@pytest.mark.parametrize("text", TEXTS)
def test_the_nasty_reports_hold_every_text_at_every_place(text):
    findings = [finding for report in REPORTS.values() for finding in report.findings]
    waived = [finding.waived for finding in findings if finding.waived]
    places = {
        "reason": {item.reason for item in waived},
        "owner": {item.owner for item in waived},
        "expires": {item.expires for item in waived},
        "also": {file for finding in findings for file in finding.also},
        "general": {finding.name for report in REPORTS.values() for finding in report.general},
        "unchanged": {file for report in REPORTS.values() for file in report.unchanged},
        "base": {report.base for report in REPORTS.values()},
        "side": {
            comparison.head.file
            for report in REPORTS.values()
            if len(report.comparisons) > 1
            for comparison in report.comparisons
        },
        "only": {
            op for report in REPORTS.values() for comparison in report.comparisons for op in comparison.only or ()
        },
    }
    assert [place for place, texts in places.items() if text not in texts] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_format_states_what_it_is(name):
    summary = REPORTERS.load(name).summary
    assert summary
    assert summary.isprintable()


def test_a_waiver_is_reported_where_findings_are_that_do_not_count():
    waiver = Waived(reason="nobody saved a model with it", owner="ann", expires="2030-12-31", is_new=True)
    first = nasty_report("p", findings=[nasty_finding("x", waived=waiver)])
    texts = {name: REPORTERS.load(name).render(first) for name in NAMES if name not in _WITHOUT_WAIVERS}
    assert texts
    for name, text in texts.items():
        for term in ("nobody saved a model with it", "ann", "2030-12-31", "new"):
            assert term in text, (name, term)


def test_every_format_that_lists_findings_shows_of_further_bases():
    first = nasty_report("p", findings=[nasty_finding("x", also=("specs/1.json", "specs/2.json"))])
    for name in NAMES:
        text = REPORTERS.load(name).render(first)
        assert name in ("paddle", "statistics") or ("specs/1.json" in text and "specs/2.json" in text), name
