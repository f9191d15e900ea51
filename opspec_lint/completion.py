"""What can be completed of the command line, as the parsers of the commands declare it."""

from __future__ import annotations

from opspec_lint import catalogue
from opspec_lint.options import Parser, candidates
from opspec_lint.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Action
    from collections.abc import Mapping

_FILES = ("FILE", "BASE", "HEAD", "SOURCE")
"""Values that may be files, by the names that help texts give them."""


class Argument(Record):
    """An option, or a positional argument if `names` is empty.

    `values` are the names of its values, empty for a flag; `choices` what a value may be, where that is known, and
    `takes_files` whether a value may be a file. `help` is a line for people.
    """

    names: tuple[str, ...]
    values: tuple[str, ...]
    choices: tuple[str, ...]
    takes_files: bool
    repeats: bool
    help: str


class Command(Record):
    """A command: its name, a line for people, and its arguments."""

    name: str
    summary: str
    arguments: tuple[Argument, ...]

    @property
    def options(self) -> tuple[Argument, ...]:
        """The arguments that have a name."""
        return tuple(each for each in self.arguments if each.names)

    @property
    def positionals(self) -> tuple[Argument, ...]:
        """The arguments that have none."""
        return tuple(each for each in self.arguments if not each.names)


class Program(Record):
    """A program with commands, and the options that it takes in place of one, each with a line for people."""

    name: str
    commands: tuple[Command, ...]
    options: Mapping[str, str]


def program(name: str) -> Program:
    """Return opspec-lint, under the name that it is called by."""
    return Program(
        name=name,
        commands=tuple(map(_command, catalogue.names("commands"))),
        options={"--help": "list the commands", "--version": "show the version"},
    )


def _command(name: str) -> Command:
    module = catalogue.module("commands", name)
    parser = Parser(name, "")
    module.configure(parser)
    return Command(name=name, summary=module.SUMMARY, arguments=tuple(map(_argument, parser.arguments())))


def _argument(action: Action) -> Argument:
    name = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    values = action.metavar if isinstance(action.metavar, tuple) else () if action.nargs == 0 else (name,)
    return Argument(
        names=tuple(action.option_strings),
        values=values,
        choices=tuple(candidates(action)),
        takes_files=any(value in _FILES for value in values),
        repeats=action.nargs in ("+", "*") or type(action).__name__ == "_AppendAction",
        help=action.help or "",
    )
