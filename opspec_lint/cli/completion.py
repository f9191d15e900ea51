"""The commands, options and values that a shell can complete, as records for the scripts of `cli/shells/`."""

from __future__ import annotations

from opspec_lint.cli.command import COMMANDS
from opspec_lint.kit.catalogue import Catalogue
from opspec_lint.kit.command_line import HELP, Arguments
from opspec_lint.kit.record import Record
from opspec_lint.sources import released

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from opspec_lint.kit.command_line import CommandArgument

    class Shell(Protocol):
        """A module of `cli/shells/`; `SUMMARY` tells the user where to put the script."""

        SUMMARY: str

        def render(self, program: Program) -> str:
            """Return the completion script of a program."""


SHELLS: Catalogue[Shell] = Catalogue("cli/shells")
_SPECS = ("BASE", "HEAD", "SOURCE", "SPEC")
"""Metavars of values that may be a released spec or a file."""
_FILES = ("FILE", *_SPECS)
"""Metavars of values that may be files."""


class Completable(Record):
    """An option, or a positional argument if `names` is empty.

    `values` are the metavars of its values, empty for a flag. `choices` are the possible values, if they are known.
    `takes_files`: a value may be a file. `help` is one line.
    """

    names: tuple[str, ...]
    values: tuple[str, ...]
    choices: tuple[str, ...]
    takes_files: bool
    repeats: bool
    help: str


class Subcommand(Record):
    """A command: its name, its summary, and its arguments."""

    name: str
    summary: str
    arguments: tuple[Completable, ...]

    @property
    def options(self) -> tuple[Completable, ...]:
        """The arguments with a name."""
        return tuple(argument for argument in self.arguments if argument.names)

    @property
    def positionals(self) -> tuple[Completable, ...]:
        """The arguments without a name."""
        return tuple(argument for argument in self.arguments if not argument.names)


class Program(Record):
    """A program with commands, and the options that it accepts in place of a command, each with a summary."""

    name: str
    commands: tuple[Subcommand, ...]
    options: Mapping[str, str]


def program(name: str) -> Program:
    """Return the commands and options of opspec-lint as a program called `name`."""
    return Program(
        name=name,
        commands=tuple(map(_command, COMMANDS.names())),
        options={"--help": "list the commands", "--version": "show the version"},
    )


def _command(name: str) -> Subcommand:
    module = COMMANDS.load(name)
    declared = Arguments()
    module.configure(declared)
    every = [HELP, *declared.every]
    return Subcommand(name=name, summary=module.SUMMARY, arguments=tuple(map(_argument, every)))


def _argument(declared: CommandArgument) -> Completable:
    """Return an argument with the values that a shell can complete."""
    metavar = declared.metavar or declared.dest.upper()
    values: tuple[str, ...] = ()
    if isinstance(metavar, tuple):
        values = metavar
    elif declared.values != 0 and not declared.bare:  # an option with a bare value takes another one only after `=`
        values = (metavar,)
    return Completable(
        names=declared.names,
        values=values,
        choices=_choices(declared, values),
        takes_files=any(value in _FILES for value in values),
        repeats=declared.values in ("+", "*") or declared.repeats,
        help=declared.help_text,
    )


def _choices(declared: CommandArgument, values: tuple[str, ...]) -> tuple[str, ...]:
    if declared.known is not None:
        return tuple(declared.known())
    return tuple(released.names()) if any(value in _SPECS for value in values) else ()
