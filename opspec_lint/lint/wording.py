"""The texts of general rules in the terms of one framework.

The module `wording` of a framework has `WORDS`: by the id of a rule, the texts that replace those of the rule, and the
directions in which its models break if these are others.
"""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue, framework_of
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.lint.rule import Rule
    from opspec_lint.report.findings import Direction
    from opspec_lint.spec.ids import RuleId

WORDINGS: Catalogue[Mapping[RuleId, Words]] = Catalogue(
    "frameworks/*", only="wording", offers="WORDS", spell=framework_of
)
"""The wordings, by the names of their frameworks."""


class Words(Record):
    """What replaces the texts of a rule, and its directions; "" and None for what stays."""

    title: str = ""
    flags: str = ""
    why: str = ""
    instead: str = ""
    message: str = ""
    witness: str = ""
    advice: str = ""
    directions: tuple[Direction, ...] | None = None
    is_ignored: bool | None = None


def in_words_of(rule: Rule, framework: str | None) -> Rule:
    """Return a rule with its texts in the terms of a framework."""
    words = None if framework not in WORDINGS or framework is None else WORDINGS.load(framework).get(rule.id)
    return (
        rule
        if words is None
        else rule.replace(**{field: text for field, text in words.__dict__.items() if text not in ("", None)})
    )
