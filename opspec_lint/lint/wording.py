"""The texts of general rules in the terms of one framework.

The module `wording` of a framework has `WORDING`: texts and directions that replace the general ones, by rule id.
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

WORDINGS: Catalogue[Mapping[RuleId, Wording]] = Catalogue(
    "frameworks/*", only="wording", offers="WORDING", spell=framework_of
)
"""The wordings by framework."""


class Wording(Record):
    """The replacements for texts and directions of one rule; "" or None keeps the field of the rule."""

    title: str = ""
    flags: str = ""
    why: str = ""
    instead: str = ""
    message: str = ""
    witness: str = ""
    advice: str = ""
    directions: tuple[Direction, ...] | None = None
    is_ignored: bool | None = None


def apply_wording(rule: Rule, framework: str | None) -> Rule:
    """Return a rule with the texts that a framework replaces."""
    wording = None if framework not in WORDINGS or framework is None else WORDINGS.load(framework).get(rule.id)
    return (
        rule
        if wording is None
        else rule.replace(**{field: text for field, text in wording.__dict__.items() if text not in ("", None)})
    )
