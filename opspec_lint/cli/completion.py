"""What a shell can complete: the commands, their options and the values of these."""

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
        """A module of `cli/shells/`; `SUMMARY` says where the script goes."""

        SUMMARY: str

        def render(self, program: Program) -> str:
            """Return the script that completes a program."""


SHELLS: Catalogue[Shell] = Catalogue("cli/shells")
_SPECS = ("BASE", "HEAD", "SOURCE", "SPEC")
"""Values that may be the name of a released spec, or a file."""
_FILES = ("FILE", *_SPECS)
"""Values that may be files, by the names that help texts give them."""


class Completable(Record):
    """An option, or a positional argument if `names` is empty.

    `values` are the names of its values, empty for a flag. `choices` are the possible values, if they are known;
    `takes_files` is whether a value may be a file. `help` is a line for people.
    """

    names: tuple[str, ...]
    values: tuple[str, ...]
    choices: tuple[str, ...]
    takes_files: bool
    repeats: bool
    help: str


class Subcommand(Record):
    """A command: its name, a line for people, and its arguments."""

    name: str
    summary: str
    arguments: tuple[Completable, ...]

    @property
    def options(self) -> tuple[Completable, ...]:
        """The arguments that have a name."""
        return tuple(each for each in self.arguments if each.names)

    @property
    def positionals(self) -> tuple[Completable, ...]:
        """The arguments that have none."""
        return tuple(each for each in self.arguments if not each.names)


class Program(Record):
    """A program with commands, and the options that it accepts instead of one, each with a line for people."""

    name: str
    commands: tuple[Subcommand, ...]
    options: Mapping[str, str]


def program(name: str) -> Program:
    """Return the commands and options of opspec-lint, under the name by which it is called."""
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
    metavar = declared.metavar or declared.dest.upper()
    values = metavar if isinstance(metavar, tuple) else () if declared.values == 0 or declared.bare else (metavar,)
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
