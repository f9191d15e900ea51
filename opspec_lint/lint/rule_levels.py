"""The level of a rule in each profile, for people who look a rule up."""

from __future__ import annotations

from opspec_lint.lint.profile import PROFILES
from opspec_lint.report.findings import LEVELS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.lint.rule import Rule

_WORSE_HALF = "worse half"
"""The level of a rename or a move: the worse of those of the removal and the addition that it is."""


def levels(rule: Rule) -> dict[str, str]:
    """Return the level of a rule in each profile; one that stands for others has none of its own."""
    return {name: _level(rule, name) for name in PROFILES.names() if not PROFILES.load(name).is_shared}


def usual(rule: Rule) -> str:
    """Return the level of a rule where no profile says otherwise."""
    return _WORSE_HALF if _is_of_halves(rule) else rule.level


def exceptions(rule: Rule) -> dict[str, list[str]]:
    """Return the profiles in which a rule has another level than usual, by that level."""
    others: dict[str, list[str]] = {}
    for name, level in levels(rule).items():
        if level != usual(rule):
            others.setdefault(level, []).append(name)
    return dict(sorted(others.items(), key=lambda each: -LEVELS.index(each[0])))


def _level(rule: Rule, name: str) -> str:
    policy = PROFILES.load(name)
    if not rule.is_of_contract:
        return policy.levels.get(rule.id, rule.level)
    if _is_of_halves(rule) and policy.floor == "off" and rule.id not in policy.levels:
        return _WORSE_HALF
    return policy.level(rule.id, rule.level)


def _is_of_halves(rule: Rule) -> bool:
    return rule.id.endswith(("_renamed", "_moved"))
