"""The heads of library blocks in a C++ file: `TORCH_LIBRARY(NAMESPACE, VARIABLE) {`."""

from __future__ import annotations

from contextlib import suppress

from opspec_lint.cpp.tokens import STRING, string_value
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.pytorch.schemas.table import Line
from opspec_lint.kit.record import Record
from opspec_lint.spec.condition import conjunction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from opspec_lint.cpp.tokens import Token
    from opspec_lint.frameworks.pytorch.extract.cpp_source import CppSource
    from opspec_lint.spec.condition import Condition

_REPEATABLE = ("FRAGMENT", "EXPAND")
"""The ends of macros for blocks that a namespace may have several times."""


class LibraryBlock(Record):
    """A block `TORCH_LIBRARY(NAMESPACE, m)`, the only one of its namespace, which is the text of `place`."""

    place: Line


class BlockHead(Record):
    """The head of a library block: its namespace, its variable, and the index of its closing parenthesis."""

    namespace: str
    variable: str
    closed: int


def block_head(source: CppSource, opening: int) -> BlockHead | None:
    """Return the head of a library block by the index of its parenthesis, None if no block follows.

    Raises:
        UnresolvedError: a bracket is not closed.
    """
    tokens = source.tokens
    if source.sign_at(opening) != "(":
        return None
    parts, closed = source.arguments(opening), tokens.closing(opening)
    if len(parts) != 2 or source.sign_at(closed + 1) != "{":
        return None
    texts = (token_text(token) for token in tokens[slice(*parts[0])])
    namespace = "".join(text for text in texts if text not in ("CONCAT", "(", ")", ","))
    variable = token_text(tokens[parts[1][1] - 1]) if parts[1][0] < parts[1][1] else ""
    return BlockHead(namespace=namespace, variable=variable, closed=closed)


def library_condition(source: CppSource, index: int) -> Condition:
    """Return the condition under which the macro or class at a token registers ops."""
    _, name, offset = source.tokens[index]
    return source.conditions.library_condition(name, offset)


def library_blocks(source: CppSource, libraries: Iterable[int]) -> Iterator[LibraryBlock]:
    """Yield the blocks at some tokens that must be the only ones of their namespace."""
    for index in libraries:
        if source.tokens[index][1].endswith(_REPEATABLE):
            continue
        with suppress(UnresolvedError):
            head = block_head(source, index + 1)
            if head is not None:
                executed = source.conditions.at(source.tokens[index][2])[0]
                condition = conjunction(executed, library_condition(source, index))
                line = source.line_of(index)
                yield LibraryBlock(place=Line(text=head.namespace, file=source.file, line=line, condition=condition))


def token_text(token: Token) -> str:
    """Return the value of a string token, the text of any other token."""
    return string_value(token[1]) if token[0] == STRING else token[1]
