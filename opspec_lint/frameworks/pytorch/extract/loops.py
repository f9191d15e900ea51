"""Loops over lists of strings, such as `for (auto schema : {"a() -> ()", "b() -> ()"})`."""

from __future__ import annotations

from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.pytorch.extract.library_blocks import token_text
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.frameworks.pytorch.extract.cpp_source import CppSource, Span, Texts


class Loop(Record):
    """A loop over strings: its variable, the string in each iteration, and the span of its body."""

    variable: str
    texts: Texts
    body: Span


def parse_loop(source: CppSource, known: Mapping[str, Texts], index: int) -> Loop | None:
    """Return the loop whose `for` is at a token, None if it is no loop over strings; `known` are strings by name."""
    tokens = source.tokens
    try:
        closed = tokens.closing(index + 1)
        if source.sign_at(closed + 1) == "{":
            body = closed + 2, tokens.closing(closed + 1)
        else:
            body = closed + 1, next((n for n in range(closed, len(tokens)) if source.sign_at(n) == ";"), closed)
        colon = next((n for n in range(index + 2, closed) if source.sign_at(n) == ":"), None)
        # `for (int i = 0; ...)`: the name is behind the type. Its one text is unknown, and `CppSource.texts` evaluates
        # `list[i]` to every item of the list.
        if colon is None:
            is_empty = closed <= index + 3
            return None if is_empty else Loop(variable=token_text(tokens[index + 3]), texts=[""], body=body)
        texts = _looped_texts(source, known, colon + 1, closed)
    except UnresolvedError:
        return None
    return Loop(variable=token_text(tokens[colon - 1]), texts=texts, body=body) if texts else None


def _looped_texts(source: CppSource, known: Mapping[str, Texts], start: int, closed: int) -> Texts | None:
    """Return the strings of the list behind the colon of a loop: `{"a", "b"}` or a constant; None if not known.

    `start` is the first token of the list, `closed` the parenthesis behind it.
    """
    if source.sign_at(start) != "{":
        return source.constant(token_text(source.tokens[start])) if closed == start + 1 else None
    items = [item for item in source.arguments(start) if item[0] < item[1]]  # a comma may follow the last item
    texts_of_items = [source.texts(item_start, item_end, known) for item_start, item_end in items]
    known_texts = [texts for texts in texts_of_items if texts is not None]
    return [text for texts in known_texts for text in texts] if len(known_texts) == len(items) else None
