"""The levels of rules, facts and ops under a profile, and the choice of the profile for two specs."""

from __future__ import annotations

import pytest

from opspec_lint.kit.errors import UsageError
from opspec_lint.lint import profile, rulebook
from opspec_lint.lint.check import check
from opspec_lint.lint.circumstances import circumstance
from opspec_lint.lint.profile import FALLBACK, NO_POLICY, PROFILES, Profile
from opspec_lint.report.findings import LEVELS, Finding
from opspec_lint.spec.model import Attr
from opspec_lint.spec.notation import parse_spec

POLICIES = list(PROFILES.every())
FORBIDDEN = [
    pytest.param(name, id=f"{policy.name}-{name}")
    for policy in POLICIES
    for name, level in policy.levels.items()
    if level == "error"
]
FACT = circumstance("op_removed", "op", "f", {})
BOTH = ("backward", "forward")
BREAK = Finding(
    rule="op_removed",
    event="op_removed",
    level="error",
    directions=("backward",),
    kind="op",
    op="f",
    name="f",
    message="m",
    breaks="b",
    advice="a",
)


def policy(**fields):
    return Profile(summary="s", **{"levels": {}, **fields})


@pytest.mark.parametrize("own", POLICIES, ids=lambda item: item.name)
def test_included_profiles_name_rules_and_levels_that_exist(own):
    assert set(own.levels) <= {rule.id for rule in rulebook.RULES.every()}
    assert set(own.levels.values()) <= set(LEVELS)
    assert {own.floor, own.ceiling} <= set(LEVELS)
    assert set(own.reviewers) <= {"def", "quant"}
    assert own.summary
    assert own.name in PROFILES


@pytest.mark.parametrize("rule", FORBIDDEN)
def test_what_an_included_profile_forbids_breaks_somebody(rule):
    assert rulebook.load(rule).directions != ()


@pytest.mark.parametrize(
    ("fields", "own", "least", "level"),
    [
        ({}, "warning", "off", "warning"),
        ({"levels": {"r": "note"}}, "error", "off", "note"),
        ({"levels": {"r": "note"}}, "error", "error", "note"),  # a level that is named counts, whatever the least is
        ({"levels": {"r": "error"}}, "off", "off", "error"),
        ({"levels": {"other": "note"}}, "error", "off", "error"),
        ({"ceiling": "warning"}, "error", "off", "warning"),
        ({"ceiling": "warning"}, "note", "off", "note"),
        ({"floor": "warning"}, "note", "off", "warning"),
        ({"floor": "warning"}, "error", "off", "error"),
        ({"floor": "error", "ceiling": "note"}, "warning", "off", "error"),
        ({"floor": "error"}, "off", "off", "off"),
        ({"floor": "error", "not_raised": frozenset({"r"})}, "note", "off", "note"),
        ({}, "note", "warning", "warning"),
        ({"ceiling": "note"}, "error", "error", "error"),
        ({}, "off", "warning", "warning"),
    ],
)
def test_the_level_of_a_rule(fields, own, least, level):
    assert policy(**fields).level("r", own, least) == level


def test_levels_of_a_configuration_come_before_those_of_the_profile():
    changed = policy(levels={"r": "note", "s": "warning"}).with_levels({"r": "error"})
    assert [changed.level(rule, "off") for rule in ("r", "s")] == ["error", "warning"]
    united = profile.union("u", policy(levels={"r": "note"}), policy()).with_levels({"r": "warning"})
    assert united.level("r", "error") == "warning"


def test_a_union_has_the_worst_level_all_directions_and_the_first_team():
    forward = policy(levels={"r": "error"}, breaks=lambda _: ("forward",), reviewers={"def": "one"})
    backward = policy(levels={"r": "note"}, breaks=lambda _: ("backward",), reviewers={"def": "two", "quant": "three"})
    united = profile.union("u", forward, backward)
    assert united.level("r", "off") == "error"
    assert united.directions(FACT, BOTH) == BOTH
    assert profile.union("u", backward, backward).directions(FACT, BOTH) == ("backward",)
    assert united.team(Attr(name="a")) == "one"
    assert united.team(Attr(name="a", quant=True)) == "three"


