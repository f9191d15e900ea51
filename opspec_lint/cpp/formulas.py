"""Formulas of C++ and of its preprocessor, split at `!`, `&&` and `||` into conditions."""

from __future__ import annotations

from itertools import pairwise

from opspec_lint.spec.condition import conjunction, disjunction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opspec_lint.spec.condition import Condition

    Leaf = Callable[[int, int, bool], Condition]
    """Returns the condition that the tokens between two indices hold, or do not hold."""

    Span = tuple[int, int, Condition, int]
    """A part of a text, the condition under which it takes effect, and the offset of what causes that."""

_MAX_TOKENS = 400
"""Tokens of a formula that is split; the longest real one has 60."""
_OPENING, _CLOSING = frozenset("({["), frozenset(")}]")


def condition_of(texts: Sequence[str], start: int, end: int, leaf: Leaf, *, holds: bool = True) -> Condition:
    """Return the condition that a formula holds, or does not hold.

    Args:
        texts: the tokens.
        start: the index of the first token of the formula.
        end: the index after its last token.
        leaf: evaluates a part without `!`, `&&` and `||` outside of parentheses.
        holds: False for the condition that the formula does not hold.
    """
    if end - start > _MAX_TOKENS:
        return leaf(start, end, holds)
    while end - start > 2 and texts[start] == "(" and _closing(texts, start, end) == end - 1:
        start, end = start + 1, end - 1
    # `a || b ? c : d` may not be split at `||`.
    if "?" in texts[start:end]:
        return leaf(start, end, holds)
    # The operator of the lower precedence first, as it joins the outer parts.
    for sign in ("||", "&&"):
        places = _outside_of_brackets(texts, start, end, sign)
        if places:
            edges = [start - 1, *places, end]
            parts = [condition_of(texts, first + 1, last, leaf, holds=holds) for first, last in pairwise(edges)]
            # De Morgan: the opposite of a disjunction is the conjunction of the opposites.
            if (sign == "||") == holds:
                return disjunction(parts)
            result = parts[0]
            for part in parts[1:]:
                result = conjunction(result, part)
            return result
    if end - start > 1 and texts[start] == "!" and not _has_operator(texts, start + 1, end):
        return condition_of(texts, start + 1, end, leaf, holds=not holds)
    return leaf(start, end, holds)


def _closing(texts: Sequence[str], opening: int, end: int) -> int:
    """Return the index of the bracket that closes the one at an index, -1 if none does."""
    depth = 0
    for index in range(opening, end):
        depth += (texts[index] in _OPENING) - (texts[index] in _CLOSING)
        if not depth:
            return index
    return -1


def _outside_of_brackets(texts: Sequence[str], start: int, end: int, sign: str) -> list[int]:
    """Return the indices of an operator outside of brackets."""
    places: list[int] = []
    depth = 0
    for index in range(start, end):
        depth += (texts[index] in _OPENING) - (texts[index] in _CLOSING)
        if texts[index] == sign and not depth:
            places.append(index)
    return places


def _has_operator(texts: Sequence[str], start: int, end: int) -> bool:
    """Return whether a formula after `!` is more than one operand: `!a == b` compares `!a`."""
    depth = 0
    for index in range(start, end):
        depth += (texts[index] in _OPENING) - (texts[index] in _CLOSING)
        if not depth and texts[index] in _BINARY:
            return True
    return False


_BINARY = frozenset({"==", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"})
