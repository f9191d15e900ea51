"""Every rule with a fix has a fixer, and every fixer is for rules that say so."""

from __future__ import annotations

from opspec_lint.lint.fixer import FIXERS
from opspec_lint.lint.rulebook import RULES


def test_rules_and_fixers_agree():
    fixed = sorted({rule for fixer in FIXERS.every() for rule in fixer.rules})
    assert fixed == sorted(rule.id for rule in RULES.every() if rule.fix is not None)
    assert len(set(fixed)) == len(fixed)
