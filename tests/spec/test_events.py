"""The tables of events: each event is declared once, where its rule is, and says all that rules use."""

from __future__ import annotations

import string

from opspec_lint.diff.specs import diff
from opspec_lint.lint import examples, rulebook
from opspec_lint.lint.rulebook import load as load_rule
from opspec_lint.spec import fields
from opspec_lint.spec.event import FRAMEWORK_EVENTS, SUBJECTS, events
from tools.docs import ids

TABLES = {
    name: table
    for tables in (SUBJECTS, FRAMEWORK_EVENTS)
    for name, table in zip(tables.names(), tables.every(), strict=True)
}
DECLARED = [(name, event) for name, event in events().items()]
OF_CONTRACT = [(name, event) for name, event in DECLARED if event.is_of_contract]
ALWAYS = {"kind", "name", "op"}
"""What the templates of every rule can name."""


def texts_of(rule):
    """Return the names that the templates of a rule use."""
    texts = (rule.message, rule.witness, rule.advice)
    return {field for text in texts for _, field, *_ in string.Formatter().parse(text) if field}


def test_an_event_is_declared_once_in_the_table_of_its_subject():
    assert len(events()) == sum(map(len, TABLES.values()))
    for subject, table in TABLES.items():
        assert {rulebook.subject_of(event) for event in table} == {subject}


def test_the_order_of_a_table_is_that_of_the_alphabet():
    assert all(list(table) == sorted(table) for table in TABLES.values())


def test_every_event_has_a_rule_and_every_rule_an_event():
    assert set(events()) == {rule.id for rule in rulebook.RULES.every() if rule.id in rule.on}
    assert {event for rule in rulebook.RULES.every() for event in rule.on} == set(events())


def test_the_ids_that_type_checkers_know_are_those_of_the_tables():
    assert (ids.TOP / ids.PATH).read_text() == ids.text()


def test_an_event_has_a_mirror_or_a_reason_if_it_concerns_two_specs():
    counts = {name: [bool(event.mirrors), bool(event.one_sided.strip())].count(True) for name, event in DECLARED}
    assert counts == {name: event.is_of_contract for name, event in DECLARED}


def test_the_events_of_fields_are_declared_and_mirror_each_other():
    for section in fields.SECTIONS:
        of_section = fields.field_table_of_all_frameworks().fields_of(section)
        assert of_section
        for field in of_section.values():
            assert set(field.events) <= events().keys()
            if len(field.events) == 2:
                first, second = field.events
                assert second in events()[first].mirrors
                assert first in events()[second].mirrors


def test_facts_state_all_that_their_event_declares():
    own = {name: [fact for fact in example_facts(load_rule(name)) if fact.event == name] for name, _ in OF_CONTRACT}
    assert [name for name, stated in own.items() if not stated] == []
    assert [
        (name, fact)
        for name, event in OF_CONTRACT
        for fact in own[name]
        if not set(event.facts) <= fact.template_values().keys()
    ] == []


def example_facts(rule):
    """Return the facts of all flagged examples of a rule."""
    return [fact for example in rule.flagged for fact in facts(example, rule)]


def facts(example, rule):
    base, head = (examples.parse(side, framework=rule.framework or "any") for side in example)
    return diff(base, head)


def test_a_rule_uses_what_its_events_declare():
    undeclared = {
        rule.id: texts_of(rule) - ALWAYS - set.intersection(*(set(events()[event].facts) for event in rule.on))
        for rule in rulebook.RULES.every()
    }
    assert {rule: names for rule, names in undeclared.items() if names} == {}


def test_an_event_declares_what_some_rule_uses():
    used = {name: set(load_rule(name).facts) for name, _ in DECLARED}
    for rule in rulebook.RULES.every():
        for name in rule.on:
            used[name] |= texts_of(rule)
    assert [(name, unused) for name, event in DECLARED if (unused := set(event.facts) - used[name])] == []
