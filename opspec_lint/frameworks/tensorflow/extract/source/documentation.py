"""The text of `.Doc("...")`: FinalizeDoc of op_def_builder.cc."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract.source.cursor import SPACE
from opspec_lint.frameworks.tensorflow.extract.source.faults import RejectedError
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_NAMED = pattern(rf"([A-Za-z][A-Za-z0-9_]*){SPACE}:{SPACE}")
_SPACES = " \t\n\v\f\r"


def parse(text: str, opdef: Any) -> None:
    """Set the summary and the description of an op, and the descriptions of its arguments.

    Raises:
        RejectedError: the text describes an argument that the op does not have.
    """
    lines = [line.rstrip(_SPACES) for line in text.split("\n")]
    at = _next_filled(lines, 0)
    if at < len(lines):
        opdef.summary = lines[at]
        at += 1
    start = at = _next_filled(lines, at)
    while at < len(lines) and not _NAMED.match(lines[at]):
        at += 1
    opdef.description = "\n".join(lines[start:at]).rstrip("\n")
    while at < len(lines):
        name, first = _split(lines[at])
        start = at = at + 1
        while at < len(lines) and not _NAMED.match(lines[at]):
            at += 1
        described = next(
            (argument for argument in (*opdef.input_arg, *opdef.output_arg, *opdef.attr) if argument.name == name), None
        )
        if described is None:
            raise RejectedError(f"No matching input/output/attr for name '{name}' from Doc()")
        described.description = _joined(first, lines[start:at])


def _next_filled(lines: list[str], at: int) -> int:
    while at < len(lines) and not lines[at]:
        at += 1
    return at


def _split(line: str) -> tuple[str, str]:
    """Return the name that a line describes, and the first line of the description."""
    match = _NAMED.match(line)
    return (match[1], line[match.end() :]) if match else ("", line)


def _joined(first: str, more: list[str]) -> str:
    indent = min((len(line) - len(line.lstrip(" ")) for line in more if line), default=0)
    lines = [first, *(line[indent:] for line in more)]
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines)
