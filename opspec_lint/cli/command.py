"""Catalogues of the commands, and of the programs that replace a tool of a framework: one module each."""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from opspec_lint.kit.command_line import Arguments, Options, Outcome

    class Replay(Protocol):
        """A module of a framework's `replays/`; its docstring is the help text."""

        def configure(self, arguments: Arguments) -> None:
            """Declare the arguments."""

        def run(self, options: Options) -> Outcome:
            """Run the program, and return a text and an exit code; nothing is printed here."""

    class Command(Replay, Protocol):
        """A module of `cli/commands/`; `SUMMARY` is its line in the list of commands, `EXAMPLES` end its help text."""

        SUMMARY: str
        EXAMPLES: tuple[str, ...]


COMMANDS: Catalogue[Command] = Catalogue("cli/commands")
REPLAYS: Catalogue[Replay] = Catalogue("frameworks/*/replays")
_SUMMARY = 'SUMMARY = "'


def summary_of(name: str) -> str:
    """Return the line of a command in the list of commands.

    The file of the command is read, not imported: the list of commands would import half of the package.
    """
    with open(COMMANDS.file_of(name), encoding="utf-8") as stream:
        line = next((line for line in stream if line.startswith(_SUMMARY)), None)
    return COMMANDS.load(name).SUMMARY if line is None else line.strip()[len(_SUMMARY) : -1]
