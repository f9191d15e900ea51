"""The parts of lambdas in C++, and the calls of lambdas where they are written."""

from __future__ import annotations

import re

from opspec_lint.cpp.tokens import NAME, SIGN, split_arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.cpp.tokens import Tokens

_BEFORE_LAMBDA = frozenset({"return", "co_return", "throw"})
"""The names before a lambda; behind any other name, a bracket is an index."""


HIDING_PARAMETER = "a parameter of a lambda does the same"
"""The requirement for what a lambda does with a parameter that hides an object whose methods matter."""


def lambdas_between(tokens: Tokens, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Yield the lambdas between two indices, without the lambdas in them: the index of `[` and of both braces."""
    while start < end:
        body = _body_of_lambda(tokens, start, end)
        if body is None:
            start += 1
            continue
        closed = tokens.closing(body)
        yield start, body, closed
        start = closed + 1


def assigned_variable(tokens: Tokens, start: int) -> str | None:
    """Return the variable that a lambda is assigned to, None if there is none; attributes may precede the `=`."""
    at = start - 2
    if _text_at(tokens, start - 1) == "=" and _text_at(tokens, at) == "]":
        at = next((place for place in range(at, 0, -1) if tokens[place][1] == "["), 1) - 2
    is_name = _text_at(tokens, start - 1) == "=" and at >= 0 and tokens[at][0] == NAME
    return tokens[at][1] if is_name else None


def parameter_names(tokens: Tokens, start: int, body: int) -> list[str]:
    """Return the names of the parameters of the lambda from an index to its body."""
    opening = tokens.closing(start) + 1
    if opening >= body or tokens[opening][1] != "(":
        return []
    parameters = split_arguments(tokens, opening + 1, tokens.closing(opening))
    return [tokens[last - 1][1] for first, last in parameters if first < last]


def is_called_in_place(tokens: Tokens, start: int, closed: int) -> bool:
    """Return whether the lambda between two indices is called there: `[] { ... }()`, or `([] { ... })()`."""
    return _text_at(tokens, closed + 1) == "(" or (
        _text_at(tokens, start - 1) == "(" and [text for _, text, _ in tokens[closed + 1 : closed + 3]] == [")", "("]
    )


def is_called_once(tokens: Tokens, at: int, start: int, closed: int, code: str) -> bool:
    """Return whether `std::call_once` calls a lambda, the only one of the file for its flag.

    Args:
        tokens: the tokens.
        at: the index of the first token of the statement.
        start: the index of the first token of the lambda.
        closed: the index of its last token.
        code: the text of the file, without comments and the inside of strings.
    """
    texts = [text for _, text, _ in tokens[at:start] if text not in ("std", "::")]
    if texts[:2] != ["call_once", "("] or len(texts) != 4 or _text_at(tokens, closed + 1) != ")":
        return False
    return len(re.findall(rf"\bcall_once\s*\(\s*{re.escape(texts[2])}\s*,", code)) == 1


def _body_of_lambda(tokens: Tokens, start: int, end: int) -> int | None:
    """Return the index of the brace of the lambda that begins at an index, None if none begins there."""
    kind, text, _ = tokens[start]
    if kind != SIGN or text != "[" or _text_at(tokens, start - 1) in (")", "]", "["):
        return None
    if start and tokens[start - 1][0] == NAME and tokens[start - 1][1] not in _BEFORE_LAMBDA:
        return None
    at = tokens.closing(start) + 1
    if _text_at(tokens, at) == "(":
        at = tokens.closing(at) + 1
    while at < end and tokens[at][1] not in ("{", ";", ",", ")"):
        at += 1
    return at if _text_at(tokens, at) == "{" and at < end else None


def _text_at(tokens: Tokens, index: int) -> str:
    """Return the text of a token, "" outside of the tokens."""
    return tokens[index][1] if 0 <= index < len(tokens) else ""
