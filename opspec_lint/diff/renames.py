"""Finds the renames and moves among what an op lost and gained, so that each is one fact and not two."""

from __future__ import annotations

from collections import Counter

from opspec_lint.diff.changes.arguments import argument_renamed
from opspec_lint.spec import values
from opspec_lint.spec.model import SECTIONS, UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.fields import Field, FieldTable

    Rename: TypeAlias = tuple[Fact, Fact]

_MIN_CONFIDENCE = 0.6
_MAX_COMPARISONS = 400
"""Of one op; where more was lost and gained than that, nothing is paired."""
_NAME = 40
"""Characters of a name that are compared."""


def pair_renames(removed: list[Fact], added: list[Fact], table: FieldTable) -> Iterator[Fact]:
    """Yield the facts of one op, with one rename or move in place of each pair that belongs together.

    Only arguments are paired that are of equal type and do not differ in a telling field, such as extra; a type that
    one side does not know agrees with any, a telling flag that nobody knows counts as false. A move keeps its name and
    goes between inputs and outputs. A rename keeps its kind; its confidence weighs how alike the names are and how
    alike the rest is, and two that are each other's only candidate and differ in nothing but the name need not have
    alike names, unless they are but switches: a default value of true or false says too little. The most confident
    pairs are taken first, and none below 0.5; the pairs are the same if base and head change places.
    """
    lost = {id(change): change for change in removed}
    gained = {id(change): change for change in added}
    candidates = _candidates(removed, added, table) if len(removed) * len(added) <= _MAX_COMPARISONS else ()
    for confidence, (old, new) in sorted(candidates, key=_most_confident_first):
        if id(old) in lost and id(new) in gained:
            del lost[id(old)], gained[id(new)]
            yield argument_renamed(old, new, round(confidence, 2))
    yield from lost.values()
    yield from gained.values()


def _most_confident_first(candidate: tuple[float, Rename]) -> tuple[float, bool, list[str], list[str]]:
    """Return a key that is the same if base and head change places."""
    confidence, (old, new) = candidate
    return -confidence, old.name != new.name, sorted((str(old.name), str(new.name))), sorted((old.kind, new.kind))


def _candidates(removed: list[Fact], added: list[Fact], table: FieldTable) -> Iterator[tuple[float, Rename]]:
    pairs = [(old, new) for old in removed for new in added if _may_be_one(old, new, table)]
    uses = Counter(id(change) for both in pairs for change in both)
    for old, new in pairs:
        if old.kind != new.kind:
            yield 1.0, (old, new)
            continue
        alike = _share_alike(old, new, table)
        likeness = _likeness(str(old.name), str(new.name))
        is_switch = isinstance(old.old.get("default_value"), bool)
        if alike == 1 and uses[id(old)] == uses[id(new)] == 1 and not is_switch:
            yield 0.5 + 0.5 * likeness, (old, new)
        elif 0.8 * likeness + 0.2 * alike >= _MIN_CONFIDENCE:
            yield 0.8 * likeness + 0.2 * alike, (old, new)


def _may_be_one(old: Fact, new: Fact, table: FieldTable) -> bool:
    if old.kind != new.kind and (old.name != new.name or "attr" in (old.kind, new.kind)):
        return False
    return _agree(old, new, "type") and all(
        bool(old.old.get(field.name)) is bool(new.new.get(field.name))
        for field in _fields(old, table)
        if field.blocks_rename
    )


def _share_alike(old: Fact, new: Fact, table: FieldTable) -> float:
    """Return the share of the fields in which two arguments agree, of those that a rename may change; 1 of none."""
    agreements = [_agree(old, new, field.name) for field in _fields(old, table) if _may_differ(field)]
    return sum(agreements) / len(agreements) if agreements else 1


def _fields(change: Fact, table: FieldTable) -> Iterable[Field]:
    return table.fields_of(SECTIONS[change.kind]).values()  # type: ignore[index]


def _may_differ(field: Field) -> bool:
    is_switch = field.form == "flag" and not field.blocks_rename and field.name != "is_ref"
    return is_switch or field.name == "default_value"


def _agree(old: Fact, new: Fact, field: str) -> bool:
    mine, theirs = old.old.get(field), new.new.get(field)
    return mine is UNKNOWN or theirs is UNKNOWN or values.same(mine, theirs)


def _likeness(a: str, b: str) -> float:
    """Return how alike two names are, between 0 and 1; less than a half is as good as nothing."""
    from difflib import SequenceMatcher

    a, b = sorted(name.replace("_", "").lower()[:_NAME] for name in (a, b))
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    return matcher.ratio() if matcher.real_quick_ratio() >= 0.5 and matcher.quick_ratio() >= 0.5 else 0.0
