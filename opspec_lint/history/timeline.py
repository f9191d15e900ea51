"""The values that each field of an op had, one after the other."""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.history.facts import Key
    from opspec_lint.history.store import Fact, History

EXISTS = ("op", "", "")
SECTIONS = ("op", "input", "output", "attr", "op_version")
"""The sections that are about an op, in the order in which they are shown."""
_LEFT_OUT = ("unknown", "unresolved")
"""Fields that say what the source does not, and nothing of the op."""


class Stay(Record):
    """A value of a field, from one revision to before another, by their numbers; `end` is None for the last one.

    The value is a JSON text; None for the default value, or for what does not exist.
    """

    value: str | None
    start: int
    end: int | None


def timelines(history: History, op: str, at: int) -> dict[Key, list[Stay]]:
    """Return the values that each field of an op had up to a revision, for what exists then, oldest first.

    The values of a field begin with the argument that it is of; those of the field "", which states that something
    exists, with the history.

    Args:
        history: the history.
        op: the name of the op.
        at: the number of the revision.
    """
    facts: dict[Key, list[Fact]] = {}
    for fact in history.facts_of(op):
        if fact.key[0] in SECTIONS and fact.came <= at and fact.key[2] not in _LEFT_OUT:
            facts.setdefault(fact.key, []).append(fact)
    found: dict[Key, list[Stay]] = {}
    for (section, argument, field), turns in facts.items():
        life = _stays(facts.get((section, argument, ""), ()), 0, at)
        if life and life[-1].value is not None:
            found[section, argument, field] = _stays(turns, life[-1].start, at) if field else life
    return found if EXISTS in found else {}


def _stays(turns: Iterable[Fact], born: int, at: int) -> list[Stay]:
    found: list[Stay] = []
    place: int | None = born
    for each in sorted(turns, key=_came):
        if place is None or (each.went is not None and each.went <= born):
            continue
        if each.came > place:
            found.append(Stay(value=None, start=place, end=each.came))
        place = None if each.went is None or each.went > at else each.went
        found.append(Stay(value=each.value, start=max(each.came, born), end=place))
    return found if place is None else [*found, Stay(value=None, start=place, end=None)]


def _came(fact: Fact) -> int:
    return fact.came
