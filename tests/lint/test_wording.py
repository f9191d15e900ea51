"""A rule speaks of a framework's ops in the words of that framework."""

from __future__ import annotations

import re
from functools import cache

import pytest

from opspec_lint.diff.specs import diff
from opspec_lint.lint import examples, rulebook
from opspec_lint.lint.check import check, report
from opspec_lint.lint.judge import judge
from opspec_lint.lint.profile import FALLBACK, PROFILES
from opspec_lint.lint.wording import WORDINGS, apply_wording
from opspec_lint.sources import recognise
from opspec_lint.spec import fields
from opspec_lint.spec.event import events
from opspec_lint.spec.model import SECTIONS, UNKNOWN
from opspec_lint.spec.notation import parse_spec
from tests.support import per_framework
from tests.support.paths import SPECS

FOREIGN = per_framework.every("FOREIGN")
OF_TREES = per_framework.every("OF_TREES")
DECLARATIONS = per_framework.every("DECLARATIONS")
LEAST = per_framework.every("RAISED")
DECLARES = per_framework.every("declares")
TEXTS = ("title", "flags", "why", "instead", "message", "witness", "advice")
OPTIONAL = [
    ("f(x: float) -> ()", "f(x: float, o: Ts) -> () [Ts: list(type) = []]"),
    ("f() -> (y: float)", "f() -> (y: float, o: Ts) [Ts: list(type) = []]"),
]
RULES = list(rulebook.RULES.every())
EXAMPLES = [example for rule in RULES if rule.is_of_contract for example in rule.flagged] + OPTIONAL


@cache
def released(framework):
    """A spec of a framework; there are no releases of schemas and of models."""
    if framework in DECLARATIONS:
        return examples.parse(DECLARATIONS[framework], framework=framework)
    *_, last = sorted(SPECS.glob(f"{framework}-[0-9]*.json"))
    return recognise.read(str(last)).spec


def is_of(framework, text):
    """Return whether one side of an example declares a behaviour of a framework; no text states that by itself."""
    if framework in DECLARES:
        return text != "" and DECLARES[framework](text)
    return not any(declares(text) for declares in DECLARES.values())


def sides(framework, base, head):
    """The specs of an example as of a framework, nothing where it has no such declarations."""
    if not (is_of(framework, base) and is_of(framework, head)):
        return []
    return [examples.parse(text, framework=framework, binding=released(framework).binding) for text in (base, head)]


def known_fields(spec):
    """The fields that the specs of a framework say anything of."""
    table = fields.field_table(spec.provenance.framework)
    things = [
        ("ops", list(spec.ops.values())),
        *(
            (section, [item for op in spec.ops.values() for item in getattr(op, section)])
            for section in SECTIONS.values()
        ),
    ]
    return {
        name
        for section, item in things
        for name in table.fields_of(section)
        if any(thing.get(name) is not UNKNOWN for thing in item)
    }


@cache
def raised(framework):
    """The findings of all examples that a framework's specs can yield."""
    return list(_raised(framework))


def _raised(framework):
    spec = released(framework)
    policy = PROFILES.load(FALLBACK).replace(levels={rule.id: "note" for rule in RULES})
    known = known_fields(spec) | OF_TREES.get(framework, set()) | {"", "order", "invalid", "name"}
    for base, head in EXAMPLES:
        specs = sides(framework, base, head)
        if not specs:
            continue
        for finding in judge(diff(*specs), policy, framework=framework):
            is_of_versions = finding.kind == "registration" or finding.rule == "op_version_unknown"
            is_of_graphs = finding.kind == "source" and not is_of_versions
            if is_of_versions and spec.op_versions is UNKNOWN:
                continue
            if is_of_graphs and spec.graph_versions is None and rulebook.RULES.framework_of(finding.rule) == "":
                continue
            if finding.rule.partition("_")[0] in {"extra", "quant", "knowledge"} - known:  # of fields never known
                continue
            if (finding.field or "").partition(".")[0] in known or finding.kind in ("registration", "source"):
                yield finding


def test_every_framework_has_a_vocabulary():
    assert set(FOREIGN) == set(fields.FRAMEWORKS.names())
    assert set(WORDINGS.names()) <= set(FOREIGN)


@pytest.mark.parametrize("framework", FOREIGN)
def test_most_rules_can_be_raised(framework):
    raised_rules = {finding.rule for finding in raised(framework)}
    assert {rule.id for rule in RULES if rule.framework == framework and rule.is_of_contract} <= raised_rules
    assert len(raised_rules) >= LEAST.get(framework, 40)


@pytest.mark.parametrize("framework", FOREIGN)
def test_no_finding_speaks_in_the_words_of_another_framework(framework):
    foreign = re.compile(rf"\b(?:{FOREIGN[framework]})\b")
    findings = list(raised(framework))
    assert findings
    for finding in findings:
        for text in (finding.message, finding.breaks, finding.advice):
            assert not foreign.search(text), (finding.rule, text)


@pytest.mark.parametrize("framework", FOREIGN)
def test_no_rule_speaks_in_the_words_of_another_framework(framework):
    foreign = re.compile(rf"\b(?:{FOREIGN[framework]})\b")
    names = sorted({finding.rule for finding in raised(framework)})
    assert names
    for name in names:
        rule = apply_wording(rulebook.load(name), framework)
        for field in TEXTS:
            assert not foreign.search(getattr(rule, field)), (name, field, getattr(rule, field))


def test_a_report_states_what_its_rules_state_of_the_framework():
    specs = [parse_spec(text, framework="tensorflow", binding="signature") for text in ("f() -> ()", "f(x: int) -> ()")]
    result = report(check(*specs))
    assert [(rule.id, rule.title) for rule in result.rules] == [
        ("input_added_not_dispensable", "A required input was added")
    ]
    assert "list(type)" in result.comparisons[0].findings[0].advice


@pytest.mark.parametrize("framework", WORDINGS.names())
def test_words_are_of_rules_and_facts_that_there_are(framework):
    for name, texts in WORDINGS.load(framework).items():
        rule = rulebook.load(name)
        for field in ("message", "witness", "advice"):
            known = {"op", "kind", "name", "old", "new"}.union(*(events()[event].facts for event in rule.on))
            assert set(re.findall(r"{(\w+)}", getattr(texts, field))) <= known
        assert apply_wording(rule, framework) != rule
