"""The steps from a comparison to its report: their order, and how often a finding is copied."""

from __future__ import annotations

import pytest

from opspec_lint.lint import steps
from opspec_lint.lint.check import check
from opspec_lint.lint.steps import Steps
from opspec_lint.report.findings import Finding
from opspec_lint.spec.notation import parse_spec

ORDER = ["in_source", "in_file", "fixed", "known", "merged", "approved", "dated", "used", "waived", "proven"]


@pytest.fixture
def comparison():
    """A finding about each of two ops."""
    return check(parse_spec("f(X) -> (Out)\ng() -> ()"), parse_spec("f(X, Y) -> (Out)"))


@pytest.fixture
def copies(monkeypatch):
    """The findings that are made."""
    made = []
    make = Finding.__init__

    def count(finding, **values):
        make(finding, **values)
        made.append(finding)

    monkeypatch.setattr(Finding, "__init__", count)
    return made


def test_steps_are_taken_in_their_order_whatever_order_they_are_given_in(comparison):
    taken = []

    def step(name):
        return lambda finding: taken.append(name) or finding

    Steps(**{name: step(name) for name in reversed(ORDER)}).apply(comparison)
    number = len(comparison.findings)
    assert taken == [name for name in ORDER for _ in range(number)]


def test_the_order_names_every_step_and_is_not_that_of_the_fields(comparison, monkeypatch):
    assert list(steps.ORDER) == ORDER
    assert sorted(ORDER) == sorted(Steps._fields)
    monkeypatch.setattr(steps, "ORDER", tuple(reversed(ORDER)))
    taken = []
    Steps(**{name: lambda finding, name=name: taken.append(name) or finding for name in ORDER}).apply(comparison)
    assert list(dict.fromkeys(taken)) == ORDER[::-1]


def test_a_step_that_changes_nothing_copies_nothing(comparison, copies):
    same = Steps(merged=lambda finding: finding.replace(also=(), waived=None, level=finding.level)).apply(comparison)
    assert same.findings == comparison.findings
    assert copies == []


def test_a_step_copies_what_it_changes_once(comparison, copies):
    report = Steps(known=lambda finding: finding.replace(level="note") if finding.op == "f" else finding).apply(
        comparison
    )
    assert [copy.op for copy in copies] == ["f"]
    assert [finding.level for finding in report.findings] == ["note", "error"]


def test_a_step_leaves_findings_out(comparison):
    report = Steps(merged=lambda finding: finding if finding.op == "g" else None).apply(comparison)
    assert [finding.op for finding in report.findings] == ["g"]
