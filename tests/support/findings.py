"""Findings, comparisons and reports for tests."""

from __future__ import annotations

from opspec_lint.lint import rulebook
from opspec_lint.report.findings import Comparison, Finding, Report, Side
from opspec_lint.spec.model import Provenance


def event_of(rule):
    """Return the first event that a rule judges; of no rule, its name."""
    return rulebook.load(rule).on[0] if rule in rulebook.RULES else rule


def finding(**fields):
    every = {
        "rule": "attr_removed",
        "level": "error",
        "directions": ("backward",),
        "kind": "attr",
        "op": "trace",
        "name": "axis",
        "message": "the attr 'axis' was removed",
        "breaks": "a model",
        "advice": "keep it",
    }
    return Finding(**{"event": event_of((every | fields)["rule"]), **every, **fields})


def default_changed(**fields):
    """Return a finding whose old and new value are known."""
    defaults = {"rule": "attr_default_changed", "op": "relu", "name": "a", "field": "default_value", "old": 1, "new": 2}
    return finding(**defaults | fields)


def comparison(*findings, base="main:specs/a.json", head="./specs/a.json"):
    sides = (Side(file=file, provenance=Provenance(framework="paddle"), ops=1) for file in (base, head))
    return Comparison(**dict(zip(("base", "head"), sides, strict=True)), profile="paddle", findings=findings)


def report(*findings):
    return Report(comparisons=(comparison(*findings),))
