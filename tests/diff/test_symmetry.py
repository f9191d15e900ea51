from __future__ import annotations

import pytest

from opspec_lint.diff.changes.change import Change, StatedChange
from opspec_lint.diff.specs import diff
from opspec_lint.lint import rulebook
from opspec_lint.lint.examples import parse as parse_spec
from opspec_lint.lint.rulebook import load as load_rule
from opspec_lint.spec import fields
from tests.diff.mirrors import HAZARDS, HOLES, INTERFACES, MIRRORS, RANGES, SLOTS, is_mirrored
from tests.support.events import CIRCUMSTANCES, EVENTS
from tests.support.per_framework import every

RULES = sorted(EVENTS)
"""The rules that are named for an event; any other judges one of these events, and mirrors it."""
FLAGGED = [(rule, example) for rule in RULES for example in load_rule(rule).flagged]


def specs(example):
    return [parse_spec(line, framework="any", binding=None) for line in example]


def changes_of(base, head, rule):
    return [change for change in diff(base, head) if change.event == rule]


def test_every_rule_has_a_mirror_or_a_reason():
    assert sorted([*MIRRORS, *HOLES]) == RULES
    assert all(reason.strip() for reason in HOLES.values())


@pytest.mark.parametrize("name", ["MIRRORS", "HOLES"])
def test_a_framework_states_the_mirrors_of_its_own_events(name):
    for framework, own in every(name).items():
        assert {rulebook.RULES.framework_of(event) for event in own} == {framework}


def test_mirrors_mirror_each_other():
    assert {(event, other) for event, others in MIRRORS.items() for other in others} == {
        (other, event) for event, others in MIRRORS.items() for other in others
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
        assert [change for change in forth if any(is_partner(change, other) for other in back)] == forth


def is_partner(change, other):
    if change.kind == "registration":
        return (change.op, change.name) == (other.op, other.name)
    return is_mirrored([change], [other])


@pytest.mark.parametrize("rule", HOLES)
def test_a_hole_is_one_still(rule):
    """A reason is stale as soon as an event of the rule comes back when base and head change places."""
    for example in load_rule(rule).flagged:
        base, head = specs(example)
        assert changes_of(base, head, rule)
        assert not changes_of(head, base, rule)


def test_every_mirror_is_seen_in_some_example():
    """A mirror that no example shows, in one direction or the other, is an empty claim."""
    seen = set()
    for _, example in FLAGGED:
        base, head = specs(example)
        forth, back = ({change.event for change in diff(*pair)} for pair in ((base, head), (head, base)))
        seen |= {each for event in forth for other in back for each in ((event, other), (other, event))}
    assert [event for event in MIRRORS if not any((event, other) in seen for other in MIRRORS[event])] == []


def test_every_event_has_a_rule_and_every_rule_an_event():
    events = {change.event for _, example in FLAGGED for change in diff(*specs(example))}
    assert events == set(RULES)


def test_every_rule_is_on_events_that_there_are():
    assert not EVENTS & CIRCUMSTANCES
    named = EVENTS | CIRCUMSTANCES
    assert set(rulebook.RULES.names()) >= named
    for name in rulebook.RULES.names():
        assert load_rule(name).on == (name,) if name in named else set(load_rule(name).on) <= EVENTS


def test_every_kind_of_change_occurs_in_some_example():
    kinds = {type(change) for _, example in FLAGGED for change in diff(*specs(example))}
    stated = {kind for kind in kinds_of(Change) if StatedChange in kind.__bases__}
    named = {kind for kind in kinds_of(Change) if "event" in kind.__dict__} - {StatedChange}
    assert kinds == {kind for kind in named | stated if kind.is_of_contract}


def kinds_of(parent):
    """Yield every kind of change that there is."""
    for kind in parent.__subclasses__():
        yield kind
        yield from kinds_of(kind)


def possible_events():
    """Yield every event name that a change can have: those of the fields that there are, and of all other facts."""
    for section in fields.SECTIONS:
        for field in fields.whole_table().of(section).values():
            yield from field.events
    yield from ("op_added", "op_removed", "op_invalid", "argument_order_changed", "argument_name_changed")
    yield from ("argument_type_generalised", "arguments_swapped", "attr_default_added_late")
    yield from ("attr_added_with_default", "attr_added_without_default", "op_version_names_nothing")
    yield from ("extra_set", "extra_cleared", "extra_cleared_not_optional", "extra_unsaid", "op_version_unknown")
    yield from ("op_version_unregistered", "op_valid", "producer_since_changed", "binding_changed")
    yield from ("knowledge_lost", "knowledge_gained", "extra_learned", "builds_lost", "builds_gained")
    yield from ("source_kind_changed", "loader_checks_less", "loading_changed")
    for kind in ("input", "output"):
        yield from (f"{kind}_added_dispensable", f"{kind}_added_not_dispensable", f"{kind}_moved")
    for kind in ("input", "output", "attr"):
        yield from (f"{kind}_removed", f"{kind}_renamed")
    yield from (f"attr_default_{how}" for how in ("added", "changed", "removed"))
    yield from (f"allowed_values_{how}" for how in ("narrowed", "reordered", "widened"))
    yield from (f"{limit}_{how}" for limit in ("minimum", "maximum") for how in ("lowered", "raised"))
    for number in ("graph_version", "min_consumer", "min_producer"):
        yield from (f"{number}_raised", f"{number}_lowered")
    yield from ("bad_consumers_changed", "new_graphs_refused", "old_graphs_refused")
    yield from (f"op_version_{how}" for how in ("extended", "lost", "rewritten", "reworded"))
    yield from (*SLOTS, *RANGES, *INTERFACES, *HAZARDS)
    for own in (*every("MIRRORS").values(), *every("HOLES").values()):
        yield from own


def test_the_catalogue_is_total():
    assert sorted(set(possible_events())) == RULES
