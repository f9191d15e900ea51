"""The options --format and --output of commands that write several reports at once, each to its own file."""

from __future__ import annotations

import os

from opspec_lint.kit.command_line import choice_of
from opspec_lint.kit.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from opspec_lint.kit.command_line import Arguments

STANDARD_OUTPUT = "-"


def configure_formats(arguments: Arguments, formats: Callable[[], Iterable[str]]) -> None:
    """Declare --format, which may be repeated, and --output."""

    def accept(text: str) -> tuple[str, str | None]:
        name, separator, file = text.partition("=")
        return choice_of("format", formats)(name), file if separator else None

    arguments.add(
        "--format",
        repeats=True,
        accept=accept,
        known=formats,
        metavar="NAME[=FILE]",
        help=lambda: (
            f"the output format, and the file it goes to; may be repeated: {', '.join(formats())} (default: text)"
        ),
    )
    arguments.add("--output", metavar="FILE", help="the file for the report (default: -, standard output)")


def file_of(output: str | None) -> str | None:
    """Return the file that --output names, None for standard output."""
    return None if output == STANDARD_OUTPUT else output


def destinations(formats: Sequence[tuple[str, str | None]], output: str | None) -> list[tuple[str, str | None]]:
    """Return the formats with their files; None, for at most one of them, is standard output.

    `formats` are the values of --format, text if there is none; `output` is the value of --output. Raises UsageError if
    two go to the same place, one to a file without a name, or none to `output`.
    """
    formats = formats or [("text", None)]
    if output is not None and all(file is not None for _, file in formats):
        raise UsageError("every format names its own file, so --output has no effect", advice="remove one of the two")
    named = [(name, file_of(output if file is None else file)) for name, file in formats]
    places: dict[str | None, str] = {}
    for name, file in named:
        if file == "":
            raise UsageError(f"the format {name} names no file", advice="write --format NAME=FILE")
        # Two names of one file would make the second report replace the first.
        place = file and os.path.realpath(file)
        if place in places:
            problem = f"the formats {places[place]} and {name} go to the same place"
            raise UsageError(problem, advice="name a file for one: --format NAME=FILE")
        places[place] = name
    return named
