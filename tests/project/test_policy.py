from __future__ import annotations

import pytest

from opspec_lint.kit.errors import UsageError
from opspec_lint.lint.approvals import Reviews
from opspec_lint.lint.profile import PROFILES
from opspec_lint.project.config import Config
from opspec_lint.project.policy import Policy
from opspec_lint.project.profile_choice import ProfileChoice
from opspec_lint.spec.notation import parse_spec

BASE = parse_spec("f(X, Y) -> ()\ng(X) -> ()\nc_h(X) -> ()")
HEAD = parse_spec("f(X) -> ()\nc_h() -> ()")


def reported(config=None, **fields):
    comparison = Policy(config=config, **fields).compare(BASE, HEAD)
    return comparison, [(finding.level, finding.rule, finding.op) for finding in comparison.findings]


ALL = [("error", "input_removed", "c_h"), ("error", "input_removed", "f"), ("error", "op_removed", "g")]


def test_without_a_configuration_the_framework_decides():
    policy = Policy(config=None)
    assert (policy.levels, policy.against) == ({}, ())
    comparison, findings = reported()
    assert (comparison.profile, findings, comparison.ignored) == ("paddle", ALL, 0)


def test_the_configured_profile_and_the_one_in_place_of_it():
    config = Config(file="x", profile=(ProfileChoice(profile="strict"),))
    assert reported(config)[0].profile == "strict"
    assert reported(config, profiles=(ProfileChoice(profile="paddle-2021"),))[0].profile == "paddle-2021"
    with pytest.raises(UsageError, match="strickt"):
        reported(config, profiles=(ProfileChoice(profile="strickt"),))


def test_levels_go_before_those_of_the_profile():
    config = Config(file="x", levels={"input_removed": "note", "op_removed": "off"})
    assert reported(config)[1] == [("note", "input_removed", "c_h"), ("note", "input_removed", "f")]
    assert PROFILES.load("paddle").levels["input_removed"] == "error"


@pytest.mark.parametrize(
    ("patterns", "left"),
    [
        (("g",), ["c_h", "f"]),
        (("c_*",), ["f", "g"]),
        (("?",), ["c_h"]),
        (("[fg]", "c_h"), []),
        (("C_*", "ff", ""), ["c_h", "f", "g"]),
    ],
)
def test_ignored_ops_are_counted_and_left_out(patterns, left):
    comparison, findings = reported(Config(file="x", ignore=patterns))
    assert [op for _, _, op in findings] == left
    assert comparison.ignored == 3 - len(left)


def test_what_concerns_no_op_is_never_ignored():
    policy = Policy(config=Config(file="x", ignore=("*",)), profiles=(ProfileChoice(profile="paddle-2021"),))
    comparison = policy.compare(parse_spec("f(X) -> ()"), parse_spec("f() -> ()"))
    assert [(finding.rule, finding.op) for finding in comparison.findings] == [("op_version_unknown", None)]


@pytest.mark.parametrize(("only", "ops"), [(("f",), ["f"]), (("f", "nowhere"), ["f"]), (("nowhere",), [])])
def test_only_some_ops_as_far_as_either_spec_has_them(only, ops):
    assert [op for _, _, op in reported(only=only)[1]] == ops


def test_approvals_are_requested_where_there_are_reviewers_and_reviews():
    teams = {"slim": ("ann",)}
    config = Config(file="x", reviewers=teams)
    gate = Policy(config=config).gate(Reviews, "abc")
    assert (gate.teams, gate.reviews, gate.is_of_head, gate.head) == (teams, Reviews, False, "abc")
    assert Policy(config=config.replace(approvals="of-head")).gate(Reviews, None).is_of_head
    assert Policy(config=config).gate(None, "abc") is None
    assert Policy(config=Config(file="x")).gate(Reviews, "abc") is None
    assert Policy(config=None).gate(Reviews, "abc") is None
