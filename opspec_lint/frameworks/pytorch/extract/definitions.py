"""The definitions of functions in a C++ file of an extension: functions, methods, constructors and callable objects."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property

from opspec_lint.cpp.tokens import NAME
from opspec_lint.cpp.unresolved import UnresolvedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.frameworks.pytorch.extract.cpp_source import CppSource, Span

_CLASS_KEYS = frozenset({"class", "struct", "union"})
_BEHIND_PARAMETERS = frozenset({"const", "noexcept", "override", "final", "volatile", "mutable", "&", "&&"})
_STATEMENT_ENDS = (";", "{", "}")


class Function:
    """A function definition: the file, and the spans of its head, its parameters and its body.

    `specialized_for` is the text of the template arguments of a full specialization, None for any other function.
    """

    def __init__(
        self, source: CppSource, head: Span, parameters: list[Span], body: Span, specialized_for: str | None = None
    ) -> None:
        self.source = source
        self.head = head
        self.parameters = parameters
        self.body = body
        self.specialized_for = specialized_for

    def parameter_name(self, place: int) -> str:
        """Return the name of the parameter at a position, "" if it has none."""
        start, end = self.parameters[place]
        texts = [text for kind, text, _ in self.source.tokens[start:end] if kind == NAME or text == "="]
        names = texts[: texts.index("=")] if "=" in texts else texts
        return names[-1] if names else ""

    @cached_property
    def head_texts(self) -> list[str]:
        """The texts of the tokens of its head."""
        return [text for _, text, _ in self.source.tokens[slice(*self.head)]]

    @cached_property
    def template_parameters(self) -> list[str]:
        """The names of the parameters of its template."""
        texts = self.head_texts
        if texts[:2] != ["template", "<"]:
            return []
        closed = self.source.tokens.closing_angle(self.head[0] + 1)
        parts = [""]
        for kind, text, _ in self.source.tokens[self.head[0] + 2 : max(closed, self.head[0] + 2)]:
            parts = [*parts, ""] if text == "," else [*parts[:-1], text] if kind == NAME else parts
        return parts

    @cached_property
    def owner(self) -> str:
        """The class that it is a member of, "" for other functions."""
        tokens, start = self.source.tokens, self.head[0]
        brace = self.source.braces_around[start]
        at = brace
        while at > 0 and self.source.sign_at(at - 1) not in _STATEMENT_ENDS:
            at -= 1
        texts = [text for _, text, _ in tokens[at:brace]] if brace >= 0 else []
        names = [texts[index + 1] for index, text in enumerate(texts[:-1]) if text in _CLASS_KEYS and "(" not in texts]
        return names[-1] if names else self._qualifier()

    def _qualifier(self) -> str:
        """Return the last name that qualifies the name of the function, "" if there is none."""
        opening = self.parameters[0][0] - 1 if self.parameters else self.head[1] - 2
        at = opening - 1 - (2 if self.source.sign_at(opening - 1) == ")" else 0)
        qualifier = self.source.tokens[at - 2] if self.source.sign_at(at - 1) == "::" else ("", "", 0)
        return qualifier[1] if qualifier[0] == NAME else ""


def first_function(source: CppSource, name: str) -> Function | None:
    """Return the first definition of a function in a file, or else in another file of the tree."""
    return next(iter(definitions_of(source, name)), None)


def definitions_of(source: CppSource, name: str) -> list[Function]:
    """Return the definitions of a function in a file, or else in the first file of the tree that has any."""
    known: dict[str, list[Function]] = source.definitions
    if name not in known:
        own = [*named_functions(source, name)]
        others = source.tree.files_naming(name, source.file) if not own else iter(())
        in_others = (functions for source in others if (functions := [*named_functions(source, name)]))
        known[name] = own or next(in_others, [])
    return known[name]


def named_functions(source: CppSource, name: str) -> Iterator[Function]:
    """Yield the definitions of the functions and constructors of a name in a file."""
    for index, (_, text, _) in enumerate(source.tokens):
        if text != name or source.sign_at(index - 1) in (".", "->"):
            continue
        try:
            if source.sign_at(index + 1) == "(":
                yield from _function_at(source, index, index + 1)
            elif source.sign_at(index + 1) == "<" and source.tokens[index - 1][1] != "::":
                closed = source.tokens.closing_angle(index + 1)
                if closed > 0 and source.sign_at(closed + 1) == "(":
                    arguments = "".join(text for _, text, _ in source.tokens[index + 2 : closed])
                    yield from _function_at(source, index, closed + 1, arguments)
        except UnresolvedError:
            continue


def call_operators(source: CppSource) -> Iterator[Function]:
    """Yield the definitions of `operator()` in a file."""
    for index, (_, text, _) in enumerate(source.tokens):
        if text == "operator" and [sign for _, sign, _ in source.tokens[index + 1 : index + 4]] == ["(", ")", "("]:
            try:
                yield from _function_at(source, index, index + 3)
            except UnresolvedError:
                continue


def library_functions(source: CppSource) -> Iterator[Function]:
    """Yield the functions of a file that take a library, and that nothing calls by their names."""
    tokens = source.tokens
    for index, (_, text, _) in enumerate(tokens):
        if text != "Library" or source.sign_at(index + 1) != "&":
            continue
        opening = index
        while opening > 0 and source.sign_at(opening) not in ("(", *_STATEMENT_ENDS):
            opening -= 1
        name = tokens[opening - 1]
        if source.sign_at(opening) != "(" or name[0] != NAME:
            continue
        calls = (at for at, token in enumerate(tokens) if token[1] == name[1] and source.sign_at(at + 1) == "(")
        with suppress(UnresolvedError):
            if all(source.sign_at(tokens.closing(at + 1) + 1) not in (";", ",", ")") for at in calls):
                yield from _function_at(source, opening - 1, opening)


def lambda_at(source: CppSource, at: int) -> Function | None:
    """Return the lambda whose captures begin at an index, None if none does.

    Raises:
        UnresolvedError: a bracket is not closed.
    """
    behind = source.tokens.closing(at) + 1
    if source.sign_at(behind) != "(":
        return None
    closed = source.tokens.closing(behind)
    opening = _body_opening(source, closed)
    if opening is None:
        return None
    body = opening + 1, source.tokens.closing(opening)
    return Function(source, (at, closed + 1), source.arguments(behind), body)


def _function_at(source: CppSource, index: int, opening: int, specialized_for: str | None = None) -> Iterator[Function]:
    """Yield the function whose name is at an index, and whose parameters begin with a bracket, if it has a body.

    Raises:
        UnresolvedError: a bracket is not closed.
    """
    closed = source.tokens.closing(opening)
    brace = _body_opening(source, closed)
    if brace is None:
        return
    start = index
    while start and source.sign_at(start - 1) not in _STATEMENT_ENDS:
        start -= 1
    if specialized_for is not None and [text for _, text, _ in source.tokens[start : start + 3]] != [
        "template",
        "<",
        ">",
    ]:
        return
    body = brace + 1, source.tokens.closing(brace)
    yield Function(source, (start, closed + 1), source.arguments(opening), body, specialized_for)


def _body_opening(source: CppSource, closed: int) -> int | None:
    """Return the index of the brace of the body behind the parameters of a function, None for one without a body.

    Raises:
        UnresolvedError: a bracket is not closed.
    """
    at = closed + 1
    while at < len(source.tokens) and source.tokens[at][1] in _BEHIND_PARAMETERS:
        at = source.tokens.closing(at + 1) + 1 if source.sign_at(at + 1) == "(" else at + 1
    if source.sign_at(at) == "->":
        while at < len(source.tokens) and source.sign_at(at) not in _STATEMENT_ENDS:
            at = source.tokens.closing(at) + 1 if source.sign_at(at) in ("(", "[") else at + 1
    if source.sign_at(at) == ":":
        at = _behind_initializers(source, at)
    return at if source.sign_at(at) == "{" else None


def _behind_initializers(source: CppSource, colon: int) -> int:
    """Return the index behind the initial values of members, `: a(1), b{2}`, and the same index without any."""
    at = colon
    while source.sign_at(at) in (":", ","):
        value = at + 1
        while value < len(source.tokens) and source.sign_at(value) not in ("(", *_STATEMENT_ENDS):
            value += 1
        if value == at + 1 or source.sign_at(value) not in ("(", "{"):
            return colon
        at = source.tokens.closing(value) + 1
    return at
