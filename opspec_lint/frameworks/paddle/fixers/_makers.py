"""Op makers in C++, as text: the statements that declare inputs, outputs and attrs, with their offsets."""

from __future__ import annotations

import re

from opspec_lint.cpp.comments import without_comments
from opspec_lint.cpp.statement_calls import statement_from
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.cpp.statement_calls import Call
    from opspec_lint.fixes.text_file import Edit, TextFile

_DECLARATION = re.compile(
    r'\bAdd(?:(Input|Output)|Attr\s*<(?P<type>[^;()]*)>)\s*\(\s*(?:"(?P<name>[^"\\]*)"|(?P<constant>[A-Za-z_][\w:]*)\s*,)'
)
_HEADER = re.compile(r"\b(?:class|struct)\s+\w+\b[^;{}()]*\{|\bvoid\s+\w+\s*::\s*Make\s*\(\s*\)[^;{}()]*\{")
_BRACE = re.compile(r"[{}]")
_LONGEST = 1000
"""The most characters from the start of a declaration to the name of its argument, in a type of several lines."""


class Declaration(Record):
    """A statement that declares an argument: its calls, and its span, which ends after the `;`.

    `name` is the constant, such as `PyLayerOp::kInputs`, if the statement names one. `type` is the C++ type of an attr,
    "" for an input or output. `end` is None if no `;` ends the statement.
    """

    name: str
    type: str
    start: int
    end: int | None
    calls: tuple[Call, ...]

    def call(self, name: str) -> Call | None:
        """Return the first call of a method in the statement, such as `SetDefault`."""
        return next((call for call in self.calls if call.name == name), None)

    def insert_call(self, file: TextFile, text: str) -> Edit:
        """Return the edit that adds the call of a method right behind the call that declares the argument."""
        at = self.calls[0].closing + 1
        return file.edit(at, at, text)


def declaration_at(text: str, start: int, name: str) -> Declaration | None:
    """Return the declaration of an argument that begins on the line at an offset, or on the next one.

    If no text names the argument, it is the only declaration on the line at the offset, which names it by a constant.
    """
    code = without_comments(text)
    first_end = _line_end(code, start)
    next_end = _line_end(code, first_end + 1)
    by_constant = []
    # The search ends soon, as a file without any declaration would be searched to its end for each finding.
    for match in _DECLARATION.finditer(code, start, next_end + _LONGEST):
        if match.start() > next_end:
            break
        if match["name"] == name:
            return _declaration(code, match)
        if match.start() <= first_end:
            by_constant.append(match)
    alone = by_constant[0] if len(by_constant) == 1 and by_constant[0]["constant"] else None
    return None if alone is None else _declaration(code, alone)


def siblings(text: str, offset: int) -> tuple[str, list[Declaration]]:
    """Return the head of the class or method around an offset ("" for none), and all declarations in its body."""
    code = without_comments(text)
    headers = [match for match in _HEADER.finditer(code, 0, offset) if _end_of(code, match.end()) > offset]
    if not headers:
        return "", []
    innermost = headers[-1]
    return _plain(innermost[0]), _declarations(code, innermost.end())


def body_of(text: str, header: str) -> list[Declaration]:
    """Return the declarations in the body of the only class or method with a head; none if there are several."""
    code = without_comments(text)
    matches = [match for match in _HEADER.finditer(code) if _plain(match[0]) == header]
    return _declarations(code, matches[0].end()) if len(matches) == 1 else []


def _declarations(code: str, start: int) -> list[Declaration]:
    """Return the declarations in the body that begins at an offset."""
    end = _end_of(code, start)
    declared = (_declaration(code, match) for match in _DECLARATION.finditer(code, start, end))
    return [declaration for declaration in declared if declaration is not None]


def _declaration(code: str, match: re.Match[str]) -> Declaration | None:
    """Return the declaration of an input, output or attr at a match, None if the statement has no end."""
    statement = statement_from(code, match.start())
    if statement is None:
        return None
    return Declaration(
        name=match["constant"] or match["name"],
        type=(match["type"] or "").strip(),
        start=match.start(),
        end=None if statement.end is None else statement.end + 1,
        calls=statement.calls,
    )


def _end_of(code: str, start: int) -> int:
    """Return the offset of the `}` that closes the body which begins at an offset."""
    depth = 1
    for match in _BRACE.finditer(code, start):
        depth += 1 if match[0] == "{" else -1
        if not depth:
            return match.start()
    return len(code)


def _line_end(code: str, offset: int) -> int:
    """Return the offset of the end of the line at an offset."""
    end = code.find("\n", offset)
    return len(code) if end < 0 else end


def _plain(header: str) -> str:
    """Return the head of a class or method without what formatters change."""
    return re.sub(r"\s+", "", header)
