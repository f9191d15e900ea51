"""The examples of rules about a saved model, a file, a setting, a waiver or the reading of a source."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

from opspec_lint.lint import examples, rulebook
from tests.support import scenes
from tests.support.events import CIRCUMSTANCES

RULES = [rulebook.load(name) for name in sorted(CIRCUMSTANCES)]
FLAGGED = [pytest.param(rule, example, id=rule.id) for rule in RULES for example in rule.flagged]
PASSES = [pytest.param(rule, example, id=rule.id) for rule in RULES for example in rule.passes]
TEMPLATES = {"message": "message", "witness": "breaks", "advice": "advice"}
NOWHERE = ("nothing_compared", "predictor_broadcast_changed", "release_too_small", "spec_removed", "translation_")
"""How the events begin that no file of head shows in a scene."""

IN_BASE = ("op_unresolved", "spec_removed")
"""The events that a file of base shows."""


@pytest.fixture
def findings_of(tmp_path, monkeypatch):
    """A function that returns what a scene leads to, without what two specs show."""
    monkeypatch.chdir(tmp_path)

    def reported(rule, example):
        return [finding for finding in scenes.findings(rule, example, Path()) if finding.rule in CIRCUMSTANCES]

    return reported


@pytest.mark.parametrize(("rule", "example"), FLAGGED)
def test_a_flagged_scene_leads_to_the_rule_alone_and_to_what_explain_shows(findings_of, rule, example):
    result = findings_of(rule, example)
    assert {finding.rule for finding in result} == {rule.id}
    (explained,) = examples.findings(example, rule)
    assert texts(explained) in map(texts, result)
    for finding in result:
        assert finding.op == rule.facts.get("op")
        assert finding.directions == rule.directions
        assert rule.level in (finding.level, "off")
        assert (finding.head_origin is None) is rule.id.startswith(NOWHERE)
        assert (finding.base_origin is not None) is (rule.id in IN_BASE)
        check_texts(rule, finding)


def texts(finding):
    """The texts of a finding, without the node of a model that it is about, and without the ids of commits."""
    message = re.sub(r" \(node '.*'\)", "", finding.message)
    return [re.sub(r"[0-9a-f]{7,40}(?=\))", "ID", text) for text in (message, finding.breaks, finding.advice)]


def check_texts(rule, finding):
    """Findings speak plainly, and in the words of the templates."""
    for template, field in TEMPLATES.items():
        shown = getattr(finding, field)
        assert shown.isprintable()
        assert shown.strip() == shown != ""
        assert not shown.endswith(".")
        assert not re.search(r"\{\w*\}", shown)
        assert all(literal in shown for literal, *_ in string.Formatter().parse(getattr(rule, template)))


@pytest.mark.parametrize(("rule", "example"), PASSES)
def test_a_scene_that_passes_leads_to_no_such_rule(findings_of, rule, example):
    assert [item.message for item in findings_of(rule, example)] == []
