"""Finds the renames and moves among what an op lost and gained, so that each is one fact and not two."""

from __future__ import annotations

from collections import Counter

from opspec_lint import values
from opspec_lint.changes import ArgumentMoved, ArgumentRenamed
from opspec_lint.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from opspec_lint.changes import ArgumentAdded, ArgumentRemoved, Change

    Pair: TypeAlias = tuple[ArgumentRemoved, ArgumentAdded]

_MAY_DIFFER = ("default_value", "generated", "duplicable", "dispensable", "intermediate")
_MIN_CONFIDENCE = 0.6
_MAX_COMPARISONS = 400
"""Of one op; where more was lost and gained than that, nothing is paired."""
_NAME = 40
"""Characters of a name that are compared."""


def pair(removed: list[ArgumentRemoved], added: list[ArgumentAdded]) -> Iterator[Change]:
    """Yield the facts of one op, with one rename or move in place of each pair that belongs together.

    Only arguments of equal type, extra and quant are paired; a type that one side does not know agrees with any, an
    extra or quant that nobody knows counts as false. A move keeps its name and goes between inputs and outputs. A
    rename keeps its kind; its confidence weighs how alike the names are and how alike the rest is, and two that are
    each other's only candidate and differ in nothing but the name need not have alike names, unless they are but
    switches: a default value of true or false says too little. The most confident pairs
    are taken first, and none below 0.5; the pairs are the same if base and head change places.
    """
    lost = {id(change): change for change in removed}
    gained = {id(change): change for change in added}
    candidates = _candidates(removed, added) if len(removed) * len(added) <= _MAX_COMPARISONS else ()
    for confidence, (old, new) in sorted(candidates, key=_most_confident_first):
        if id(old) in lost and id(new) in gained:
            del lost[id(old)], gained[id(new)]
            make = ArgumentRenamed if old.kind == new.kind else ArgumentMoved
            yield make(
                op=old.op,
                kind=old.kind,
                name=old.name,
                new_name=new.name,
                removed=old,
                added=new,
                confidence=round(confidence, 2),
            )
    yield from lost.values()
    yield from gained.values()


def _most_confident_first(candidate: tuple[float, Pair]) -> tuple[float, bool, list[str], list[str]]:
    """Return a key that is the same if base and head change places."""
    confidence, (old, new) = candidate
    return -confidence, old.name != new.name, sorted((old.name, new.name)), sorted((old.kind, new.kind))


def _candidates(removed: list[ArgumentRemoved], added: list[ArgumentAdded]) -> Iterator[tuple[float, Pair]]:
    pairs = [(old, new) for old in removed for new in added if _may_be_one(old, new)]
    uses = Counter(id(change) for both in pairs for change in both)
    for old, new in pairs:
        if old.kind != new.kind:
            yield 1.0, (old, new)
            continue
        alike = _share_alike(old, new)
        likeness = _likeness(old.name, new.name)
        is_switch = isinstance(getattr(old.old, "default_value", None), bool)
        if alike == 1 and uses[id(old)] == uses[id(new)] == 1 and not is_switch:
            yield 0.5 + 0.5 * likeness, (old, new)
        elif 0.8 * likeness + 0.2 * alike >= _MIN_CONFIDENCE:
            yield 0.8 * likeness + 0.2 * alike, (old, new)


def _may_be_one(old: ArgumentRemoved, new: ArgumentAdded) -> bool:
    if old.kind != new.kind and (old.name != new.name or "attr" in (old.kind, new.kind)):
        return False
    return _agree(old, new, "type") and all(
        bool(getattr(old.old, flag)) is bool(getattr(new.new, flag)) for flag in ("extra", "quant")
    )


def _share_alike(old: ArgumentRemoved, new: ArgumentAdded) -> float:
    agreements = [_agree(old, new, field) for field in _MAY_DIFFER if hasattr(old.old, field)]
    return sum(agreements) / len(agreements)


def _agree(old: ArgumentRemoved, new: ArgumentAdded, field: str) -> bool:
    mine, theirs = getattr(old.old, field), getattr(new.new, field)
    return mine is UNKNOWN or theirs is UNKNOWN or values.same(mine, theirs)


def _likeness(a: str, b: str) -> float:
    """Return how alike two names are, between 0 and 1; less than a half is as good as nothing."""
    from difflib import SequenceMatcher

    a, b = sorted(name.replace("_", "").lower()[:_NAME] for name in (a, b))
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    return matcher.ratio() if matcher.real_quick_ratio() >= 0.5 and matcher.quick_ratio() >= 0.5 else 0.0
