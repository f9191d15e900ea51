"""The classes that a C++ file declares, and the bodies of functions in it, found by their text."""

from __future__ import annotations

import re

from opspec_lint.frameworks.paddle.cpp.preprocessed import Code, occurrences
from opspec_lint.frameworks.paddle.cpp.tokens import closing_brace, closing_parenthesis
from opspec_lint.kit.record import Record

_CLASS = re.compile(r"\b(?:class|struct)\s+(?:[A-Z_]+\s+)?([A-Za-z_]\w*)\s*(?:final\b\s*)?(:(?!:)[^;{}]*)?\{")
_TEMPLATE = re.compile(r"template\s*<([^;{}]*)>\s*\Z")
_PARAMETER = re.compile(r"(?:typename|class|\w[\w:]*)\s*(?:\.\.\.)?\s*([A-Za-z_]\w*)\s*(?:=.*)?\Z", re.DOTALL)
_BASE_NAME = re.compile(r"([A-Za-z_]\w*)\s*(?:<(.*)>)?\s*\Z", re.DOTALL)
_ACCESS = re.compile(r"\b(?:public|protected|private|virtual)\b")
_BEHIND = re.compile(r"\s*(?:const\b|override\b|final\b|noexcept\b|\s)*\{")
_CONSTRUCTOR_BEHIND = re.compile(r"\s*(?::[^{};]*)?\{")
_PARENTHESIS = re.compile(r"\s*\(")
_OWNER = re.compile(r"(\w+)\s*(?:<[^<>;]*>)?\s*::\s*\Z")
_LAST_NAME = re.compile(r"([A-Za-z_]\w*)\s*(?:=.*)?\Z")
_TOP_COMMA = re.compile(r"[<>(),]")
_FAR = 400  # characters between the name of a member and that of its class before it


class Class(Record):
    """A class: where its body stands, between two braces, what it derives from, and its template parameters.

    A base is its text, with namespaces and template arguments.
    """

    name: str
    code: Code
    start: int
    end: int
    bases: tuple[str, ...]
    parameters: tuple[str, ...]


class Body(Record):
    """The body of a function: where it stands, between its braces, and the names of its parameters."""

    code: Code
    start: int
    end: int
    parameters: tuple[str, ...]


def split_top(text: str) -> list[str]:
    """Return the parts of a text that commas part outside of brackets."""
    depth = since = 0
    parts: list[str] = []
    for match in _TOP_COMMA.finditer(text):
        sign = match[0]
        if sign == ",":
            if not depth:
                parts.append(text[since : match.start()].strip())
                since = match.end()
        else:
            depth += 1 if sign in "<(" else -1
    last = text[since:].strip()
    return [*parts, last] if last else parts


def class_name(text: str) -> tuple[str, str]:
    """Return the name of a class without its namespaces, and the text of its template arguments."""
    match = _BASE_NAME.search(text.strip())
    return (match[1], match[2] or "") if match else ("", "")


def class_matches(code: Code) -> dict[str, re.Match[str]]:
    """Return where a file declares its classes, the first of each name."""
    found: dict[str, re.Match[str]] = {}
    for match in _CLASS.finditer(code.bare):
        found.setdefault(match[1], match)
    return found


def class_of(code: Code, match: re.Match[str]) -> Class:
    """Return the class that is declared at a place that `class_matches` found."""
    parts = split_top(match[2][1:]) if match[2] else []
    bases = tuple(_ACCESS.sub("", part).strip() for part in parts)
    before = code.bare[max(0, match.start() - 400) : match.start()].rstrip()
    template = _TEMPLATE.search(before[max(before.rfind(";"), before.rfind("}"), before.rfind("{"), 0) :])
    parameters = [_PARAMETER.match(part) for part in split_top(template[1])] if template else []
    return Class(
        name=match[1],
        code=code,
        start=match.end(),
        end=closing_brace(code.bare, match.end() - 1),
        bases=bases,
        parameters=tuple(parameter[1] if parameter else "" for parameter in parameters),
    )


def is_called(bare: str, name: str, start: int, end: int) -> bool:
    """Tell whether a part of a file declares or calls a function of a name."""
    return any(_PARENTHESIS.match(bare, at + len(name)) for at in occurrences(bare, name, start, end))


def function_in(  # noqa: PLR0913 - a part of a file, and what is looked for
    code: Code, name: str, start: int, end: int, *, owner: str = "", constructs: bool = False
) -> Body | None:
    """Return the first function of a name that has a body, in a part of a file.

    Args:
        code: the file.
        name: the name.
        start: where the part begins.
        end: where it ends.
        owner: the class whose member it is, outside of the class; "" for any function.
        constructs: whether it is a constructor, which may initialise members before its body.
    """
    for at in occurrences(code.bare, name, start, end):
        opening = _PARENTHESIS.match(code.bare, at + len(name))
        if opening is None:
            continue
        if owner:
            before = _OWNER.search(code.bare, max(0, at - _FAR), at)
            if before is None or before[1] != owner:
                continue
        closed = closing_parenthesis(code.bare, opening.end() - 1)
        behind = (_CONSTRUCTOR_BEHIND if constructs else _BEHIND).match(code.bare, closed + 1)
        if behind:
            parts = split_top(code.bare[opening.end() : closed])
            parameters = [_LAST_NAME.search(part) for part in parts]
            return Body(
                code=code,
                start=behind.end(),
                end=closing_brace(code.bare, behind.end() - 1),
                parameters=tuple(parameter[1] if parameter else "" for parameter in parameters),
            )
    return None
