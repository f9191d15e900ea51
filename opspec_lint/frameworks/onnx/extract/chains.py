"""Takes apart how C++ builds a schema: calls of methods that follow one another, and lambdas that fill a schema."""

from __future__ import annotations

from opspec_lint.cpp.expressions import text_of
from opspec_lint.cpp.tokens import NAME, Tokens, split_arguments
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.kit.record import Record

Span = tuple[int, int]


class Call(Record):
    """A call of a method: its name, and the ranges of the tokens of its arguments."""

    name: str
    arguments: tuple[Span, ...]


class Lambda(Record):
    """A lambda: what its captures are given, the range of its parameters, that of its body, and the index behind it."""

    captures: tuple[tuple[str, Span], ...]
    parameters: Span
    body: Span
    end: int


def calls(words: Tokens, at: int, end: int) -> list[Call]:
    """Return the calls of `.A(...).B(...)`, in their order.

    Raises:
        UnresolvedError: something else stands in the range.
    """
    found = []
    while at < end:
        if words[at][1] not in (".", "->") or at + 2 >= end or words[at + 1][0] != NAME or words[at + 2][1] != "(":
            raise UnresolvedError(f"{text_of(words, at, end)} is not followed")
        closed = words.closing(at + 2)
        found.append(Call(name=words[at + 1][1], arguments=tuple(split_arguments(words, at + 3, closed))))
        at = closed + 1
    return found


def lambda_at(words: Tokens, at: int, end: int) -> Lambda | None:
    """Return the lambda that begins at an index, None where none does.

    Raises:
        UnresolvedError: its brackets do not pair.
    """
    if at >= end or words[at][1] != "[":
        return None
    captured = words.closing(at)
    opening, parameters = captured + 1, (0, 0)
    if opening < end and words[opening][1] == "(":
        closed = words.closing(opening)
        parameters = (opening + 1, closed)
        opening = closed + 1
    while opening < end and words[opening][1] != "{":
        opening += 1
    if opening >= end:
        return None
    return Lambda(
        captures=tuple(_captures(words, at + 1, captured)),
        parameters=parameters,
        body=(opening + 1, words.closing(opening)),
        end=words.closing(opening) + 1,
    )


def _captures(words: Tokens, start: int, end: int) -> list[tuple[str, Span]]:
    """Return the names that a lambda declares with a value of their own."""
    parts = split_arguments(words, start, end)
    return [(words[at][1], (at + 2, stop)) for at, stop in parts if at + 2 < stop and words[at + 1][1] == "="]


def part(words: Tokens, start: int, end: int) -> Tokens:
    """Return the tokens of a range, whose brackets are paired again."""
    return Tokens(words[start:end])
