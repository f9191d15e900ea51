from __future__ import annotations

import ast
import re
import string
from pathlib import Path

import pytest

from opspec_lint import __version__
from opspec_lint.diff.specs import diff
from opspec_lint.lint import rulebook
from opspec_lint.lint.examples import findings
from opspec_lint.lint.examples import parse as parse_spec
from opspec_lint.lint.profile import PROFILES
from opspec_lint.lint.rule import Rule, generalize
from opspec_lint.lint.rulebook import load as load_rule
from opspec_lint.lint.wording import WORDINGS, apply_wording
from opspec_lint.report.findings import LEVELS
from opspec_lint.spec.event import events
from opspec_lint.spec.model import UNKNOWN
from tests.support.events import CIRCUMSTANCES
from tests.support.programs import run

RULES = list(rulebook.RULES.every())
OF_OPS = [rule for rule in RULES if rule.id not in CIRCUMSTANCES]
"""The rules that judge changes of ops; `test_scenes.py` tests the others."""
POLICIES = list(PROFILES.every())
FLAGGED = [pytest.param(rule, example, id=rule.id) for rule in OF_OPS for example in rule.flagged]
PASSES = [pytest.param(rule, example, id=rule.id) for rule in OF_OPS for example in rule.passes]
TEMPLATES = ("message", "witness", "advice")

every_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)


def of_rule(rule, example):
    return [finding for finding in findings(example, rule) if finding.rule == rule.id]


@pytest.mark.parametrize(("rule", "example"), FLAGGED)
def test_flagged_examples_are_flagged(rule, example):
    result = of_rule(rule, example)
    assert result
    for finding in result:
        check_texts(rule, finding)
        check_facts(rule, example, finding)


def check_texts(rule, finding):
    """Findings speak plainly, and in the words of the templates."""
    texts = (finding.message, finding.breaks, finding.advice)
    for name, text in zip(TEMPLATES, texts, strict=True):
        assert text.isprintable()
        assert text.strip() == text != ""
        assert not re.search(r"\{\w*\}", text)
        assert not text.endswith(".")
        assert str(UNKNOWN) not in text
        assert all(literal in text for literal, *_ in string.Formatter().parse(getattr(rule, name)))
    if all(events()[event].is_of_op for event in rule.on):
        assert f"'{finding.op}'" in finding.breaks
    else:
        assert finding.op is None
    assert (
        f"'{finding.name}'" in finding.message
        or finding.kind in ("op", "registration", "source")
        or finding.field == "order"
    )


def check_facts(rule, example, finding):
    """Findings hold what the rule says."""
    assert finding.directions == rule.directions
    assert finding.is_relaxation is ("backward" not in rule.directions)
    assert (finding.new_name is not None) is rule.id.endswith(("_renamed", "_moved"))
    assert (finding.confidence is not None) is (finding.new_name is not None)
    assert finding.op is None or finding.op in {op for side in example for op in parse_spec(side).ops}


@pytest.mark.parametrize(("rule", "example"), PASSES)
def test_examples_that_pass_are_left_alone(rule, example):
    assert not of_rule(rule, example)


def test_a_rule_is_documented():
    assert [rule.id for rule in RULES if not re.fullmatch(r".*[^.]", rule.title)] == []
    assert [rule.id for rule in RULES for text in (rule.flags, rule.why, rule.instead) if not is_sentence(text)] == []
    assert [rule.id for rule in RULES if not re.fullmatch(r"\d+\.\d+\.\d+", rule.since)] == []
    own = [int(part) for part in __version__.split(".")]
    assert [rule.id for rule in RULES if [int(part) for part in rule.since.split(".")] > own] == []


def is_sentence(text):
    return re.fullmatch(r".+\.", text) is not None


@every_rule
def test_a_rule_is_valid_and_has_examples_of_both_kinds(rule):
    assert rule.id in rulebook.RULES
    assert rule.level in LEVELS
    assert rule.level != "off" or any(policy.levels.get(rule.id) for policy in POLICIES)
    assert set(rule.directions) <= {"backward", "forward"}
    assert len(set(rule.directions)) == len(rule.directions)
    assert rule.flagged
    assert rule.passes
    assert not set(rule.flagged) & set(rule.passes)
    assert bool(rule.facts) is (rule.id in CIRCUMSTANCES)
    if rule.id not in CIRCUMSTANCES:
        assert rule.level != "error" or rule.directions
        assert rule.level != "note" or rule.id.startswith("op_version_") or "backward" not in rule.directions


