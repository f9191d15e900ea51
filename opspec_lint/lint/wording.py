"""What a rule says in the words of one framework, where its own words are not theirs.

A framework that has such words has a module `wording` with `WORDS`: the texts of a rule that it puts in another way, by
the id of the rule.
"""

from __future__ import annotations

from functools import cache

from opspec_lint.kit.catalogue import Catalogue, framework_of
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.lint.rule import Rule

WORDINGS = Catalogue("frameworks/*", only="wording", spell=framework_of)
"""The wordings, by the names of their frameworks."""


class Words(Record):
    """The texts of a rule that a framework puts in another way; "" for each that it leaves as it is."""

    title: str = ""
    flags: str = ""
    why: str = ""
    instead: str = ""
    message: str = ""
    witness: str = ""
    advice: str = ""


def in_words_of(rule: Rule, framework: str | None) -> Rule:
    """Return a rule as it speaks of a framework's ops."""
    words = None if framework is None else _words(framework).get(rule.id)
    return rule if words is None else rule.but(**{field: text for field, text in words.__dict__.items() if text})


@cache
def _words(framework: str) -> Mapping[str, Words]:
    if framework not in WORDINGS:
        return {}
    words: Mapping[str, Words] = WORDINGS.load(framework).WORDS
    return words
