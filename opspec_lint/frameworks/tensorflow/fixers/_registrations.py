"""Location of registrations in the text of a C++ file: the statement of an op, and the calls that declare attrs."""

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
# The literal with its quotes, and the name of the attr in it.
_LITERAL = pattern(r'\s*("(\w+)\s*:(?:[^"\\]|\\.)*")\s*')


class OpStatement(Record):
    """A statement that registers an op: its range including the `;`, and its calls, REGISTER_OP first."""

    name: str
    start: int
    end: int
    calls: tuple[Call, ...]

    @property
    def declarations_end(self) -> int:
        """The offset after the last call of Attr, Input or Output, or after REGISTER_OP if there is none."""
        return max(call.closing for call in self.calls if call is self.calls[0] or call.name in _DECLARING) + 1


def op_statements(file: TextFile) -> Iterator[OpStatement]:
    """Yield the statements that register ops whose names are literals, in the order of the file."""
    code = without_comments(file.text)
    for match in _REGISTER.finditer(code):
        statement = statement_from(code, match.start())
        if statement is not None and statement.end is not None and statement.calls:
            yield OpStatement(name=match[1], start=match.start(), end=statement.end + 1, calls=statement.calls)


def find_statement(file: TextFile, name: str) -> OpStatement | None:
    """Return the statement that registers an op; None if there is none or several."""
    statements = [op for op in op_statements(file) if op.name == name]
    return statements[0] if len(statements) == 1 else None


def find_attr_call(file: TextFile, op: str, name: str) -> Call | None:
    """Return the call of `.Attr("NAME: ...")` in the statement of an op, None if the argument is no literal."""
    statement = find_statement(file, op)
    if statement is None:
        return None
    for call in statement.calls:
        if call.name == "Attr":
            match = _LITERAL.fullmatch(file.text, call.opening + 1, call.closing)
            if match is not None and match[2] == name:
                return call
    return None


def literal_of(file: TextFile, call: Call) -> tuple[int, int]:
    """Return the range of the string literal that is the argument of a call, with its quotes."""
    match = _LITERAL.match(file.text, call.opening + 1, call.closing)
    return match.span(1) if match else (call.opening + 1, call.closing)


def indent_of(file: TextFile, offset: int) -> str:
    """Return the indentation of the line that contains an offset."""
    start = file.line_start(offset)
    match = re.compile(r"[ \t]*").match(file.text, start)
    return match[0] if match else ""


def path_of(base: Origin | None, head: Origin | None) -> str | None:
    """Return the file of a finding, in head if it has a place there."""
    place = head or base
    return None if place is None else place.file
