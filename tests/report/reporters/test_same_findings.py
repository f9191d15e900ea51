"""Every format that lists findings lists the same ones: each is read back from the text that it renders."""

from __future__ import annotations

import os
import re
from collections import Counter

import pytest

from opspec_lint.lint.check import check
from opspec_lint.lint.check import report as report_of
from opspec_lint.lint.profile import PROFILES
from opspec_lint.report.findings import Report, Waived
from opspec_lint.report.ranking import report_order
from opspec_lint.report.reporter import REPORTERS
from opspec_lint.sources import recognise
from tests.support.nasty import every_report, finding
from tests.support.paths import SPECS
from tests.support.reported import READERS, from_azure, from_github

LEVELS = ("error", "warning", "note")


def render(name, report):
    return REPORTERS.load(name).render(report)


def expected(findings):
    return Counter((finding.rule, finding.op, finding.name) for finding in findings)


@pytest.fixture(scope="module", params=["paddle", "paddle-2021", "strict"])
def releases(request):
    base, head = (recognise.read(os.path.join(SPECS, f"paddle-{version}.json")).spec for version in ("2.6.2", "3.0.0"))
    return report_of(check(base, head, PROFILES.load(request.param)))


@pytest.fixture(scope="module")
def everything(releases):
    """Three comparisons with findings in common, some of them waived, and general findings."""
    (only,) = releases.comparisons
    waived = (
        None,
        None,
        Waived(reason="r", owner="o"),
        Waived(reason="r", owner="o", expires="2030-01-01", is_new=True),
    )
    part = tuple(
        finding.replace(waived=waived[number % 4], also=("b.json",)) for number, finding in enumerate(only.findings)
    )
    none = {"op": None, "old": None, "new": None, "field": None}
    general = (
        finding("specs/a.json", kind="source", rule="spec_removed", **none),
        finding("profile", kind="config", rule="policy_changed", level="warning", **none),
        finding("specs/b.json", kind="source", rule="spec_added", level="note", **none),
        finding("specs/c.json", kind="source", rule="spec_removed", **none | {"waived": waived[3]}),
    )
    another = only.replace(head=only.head.replace(file="specs/other.json"), findings=part)
    return Report(base="main", general=general, comparisons=(only, another, another.replace(findings=part[:7])))


@pytest.mark.parametrize("name", READERS)
def test_the_findings_of_several_comparisons(name, everything):
    assert len(everything.findings) > 600
    assert len(everything.waived) > 100
    assert Counter(READERS[name](render(name, everything))) == expected(everything.findings)


@pytest.mark.parametrize("name", READERS)
def test_the_findings_of_a_real_pair(name, releases):
    assert len(releases.findings) > 300
    assert Counter(READERS[name](render(name, releases))) == expected(releases.findings)


def _first(findings, level):
    return [finding for finding in findings if finding.level == level][:10]


def test_workflow_commands_hold_the_first_ten_of_every_level(releases):
    findings = sorted(releases.findings, key=report_order)
    shown = [finding for level in LEVELS for finding in _first(findings, level)]
    assert Counter(from_github(render("github", releases))) == expected(shown)


def test_logging_commands_of_azure_hold_errors_and_warnings(releases, everything):
    for report in (releases, everything):
        shown = [finding for finding in report.findings if finding.counts and finding.level != "note"]
        assert Counter(from_azure(render("azure", report))) == expected(shown)


def test_statistics_add_up(releases, everything):
    for report in (releases, everything):
        lines = [line.split() for line in render("statistics", report).splitlines()[:-1]]
        assert sum(int(line[0]) for line in lines) == len(report.findings)
        counted = Counter(dict.fromkeys({finding.rule for finding in report.findings}, 0))
        for line in lines:
            rule = next(text for text in line[1:] if text in counted)
            counted[rule] += int(line[0])
        assert counted == Counter(finding.rule for finding in report.findings)


def test_workflow_commands_of_several_comparisons_show_what_is_newly_waived_before_the_notes(everything):
    findings = sorted(everything.findings, key=report_order)
    counted = [finding for finding in findings if finding.waived is None]
    shown = [finding for level in ("error", "warning") for finding in _first(counted, level)]
    shown += [finding for finding in findings if finding.waived is not None and finding.waived.is_new][:10]
    assert Counter(from_github(render("github", everything))) == expected(shown)


FINGERPRINTS = {
    "sarif": r'"opspecLint/v1": "(\w{16})"',
    "gitlab": r'"fingerprint": "(\w{16})(?:-\d+)?"',
    "junit": r"^fingerprint: (\w{16})</",
    "html": r'^<details id="(\w{16})(?:-\d+)?"',
}


@pytest.mark.parametrize("report", every_report())
def test_the_fingerprints_of_nasty_reports(report):
    expected_ones = Counter(finding.fingerprint for finding in report.findings)
    for name, pattern in FINGERPRINTS.items():
        assert Counter(re.findall(pattern, render(name, report), re.MULTILINE)) == expected_ones, name


def test_no_format_is_forgotten():
    shown_in_part = {"azure", "comment", "github", "paddle", "statistics", "text"}
    assert set(REPORTERS.names()) == READERS.keys() | shown_in_part
