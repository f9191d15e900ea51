"""All events that have a rule of their name."""

from __future__ import annotations

from opspec_lint.lint import rulebook

RULES = list(rulebook.RULES.every())
NAMED = {rule.id for rule in RULES if rule.id in rule.on}
EVENTS = {rule.id for rule in RULES if rule.id in NAMED and rule.is_of_contract}
"""Events about ops."""
CIRCUMSTANCES = {rule.id for rule in RULES if not rule.is_of_contract}
"""Events about a saved model, a file, a setting, a waiver or the reading of a source."""
