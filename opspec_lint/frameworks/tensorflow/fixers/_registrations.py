"""Registrations in the text of a C++ file: the statement of an op, and the calls that declare its attrs."""

from __future__ import annotations

import re

from opspec_lint.cpp.comments import without_comments
from opspec_lint.cpp.statement_calls import statement_from
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.cpp.statement_calls import Call
    from opspec_lint.fixes.text_file import TextFile
    from opspec_lint.spec.model import Origin

_REGISTER = pattern(r'\bREGISTER_(?:SYSTEM_)?OP\s*\(\s*"([\w>]+)"\s*\)')
_DECLARING = ("Attr", "Input", "Output")
_LITERAL = pattern(r'\s*("(\w+)\s*:(?:[^"\\]|\\.)*")\s*')


class WrittenOp(Record):
    """A statement that registers an op: its range with the `;`, and its calls, from the registering one on."""

    name: str
    start: int
    end: int
    calls: tuple[Call, ...]

    @property
    def declared(self) -> int:
        """The offset behind the last call that declares an attr or argument, or behind the one that registers."""
        return max(call.closing for call in self.calls if call is self.calls[0] or call.name in _DECLARING) + 1


def written_ops(file: TextFile) -> Iterator[WrittenOp]:
    """Yield the statements that register ops whose names are literals, in the order of the file."""
    code = without_comments(file.text)
    for match in _REGISTER.finditer(code):
        statement = statement_from(code, match.start())
        if statement is not None and statement.end is not None and statement.calls:
            yield WrittenOp(name=match[1], start=match.start(), end=statement.end + 1, calls=statement.calls)


def written_op(file: TextFile, name: str) -> WrittenOp | None:
    """Return the only statement that registers an op; None if there is none, or if there are several."""
    statements = [op for op in written_ops(file) if op.name == name]
    return statements[0] if len(statements) == 1 else None


def attr_call(file: TextFile, op: str, name: str) -> Call | None:
    """Return the call of `.Attr("NAME: ...")` in the statement of an op, None if the argument is no literal."""
    statement = written_op(file, op)
    for call in () if statement is None else statement.calls:
        if call.name == "Attr":
            match = _LITERAL.fullmatch(file.text, call.opening + 1, call.closing)
            if match is not None and match[2] == name:
                return call
    return None


def literal_of(file: TextFile, call: Call) -> tuple[int, int]:
    """Return the range of the literal that a call is given, with its quotes."""
    match = _LITERAL.match(file.text, call.opening + 1, call.closing)
    return match.span(1) if match else (call.opening + 1, call.closing)


def indent_of(file: TextFile, offset: int) -> str:
    """Return the white space at the beginning of the line of an offset."""
    start = file.line_start(offset)
    match = re.compile(r"[ \t]*").match(file.text, start)
    return match[0] if match else ""


def path_of(base: Origin | None, head: Origin | None) -> str | None:
    """Return the path of the file that a finding is about."""
    place = head or base
    return None if place is None else place.file
