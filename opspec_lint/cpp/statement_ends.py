"""The ends of C++ statements, with the statements that they control."""

from __future__ import annotations

from opspec_lint.cpp.tokens import NAME, statement_end
from opspec_lint.cpp.unresolved import UnresolvedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.cpp.tokens import Tokens

CONTROL = frozenset({"if", "for", "while", "do", "switch", "try"})
"""The keywords of statements that control others."""
JUMPS = frozenset({"return", "co_return", "throw", "goto", "break", "continue"})
"""The keywords of statements behind which control continues elsewhere."""


def after_statement(tokens: Tokens, at: int, end: int) -> int:
    """Return the index after the statement at an index."""
    if at >= end:
        return end
    if tokens[at][1] == "{":
        return tokens.closing(at) + 1
    if tokens[at][0] == NAME and tokens[at][1] in CONTROL:
        return after_control(tokens, at, end)
    return min(statement_end(tokens, at) + 1, end)


def after_control(tokens: Tokens, at: int, end: int) -> int:
    """Return the index after a control statement, with the statements that it controls.

    Raises:
        UnresolvedError: the statement does not end.
    """
    keyword = tokens[at][1]
    at += 1
    if keyword in ("do", "try"):
        at = after_statement(tokens, at, end)
        while keyword == "try" and at < end and tokens[at][1] == "catch":
            at = after_statement(tokens, tokens.closing(at + 1) + 1, end)
        if keyword == "do":
            if at + 1 >= end or tokens[at][1] != "while":
                raise UnresolvedError("a `do` without its `while`")
            at = tokens.closing(at + 1) + 2
        return min(at, end)
    if at < end and tokens[at][1] == "constexpr":
        at += 1
    if at >= end:
        raise UnresolvedError(f"`{keyword}` at the end")
    if tokens[at][1] != "(":
        raise UnresolvedError(f"a `{keyword}` that is not evaluated")
    at = tokens.closing(at) + 1
    if at >= end:
        raise UnresolvedError(f"a `{keyword}` without a statement")
    at = after_statement(tokens, at, end)
    if keyword == "if" and at < end and tokens[at][1] == "else":
        at = after_statement(tokens, at + 1, end)
    return at
