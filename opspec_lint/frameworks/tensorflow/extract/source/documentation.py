"""The parser of `.Doc("...")`, as FinalizeDoc of op_def_builder.cc: summary, description, `name: text` lines."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract.source.cursor import SPACE
from opspec_lint.frameworks.tensorflow.extract.source.faults import RejectedError
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ARGUMENT = pattern(rf"([A-Za-z][A-Za-z0-9_]*){SPACE}:{SPACE}")
_SPACES = " \t\n\v\f\r"


def parse(text: str, opdef: Any) -> None:
    """Fill in the documentation of an OpDef; raises RejectedError if the text describes an unknown argument."""
    lines = [line.rstrip(_SPACES) for line in text.split("\n")]
    at = _next_filled(lines, 0)
    if at < len(lines):
        opdef.summary = lines[at]
        at += 1
    start = at = _next_filled(lines, at)
    while at < len(lines) and not _ARGUMENT.match(lines[at]):
        at += 1
    opdef.description = "\n".join(lines[start:at]).rstrip("\n")
    while at < len(lines):
        name, first = _split_name(lines[at])
        start = at = at + 1
        while at < len(lines) and not _ARGUMENT.match(lines[at]):
            at += 1
        target = next(
            (argument for argument in (*opdef.input_arg, *opdef.output_arg, *opdef.attr) if argument.name == name), None
        )
        if target is None:
            raise RejectedError(f"No matching input/output/attr for name '{name}' from Doc()")
        target.description = _join_lines(first, lines[start:at])


def _next_filled(lines: list[str], at: int) -> int:
    """Return the index of the next line that is not empty."""
    while at < len(lines) and not lines[at]:
        at += 1
    return at


def _split_name(line: str) -> tuple[str, str]:
    """Split a line `name: text` into name and text."""
    match = _ARGUMENT.match(line)
    return (match[1], line[match.end() :]) if match else ("", line)


def _join_lines(first: str, more: list[str]) -> str:
    """Join the lines of a description, without the common indentation and empty lines at the end."""
    indent = min((len(line) - len(line.lstrip(" ")) for line in more if line), default=0)
    lines = [first, *(line[indent:] for line in more)]
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines)
