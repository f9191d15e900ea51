from __future__ import annotations

import pytest

from opspec_lint.diff.specs import diff
from opspec_lint.lint import rulebook
from opspec_lint.lint.examples import parse as parse_spec
from opspec_lint.lint.rulebook import load as load_rule
from tests.diff.mirrors import HOLES, MIRRORS, is_mirrored
from tests.support.events import CIRCUMSTANCES, EVENTS

RULES = sorted(EVENTS)
"""The rules that are named for an event; any other judges one of these events, and mirrors it."""
FLAGGED = [(rule, example) for rule in RULES for example in load_rule(rule).flagged]


def specs(example):
    return [parse_spec(line, framework="any", binding=None) for line in example]


def changes_of(base, head, rule):
    return [change for change in diff(base, head) if change.event == rule]


def test_mirrors_mirror_each_other():
    assert {(event, another) for event, others in MIRRORS.items() for another in others} == {
        (another, event) for event, others in MIRRORS.items() for another in others
    }
    assert all(MIRRORS.values())


@pytest.mark.parametrize(("rule", "example"), FLAGGED)
def test_an_example_the_other_way_round_is_the_mirror(rule, example):
    base, head = specs(example)
    forth = changes_of(base, head, rule)
    assert forth
    back = [change for change in diff(head, base) if change.event in MIRRORS.get(rule, ())]
    if rule in HOLES:
        assert not back
    else:
        assert [change for change in forth if any(is_partner(change, another) for another in back)] == forth


def is_partner(change, another):
    if change.kind == "registration":
        return (change.op, change.name) == (another.op, another.name)
    return is_mirrored([change], [another])


@pytest.mark.parametrize("rule", HOLES)
def test_a_hole_is_one_still(rule):
    """A reason is stale as soon as an event of the rule comes back when base and head change places."""
    pairs = [specs(example) for example in load_rule(rule).flagged]
    assert [len(changes_of(base, head, rule)) > 0 for base, head in pairs] == [True] * len(load_rule(rule).flagged)
    assert [changes_of(head, base, rule) for base, head in pairs] == [[]] * len(pairs)


def test_every_mirror_is_seen_in_some_example():
    """A mirror that no example shows, in one direction or the other, is an empty claim."""
    seen = set()
    for _, example in FLAGGED:
        base, head = specs(example)
        forth, back = ({change.event for change in diff(*pair)} for pair in ((base, head), (head, base)))
        seen |= {item for event in forth for another in back for item in ((event, another), (another, event))}
    assert [event for event in MIRRORS if not any((event, another) in seen for another in MIRRORS[event])] == []


def test_every_event_has_a_rule_and_every_rule_an_event():
    events = {change.event for _, example in FLAGGED for change in diff(*specs(example))}
    assert events == set(RULES)


def test_every_rule_is_on_events_that_there_are():
    assert not EVENTS & CIRCUMSTANCES
    named = EVENTS | CIRCUMSTANCES
    assert set(rulebook.RULES.names()) >= named
    for name in rulebook.RULES.names():
        assert load_rule(name).on == (name,) if name in named else set(load_rule(name).on) <= EVENTS
