"""The calls that a C++ statement consists of, such as `AddAttr<int>("axis", "...").SetDefault(0);`."""

from __future__ import annotations

from opspec_lint.cpp.limits import MAX_LIST
from opspec_lint.cpp.tokens import NAME, SIGN, statement_end, tokenize
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.cpp.tokens import Tokens


class Call(Record):
    """A call that is not in the arguments of another call.

    `start` is the offset of its name, or of the point before the name; `opening` and `closing` are the offsets
    of its parentheses.
    """

    name: str
    start: int
    opening: int
    closing: int


class Statement(Record):
    """The calls of a statement in order, and the offset of its `;`, None if there is none."""

    calls: tuple[Call, ...]
    end: int | None


def statement_from(code: str, start: int) -> Statement | None:
    """Return the rest of a statement in code without comments, None if a bracket in it is not closed."""
    try:
        tokens = tokenize(code, start, start + MAX_LIST)
        end = statement_end(tokens, 0)
        calls = tuple(_calls(tokens, end))
    except UnresolvedError:
        return None
    is_ended = end < len(tokens) and tokens[end][1] == ";"
    return Statement(calls=calls, end=tokens[end][2] if is_ended else None)


def _calls(tokens: Tokens, end: int) -> Iterator[Call]:
    """Yield the calls among tokens; their arguments are skipped."""
    name, start = "", 0
    index = 0
    while index < end:
        kind, text, offset = tokens[index]
        if kind == NAME:
            is_method = index > 0 and tokens[index - 1][1] == "."
            name, start = text, tokens[index - 1][2] if is_method else offset
            if tokens[index + 1 : index + 2] and tokens[index + 1][1] == "<":
                index = max(index, tokens.closing_angle(index + 1))  # the arguments of a template
        elif kind == SIGN and text in ("(", "{", "["):
            index = tokens.closing(index)
            if text == "(":
                yield Call(name=name, start=start, opening=offset, closing=tokens[index][2])
        index += 1
