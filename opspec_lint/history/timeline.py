"""The successive values of each field of an op."""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.history.facts import Key
    from opspec_lint.history.store import Fact, History

EXISTS = ("op", "", "")
SECTIONS = ("op", "input", "output", "attr", "op_version")
"""Sections that describe an op, in the order of the output."""
LEFT_OUT = ("unknown", "unresolved")
"""Fields that state what could not be read from the source, and nothing about the op."""


class ValueSpan(Record):
    """A value of a field from revision `start` to before revision `end`, None if it still holds.

    The value is JSON text; None for the default value, and while the op or argument does not exist.
    """

    value: str | None
    start: int
    end: int | None


def timelines(history: History, op: str, at: int) -> dict[Key, list[ValueSpan]]:
    """Return the successive values of each field of an op up to revision `at`, for what exists at `at`, oldest first.

    The values of a field begin when its argument was last added; the field "", which states existence, begins with the
    history.
    """
    facts: dict[Key, list[Fact]] = {}
    for fact in history.facts_of(op):
        if fact.key[0] in SECTIONS and fact.came <= at and fact.key[2] not in LEFT_OUT:
            facts.setdefault(fact.key, []).append(fact)
    spans_by_field: dict[Key, list[ValueSpan]] = {}
    for (section, argument, field), field_facts in facts.items():
        life = _value_spans(facts.get((section, argument, ""), ()), 0, at)
        if life and life[-1].value is not None:
            spans_by_field[section, argument, field] = _value_spans(field_facts, life[-1].start, at) if field else life
    return spans_by_field if EXISTS in spans_by_field else {}


def _value_spans(facts: Iterable[Fact], born: int, at: int) -> list[ValueSpan]:
    """Return the spans with one value of a field, from the birth of the op up to a revision, without gaps."""
    spans: list[ValueSpan] = []
    start: int | None = born
    for fact in sorted(facts, key=_revision_added):
        if start is None or (fact.went is not None and fact.went <= born):
            continue
        if fact.came > start:
            spans.append(ValueSpan(value=None, start=start, end=fact.came))
        start = None if fact.went is None or fact.went > at else fact.went
        spans.append(ValueSpan(value=fact.value, start=max(fact.came, born), end=start))
    return spans if start is None else [*spans, ValueSpan(value=None, start=start, end=None)]


def _revision_added(fact: Fact) -> int:
    return fact.came
