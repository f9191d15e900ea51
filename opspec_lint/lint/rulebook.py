"""Which rules there are, and which of them judge an event.

The rule that is named for an event judges it. Any other rule says in its file which event it is on, and its name begins
with that of the event: so a rule's module is imported when its event may have occurred, and no sooner. Such a rule in
the folder of a framework is about the ops of that framework alone.
"""

from __future__ import annotations

from functools import cache

from opspec_lint.kit.catalogue import Catalogue
from opspec_lint.kit.errors import unknown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.lint.rule import Rule


RULES = Catalogue("lint/rules/*", "frameworks/*/rules")


def names() -> list[str]:
    """Return the ids of all rules."""
    return RULES.names()


def load(name: str) -> Rule:
    """Return a rule by id.

    Raises:
        UsageError: there is none of that id.
    """
    if name not in RULES:
        raise unknown_name("rule", name, names())
    rule: Rule = RULES.load(name).RULE
    return rule


@cache
def on(event: str, framework: str | None) -> tuple[Rule, ...]:
    """Return the rules that judge an event, the one that is named for it first.

    Args:
        event: the event.
        framework: whose ops it is about, None where the rules of no one framework are to judge.
    """
    longer = (name for name in names() if name.startswith(f"{event}_"))
    beside = (load(name) for name in longer if RULES.framework_of(name) in (None, framework))
    return (load(event), *(rule for rule in beside if event in rule.on))
