"""The level of a rule in each profile, as `explain`, `rules` and the rule pages print it."""

from __future__ import annotations

from opspec_lint.lint import rulebook
from opspec_lint.lint.profile import PROFILES
from opspec_lint.report.findings import LEVELS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.lint.rule import Rule

_WORSE_HALF = "worse half"
"""The level of a rename or a move: the worse level of its halves, a removal and an addition."""


def levels(rule: Rule) -> dict[str, str]:
    """Return the level of a rule in each profile; shared profiles are left out, as they are aliases."""
    return {profile.name: _level(rule, profile.name) for profile in PROFILES.every() if not profile.is_shared}


def default_level(rule: Rule) -> str:
    """Return the level of a rule in profiles that do not name it."""
    if rulebook.has_to_be_named(rule.id):
        return "off"
    return _WORSE_HALF if _is_judged_by_halves(rule) else rule.level


def deviating_profiles(rule: Rule) -> dict[str, list[str]]:
    """Return the profiles in which a rule has another level than the default, by level, the worst first."""
    others: dict[str, list[str]] = {}
    for name, level in levels(rule).items():
        if level != default_level(rule):
            others.setdefault(level, []).append(name)
    return dict(sorted(others.items(), key=lambda item: -LEVELS.index(item[0])))


def _level(rule: Rule, name: str) -> str:
    """Return the level of a rule in the profile `name`, as `judge` would set it."""
    policy = PROFILES.load(name)
    if rulebook.is_unnamed(rule.id, policy):
        return "off"
    if not rule.is_of_contract:
        return policy.named_level(rule.id) or rule.level
    if _is_judged_by_halves(rule) and policy.floor == "off" and policy.named_level(rule.id) is None:
        return _WORSE_HALF
    return policy.level(rule.id, rule.level)


def _is_judged_by_halves(rule: Rule) -> bool:
    """Return whether the level of a rule follows from the removal and the addition that it consists of."""
    return rule.id.endswith(("_renamed", "_moved"))