@pytest.mark.parametrize(
    ("fields", "own", "directions"),
    [
        ({}, BOTH, BOTH),
        ({"breaks": lambda _: None}, BOTH, BOTH),
        ({"breaks": lambda _: ()}, BOTH, ()),
        ({"breaks": lambda _: BOTH}, ("backward",), ("backward",)),
        ({"breaks_forward": lambda _: True}, BOTH, BOTH),
        ({"breaks_forward": lambda _: False}, BOTH, ("backward",)),
        ({"breaks_forward": lambda _: False}, ("backward",), ("backward",)),
        ({"breaks": lambda _: BOTH, "breaks_forward": lambda _: False}, BOTH, BOTH),
    ],
)
def test_the_directions_of_a_fact(fields, own, directions):
    assert policy(**fields).directions(FACT, own) == directions


@pytest.mark.parametrize(
    ("reviewers", "quant", "team"),
    [
        ({}, True, None),
        ({"quant": "slim"}, True, "slim"),
        ({"quant": "slim"}, False, None),
        ({"quant": "slim", "def": "inference"}, False, "inference"),
        ({"def": "inference", "quant": "slim"}, True, "slim"),
    ],
)
def test_the_team_that_approves_an_addition(reviewers, quant, team):
    assert policy(reviewers=reviewers).team(Attr(name="a", quant=quant)) == team


def test_exemptions():
    assert not NO_POLICY.exempts("f")
    assert [policy(exempt_ops="^_").exempts(op) for op in ("_f", "f_")] == [True, False]
    assert not NO_POLICY.exempts_extra("r")
    extra = policy(exempt_extra=True, not_exempt=frozenset({"r"}))
    assert [extra.exempts_extra(rule) for rule in ("r", "s")] == [False, True]


@pytest.mark.parametrize(
    ("name", "findings", "variant"),
    [
        ("tensorflow", [BREAK.replace(op="_f")], "tensorflow-public"),
        ("tensorflow", [BREAK.replace(op="_f"), BREAK], None),
        ("tensorflow", [BREAK.replace(op="_f"), BREAK.replace(level="warning")], "tensorflow-public"),
        ("tensorflow", [BREAK.replace(op="_f"), BREAK.replace(directions=("forward",))], "tensorflow-public"),
        ("tensorflow", [BREAK.replace(op=None)], None),
        ("tensorflow", [], None),
        ("paddle", [BREAK.replace(op="_f")], None),
    ],
)
def test_the_public_variant_under_which_no_op_breaks(name, findings, variant):
    assert profile.exempt_under(PROFILES.load(name), findings) == variant


def test_what_loaders_do_is_queried_with_both_specs():
    seen = []

    def limit(base, head):
        seen.append(("limit", base.file, head.file))
        return lambda fact: "note" if fact is FACT else "error"

    def forward(base):
        seen.append(("forward", base.file))
        return lambda fact: fact is FACT

    base, head = (parse_spec("f() -> ()").replace(file=name) for name in ("base", "head"))
    judging = profile.profile_for(policy(limit=limit, forward=forward), base, head)
    assert seen == [("limit", "base", "head"), ("forward", "base")]
    assert (judging.at_most(FACT), judging.breaks_forward(FACT)) == ("note", True)


def test_a_profile_of_another_framework_is_refused_with_those_that_fit():
    spec = parse_spec("f() -> ()")
    with pytest.raises(UsageError, match="'tensorflow' is for specs of tensorflow, and notation is one of paddle") as e:
        profile.profile_for(PROFILES.load("tensorflow"), spec, spec)
    assert "profiles for it: paddle, paddle-2021, " in e.value.advice
    profile.require_framework(PROFILES.load("paddle"), spec)
    profile.require_framework(PROFILES.load("tensorflow"), spec, "tensorflow")


def test_frameworks_have_a_single_default_profile():
    frameworks = [framework for policy in POLICIES for framework in policy.default_for]
    assert len(set(frameworks)) == len(frameworks)
    assert profile.default_for("paddle").name == "paddle"
    assert profile.default_for("tensorflow").name == "tensorflow"
    assert profile.default_for("a framework without a profile").name == FALLBACK


def test_the_profile_of_a_comparison_is_named_in_it():
    spec = parse_spec("f() -> ()")
    assert check(spec, spec).profile == "paddle"
    assert check(spec, spec, PROFILES.load("strict")).profile == "strict"


def test_all_teams_are_listed_once():
    assert profile.teams() == ["inference", "slim"]