@every_rule
def test_explain_shows_all_that_a_rule_states_and_what_it_finds(rule):
    ran = run("explain", rule.id)
    assert (ran.code, ran.err) == (0, "")
    shown = " ".join(ran.out.split())
    for text in (rule.id, rule.flags, rule.why, rule.instead, rule.since):
        assert " ".join(text.split()) in shown
    nothing = "(nothing)" if rule.id in CIRCUMSTANCES else "(no such op)"
    for example in (*rule.flagged, *rule.passes):
        assert all(" ".join((side or nothing).split()) in shown for side in example)
    assert shown.count("Flagged base") == len(rule.flagged)
    assert shown.count("Left alone base") == len(rule.passes)
    for example in rule.flagged:
        result = of_rule(rule, example)
        assert result
        for finding in result:
            for text in (finding.message, f"witness: {finding.breaks}", f"advice: {finding.advice}"):
                assert " ".join(text.split()) in shown


@pytest.mark.parametrize("name", sorted(CIRCUMSTANCES))
def test_the_facts_of_an_example_are_those_that_the_templates_name(name):
    rule = load_rule(name)
    texts = [
        getattr(worded, template)
        for worded in (rule, *(apply_wording(rule, framework) for framework in WORDINGS.names()))
        for template in TEMPLATES
    ]
    named = {field for text in texts for _, field, *_ in string.Formatter().parse(text) if field}
    assert named <= rule.facts.keys() <= named | {"name", "op"}


def test_titles_and_messages_are_all_different():
    for field in ("title", "message"):
        texts = [getattr(rule, field) for rule in RULES]
        shared = {text for text in texts if texts.count(text) > 1}
        assert not {text for text in shared if "{old} to {new}" not in text}


@pytest.mark.parametrize("binding", ["name", "signature"])
def test_nothing_differs_between_an_example_and_itself(binding):
    lines = {line for rule in OF_OPS for example in (*rule.flagged, *rule.passes) for line in example}
    specs = {line: [parse_spec(line, binding=binding) for _ in range(2)] for line in lines}
    assert lines
    assert [line for line, (spec, same) in specs.items() if [*diff(spec, spec), *diff(spec, same)]] == []


FACTS = {
    "level": "note",
    "directions": (),
    "since": "0.1.0",
    "message": "",
    "witness": "",
    "advice": "",
    "flagged": (("f(X) -> ()", ""),),
    "passes": (),
}


def test_a_rule_is_made_of_its_docstring():
    doc = "A title.\n\nFlags:\n    One\n    thing.\n\nWhy it breaks:\n    Two.\n\nInstead:\n    Three.\n"
    made = Rule(**FACTS).with_file_data("some_event", "paddle", doc)
    assert (made.id, made.framework, made.on) == ("some_event", "paddle", ("some_event",))
    assert (made.title, made.flags, made.why, made.instead) == (
        "A title",
        "One thing.",
        "Two.",
        "Three.",
    )


@pytest.mark.parametrize(
    "doc",
    [
        "",
        "A title.",
        "A title.\n\nFlags:\n    One.\n\nInstead:\n    Three.",
        "A title.\n\nWhy it breaks:\n    Two.\n\nFlags:\n    One.\n\nInstead:\n    Three.",
        "A title.\n\nFlags:\n    1.\n\nWhy it breaks:\n    2.\n\nInstead:\n    3.\n\nMore:\n    4.",
    ],
)
def test_a_docstring_without_its_sections_is_refused(doc):
    with pytest.raises(ValueError, match=r"^expected the sections Flags, Why it breaks, Instead, found "):
        Rule(**FACTS).with_file_data("some_event", "", doc)


def test_witness_and_advice_take_the_place_of_sections():
    rule = Rule(**FACTS).replace(witness="'{op}' is refused", advice="keep the key '{name}'")
    made = rule.with_file_data("some_event", "", "A title.\n\nFlags:\n    One.")
    assert (made.flags, made.why, made.instead) == ("One.", "The op is refused.", "Keep the key.")
    with pytest.raises(ValueError, match=r"^expected the sections"):
        rule.replace(advice="keep {old}").with_file_data("some_event", "", "A title.\n\nFlags:\n    One.")


@pytest.mark.parametrize(
    ("template", "sentence"),
    [
        ("keep `it`", "Keep `it`."),
        ("keep the default value {old}", "Keep the default value."),
        ("keep the key '{name}' of '{op}'", "Keep the key of the op."),
        ("keep the old name of '{name}'", "Keep the old name of it."),
        ("take {old}", None),
        ("", None),
    ],
)
def test_a_template_without_the_facts_of_a_finding(template, sentence):
    assert generalize(template) == sentence


def test_no_section_repeats_a_template():
    assert [rule.id for rule in RULES if repeats_a_template(rule)] == []


def repeats_a_template(rule):
    source = Path(rulebook.RULES.file_of(rule.id)).read_text(encoding="utf-8")
    sections = (ast.get_docstring(ast.parse(source)) or "").split("\n\n")
    templates = [tokens_of(generalize(template) or "") for template in (rule.witness, rule.advice)]
    return any(tokens_of(section.partition(":\n")[2]) in filter(None, templates) for section in sections)


def tokens_of(text):
    return re.findall(r"[\w`]+", text.casefold())
