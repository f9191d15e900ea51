from __future__ import annotations

import pytest
from nasty import REPORTS

from opspec_lint import catalogue

NAMES = catalogue.names("reporters")


@pytest.fixture(params=NAMES)
def render(request):
    return catalogue.module("reporters", request.param).render


@pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS)
def test_every_report_is_plain_text_in_every_format(render, report):
    text = render(report, color=False)
    assert isinstance(text, str)
    assert text == "" or text.endswith("\n")
    # Whatever is not printable could steer a terminal, or forge a line of its own.
    assert all(char == "\n" or char.isprintable() for char in text)
    text.encode("utf-8")
    text.encode("ascii", "backslashreplace")
    assert render(report, color=False) == text


@pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS)
def test_colours_are_all_that_colour_adds(render, report):
    colored = render(report, color=True)
    for code in ("0", "1", "2", "36", "31;1", "32;1", "33;1"):
        colored = colored.replace(f"\x1b[{code}m", "")
    assert colored == render(report, color=False)


def test_the_nasty_reports_hold_every_level_and_kind():
    findings = [finding for report in REPORTS.values() for finding in report.findings]
    assert {finding.level for finding in findings} == {"error", "warning", "note"}
    assert {finding.kind for finding in findings} == {
        *("op", "input", "output", "attr", "registration", "source", "waiver")
    }
    judged = {finding.rule for name in REPORTS if name.startswith("strict") for finding in REPORTS[name].findings}
    assert len(judged) > 15, sorted(judged)
    assert any(finding.new_name for finding in findings)
    assert any(finding.review for finding in findings)


@pytest.mark.parametrize("name", NAMES)
def test_every_format_says_what_it_is(name):
    summary = catalogue.module("reporters", name).SUMMARY
    assert summary
    assert summary.isprintable()
