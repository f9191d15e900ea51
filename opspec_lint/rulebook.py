"""Which rules there are, and which of them judge an event.

The rule that is named for an event judges it. Any other rule says in its file which events it is on; a rule's module
is imported when its event occurs.
"""

from __future__ import annotations

from functools import cache

from opspec_lint import catalogue
from opspec_lint.changes import CIRCUMSTANCES, EVENTS
from opspec_lint.errors import unknown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.rule import Rule


@cache
def names() -> list[str]:
    """Return the ids of all rules."""
    return catalogue.names("rules")


def load(name: str) -> Rule:
    """Return a rule by id.

    Raises:
        UsageError: there is none of that id.
    """
    if name not in names():
        raise unknown_name("rule", name, names())
    rule: Rule = catalogue.module("rules", name).RULE
    return rule


@cache
def on(event: str) -> tuple[Rule, ...]:
    """Return the rules that judge an event, the one that is named for it first."""
    return (load(event), *(rule for rule in _named_for_no_event() if event in rule.on))


@cache
def _named_for_no_event() -> tuple[Rule, ...]:
    return tuple(load(name) for name in names() if name not in EVENTS and name not in CIRCUMSTANCES)
