"""Facts about what surrounds the specs: files that came or went, settings that changed, waivers that do not hold.

Like a change of an op, each is an event, and the rule that is named for it judges it. No profile does: a configuration
may set the level of such a rule.
"""

from __future__ import annotations

from opspec_lint import rulebook
from opspec_lint.findings import Finding
from opspec_lint.plain import one_line
from opspec_lint.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from opspec_lint.findings import Kind, Level
    from opspec_lint.model import Origin


class Circumstance(Record):
    """A fact about a file, a setting or a waiver.

    `kind` says which of them, `name` which one. `facts` are what the templates of the event's rule can name besides.
    `op` is the op that a waiver is about. `origin` is the place in head.
    """

    event: str
    kind: Kind
    name: str
    op: str | None = None
    facts: Mapping[str, object] = {}
    old: Any = None
    new: Any = None
    origin: Origin | None = None


def judge(circumstances: Iterable[Circumstance], levels: Mapping[str, Level]) -> tuple[Finding, ...]:
    """Return the findings for all that `levels`, or the rule itself, does not turn off; in the order given."""
    rules = ((each, rulebook.load(each.event)) for each in circumstances)
    found = ((each, rule, levels.get(rule.id, rule.level)) for each, rule in rules)
    return tuple(
        Finding(
            rule=rule.id,
            level=level,
            directions=rule.directions,
            kind=each.kind,
            op=each.op,
            name=each.name,
            old=each.old,
            new=each.new,
            message=rule.message.format_map(facts),
            breaks=rule.witness.format_map(facts),
            advice=rule.advice.format_map(facts),
            head_origin=each.origin,
        )
        for each, rule, level in found
        if level != "off"
        for facts in [_facts(each)]
    )


def _facts(each: Circumstance) -> dict[str, str]:
    facts = {"name": each.name, "op": each.op, **each.facts}
    return {key: one_line(str(value)) for key, value in facts.items()}
