"""Chains of method calls, `.A(...).B(...)`, and lambdas, as ranges of tokens."""

from __future__ import annotations

from opspec_lint.cpp.expressions import text_of
from opspec_lint.cpp.tokens import NAME, Tokens, split_arguments
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.kit.record import Record

Span = tuple[int, int]


class Call(Record):
    """A call of a method: its name, the index of its name, and the ranges of the tokens of its arguments."""

    name: str
    at: int
    arguments: tuple[Span, ...]


class Lambda(Record):
    """A lambda: the ranges of the values of its captures, of its parameters and of its body, and the index after it."""

    captures: tuple[tuple[str, Span], ...]
    parameters: Span
    body: Span
    end: int


def calls(tokens: Tokens, at: int, end: int) -> list[Call]:
    """Return the calls of `.A(...).B(...)`, in their order.

    Raises:
        UnresolvedError: the range contains something else.
    """
    chain = []
    while at < end:
        if tokens[at][1] not in (".", "->") or at + 2 >= end or tokens[at + 1][0] != NAME or tokens[at + 2][1] != "(":
            raise UnresolvedError(f"{text_of(tokens, at, end)} is not evaluated")
        closed = tokens.closing(at + 2)
        arguments = tuple(split_arguments(tokens, at + 3, closed))
        chain.append(Call(name=tokens[at + 1][1], at=at + 1, arguments=arguments))
        at = closed + 1
    return chain


def lambda_at(tokens: Tokens, at: int, end: int) -> Lambda | None:
    """Return the lambda that begins at an index, None where none does.

    Raises:
        UnresolvedError: its brackets do not pair.
    """
    if at >= end or tokens[at][1] != "[":
        return None
    captured = tokens.closing(at)
    opening, parameters = captured + 1, (0, 0)
    if opening < end and tokens[opening][1] == "(":
        closed = tokens.closing(opening)
        parameters = (opening + 1, closed)
        opening = closed + 1
    while opening < end and tokens[opening][1] != "{":
        opening += 1
    if opening >= end:
        return None
    return Lambda(
        captures=tuple(_captures(tokens, at + 1, captured)),
        parameters=parameters,
        body=(opening + 1, tokens.closing(opening)),
        end=tokens.closing(opening) + 1,
    )


def _captures(tokens: Tokens, start: int, end: int) -> list[tuple[str, Span]]:
    """Return the captures of the form `NAME = VALUE`, with the span of each value."""
    parts = split_arguments(tokens, start, end)
    return [(tokens[at][1], (at + 2, stop)) for at, stop in parts if at + 2 < stop and tokens[at + 1][1] == "="]


def part(tokens: Tokens, start: int, end: int) -> Tokens:
    """Return the tokens of a span as a list with its own pairs of brackets."""
    return Tokens(tokens[start:end])
