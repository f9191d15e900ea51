"""Conditions of declarations that cannot be evaluated, such as `#if defined(USE_CUDA)`, in disjunctive normal form.

A condition is a tuple of alternatives, each of which suffices. An alternative is a tuple of requirements that must all
hold: a piece of source text (`defined(USE_CUDA)`) or its negation (`not defined(USE_CUDA)`). Readers omit what they can
evaluate, so `ALWAYS` has one alternative without requirements, and `NEVER` has no alternative.
"""

from __future__ import annotations

from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from typing import TypeAlias

    Condition: TypeAlias = tuple[tuple[str, ...], ...]

ALWAYS: Condition = ((),)
NEVER: Condition = ()

_NOT = "not "
_MAX_ALTERNATIVES = 32
"""The most alternatives of a condition; one with more becomes a single requirement, as conjunctions multiply them."""

_MAX_REQUIREMENTS = 32
"""The most requirements of an alternative; one with more becomes a single requirement, as each step compares all."""

_LONGEST = 400
"""Characters of a condition as a single requirement; the rest becomes a checksum, so that different ones differ."""

_MAX_CACHED = 4096
"""Results that are cached: the items of a list, or the statements of a block, combine the same few conditions."""


def requirement(text: str, *, holds: bool = True) -> Condition:
    """Return the condition that a piece of source text holds, or that it does not."""
    text = " ".join(text.split())
    return ((text,),) if holds else ((_negate(text),),)


@lru_cache(maxsize=_MAX_CACHED)
def conjunction(first: Condition, second: Condition) -> Condition:
    """Return the condition that two conditions both hold."""
    if first in (ALWAYS, second):
        return second
    if second == ALWAYS:
        return first
    return _simplify({frozenset((*left, *right)) for left in first for right in second})


def disjunction(conditions: Iterable[Condition]) -> Condition:
    """Return the condition that at least one of several conditions holds."""
    distinct = list(dict.fromkeys(conditions))
    if len(distinct) == 1:
        return distinct[0]
    return _simplify({frozenset(alternative) for condition in distinct for alternative in condition})


@lru_cache(maxsize=_MAX_CACHED)
def negation(condition: Condition) -> Condition:
    """Return the condition that a condition does not hold."""
    result = ALWAYS
    for alternative in condition:
        result = conjunction(result, disjunction(((_negate(text),),) for text in alternative) if alternative else NEVER)
    return result


def substitute(condition: Condition, meaning: Callable[[str], Condition]) -> Condition:
    """Return a condition with another one in place of each requirement; `meaning` takes its text without `not`."""
    alternatives: list[Condition] = []
    for alternative in condition:
        result = ALWAYS
        for text in alternative:
            replaced = meaning(text.removeprefix(_NOT))
            result = conjunction(result, negation(replaced) if text.startswith(_NOT) else replaced)
        alternatives.append(result)
    return disjunction(alternatives)


def implies(first: Condition, second: Condition) -> bool:
    """Return whether the second condition certainly holds wherever the first one does."""
    weaker = [frozenset(alternative) for alternative in second]
    return all(any(texts <= frozenset(alternative) for texts in weaker) for alternative in first)


def drop_unlikely(condition: Condition, unlikely: Collection[str]) -> Condition:
    """Return a condition without the alternatives that contain an unlikely requirement."""
    if not unlikely or condition == ALWAYS:
        return condition
    return tuple(alternative for alternative in condition if not any(text in unlikely for text in alternative))


def assume(condition: Condition, held: Collection[str]) -> Condition:
    """Return a condition where some requirements are known to hold."""
    if not held or condition == ALWAYS:
        return condition
    return disjunction((tuple(text for text in texts if text not in held),) for texts in condition)


def declared_if_value(condition: Condition) -> Condition | None:
    """Return the value of the field `declared_if` of an op: None for an op without a condition."""
    return None if condition == ALWAYS else condition


def show(condition: Condition) -> str:
    """Return a condition as a phrase: `A and not B, or C`."""
    if condition in (ALWAYS, NEVER):
        return "always" if condition else "never"
    return ", or ".join(" and ".join(alternative) for alternative in condition)


def _negate(text: str) -> str:
    return text.removeprefix(_NOT) if text.startswith(_NOT) else f"{_NOT}{text}"


def _simplify(alternatives: set[frozenset[str]]) -> Condition:
    """Return a condition from alternatives, without those that never hold or are covered, in a fixed order."""
    possible = {
        texts for texts in alternatives if not any(text.startswith(_NOT) and _negate(text) in texts for text in texts)
    }
    if len(possible) > _MAX_ALTERNATIVES or any(len(texts) > _MAX_REQUIREMENTS for texts in possible):
        return requirement(_abbreviate(show(_sort_alternatives(possible))))
    # Each step can make further requirements redundant.
    while len(possible) > 1 and (shorter := _drop_redundant_requirements(possible)) != possible:
        possible = shorter
    return _sort_alternatives(possible)


def _abbreviate(text: str) -> str:
    """Return a text of bounded length: such a text becomes a part of others, which would double again and again."""
    if len(text) <= _LONGEST:
        return text
    from zlib import crc32

    return f"{text[:_LONGEST]}... ({crc32(text.encode()):08x})"


def _sort_alternatives(alternatives: set[frozenset[str]]) -> Condition:
    return tuple(sorted((tuple(sorted(texts)) for texts in alternatives), key=lambda texts: (len(texts), texts)))


def _drop_redundant_requirements(alternatives: set[frozenset[str]]) -> set[frozenset[str]]:
    """Return alternatives without redundant requirements: `A, or not A and B` becomes `A, or B`."""
    present = {text for texts in alternatives for text in texts}
    # Most conditions contain no requirement together with its opposite, and comparing all pairs takes long.
    opposed = {text for text in present if _negate(text) in present}
    result = alternatives
    if opposed:
        result = {texts - _redundant_requirement(texts, opposed, alternatives) for texts in alternatives}
    return {texts for texts in result if not any(covering < texts for covering in result)}


def _redundant_requirement(
    alternative: frozenset[str], opposed: set[str], alternatives: set[frozenset[str]]
) -> frozenset[str]:
    """Return one requirement of an alternative whose opposite another alternative covers; or nothing.

    `opposed` are the requirements whose opposites occur in any alternative.
    """
    # Sorted, as a set of strings has another order in each process (PYTHONHASHSEED), and the first one found wins.
    for text in sorted(alternative & opposed):
        rest, opposite = alternative - {text}, _negate(text)
        if any(opposite in texts and texts - {opposite} <= rest for texts in alternatives):
            return frozenset({text})
    return frozenset()
