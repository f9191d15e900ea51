"""The text that decides what a registration defines that is not followed, so that a change is noticed.

That is the statement, the other statements and the classes that name the same objects and types, the functions that
take such an object, and the string constants and signatures that all of these refer to. Names are matched without their
scopes, so that the text may contain more than what decides.
"""

from __future__ import annotations

from opspec_lint.cpp.tokens import NAME
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.pytorch.extract.definitions import first_function
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from opspec_lint.frameworks.pytorch.extract.cpp_source import CppSource, Span

_MAX_SPANS = 400
_COMMON = frozenset({"auto", "const", "constexpr", "static", "inline", "return", "new", "this", "Library"})
"""Names that every file has in statements that concern other objects."""
_CONSTANT = pattern(r"k[A-Z]\w*|[A-Z][A-Z0-9_]+")
"""The names of constants that are searched in other files too, which is too slow for every name."""
_CONTINUES = (".", "->", ",", ";", ")", "}")
"""Signs behind a brace that closes no block."""


def deciding_text(source: CppSource, index: int, unlike: Collection[str] = ()) -> str:
    """Return the text that decides what the unfollowed statement around a token defines, without blanks and comments.

    `unlike` are names of the statement that other statements may have without concerning it, such as the library.
    """
    start, end = _statement(source, index)
    tokens = source.tokens
    names = {
        text
        for at, (kind, text, _) in enumerate(tokens[start : index + 1], start)
        if kind == NAME and source.sign_at(at + 1) != "::" and text not in _COMMON and text not in unlike
    }
    spans = {(source.file, start, end): source}
    for file in (source, *(file for name in sorted(names) for file in source.tree.files_naming(name, source.file))):
        spans.update({(file.file, *span): file for span in _naming(file, names)})
        if len(spans) > _MAX_SPANS:
            break
    texts = [_text(file, span) for (_, *span), file in spans.items()]
    texts += [referenced for (_, *span), file in spans.items() for referenced in _references(file, *span)]
    return "\n".join(dict.fromkeys(texts))


def _statement(source: CppSource, index: int) -> Span:
    """Return the span of the statement, or of the definition with its body, around a token."""
    start = end = index
    while start and source.sign_at(start - 1) not in (";", "{", "}"):
        start -= 1
    try:
        while end < len(source.tokens) and source.sign_at(end) not in (";", "}"):
            opening = source.sign_at(end)
            end = source.tokens.closing(end) + 1 if opening in ("(", "[", "{") else end + 1
            if opening == "{" and source.sign_at(end) not in _CONTINUES:
                break
    except UnresolvedError:
        end = len(source.tokens)
    return start, end


def _naming(source: CppSource, names: Collection[str]) -> Iterator[Span]:
    """Yield the statements and definitions of a file with one of several names."""
    done = 0
    for index, (kind, text, _) in enumerate(source.tokens):
        if index >= done and kind == NAME and text in names:
            start, done = _statement(source, index)
            yield start, done


def _references(source: CppSource, start: int, end: int) -> Iterator[str]:
    """Yield the constants, the signatures of functions, and the functions taking a library that a span refers to."""
    for index, (kind, name, _) in enumerate(source.tokens[start:end], start):
        behind, before = source.sign_at(index + 1), source.sign_at(index - 1)
        if kind != NAME or before in (".", "->") or behind == "::":
            continue
        if behind != "(" and (name in source.strings or _CONSTANT.fullmatch(name)):
            yield f"{name} = {source.constant(name)}"
        function = first_function(source, name) if behind == "(" or before == "&" else None
        if function is not None:
            begin, end_of_head = function.head
            takes_library = any(token[1] == "Library" for token in function.source.tokens[begin:end_of_head])
            yield _text(function.source, (begin, function.body[1] if takes_library else end_of_head))


def _text(source: CppSource, span: Collection[int]) -> str:
    """Return the tokens of a span, joined by spaces."""
    return " ".join([text for _, text, _ in source.tokens[slice(*span)]])
