"""The commands, and the programs that replay others': one module each."""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from opspec_lint.kit.command_line import Arguments, Options, Outcome

    class Replay(Protocol):
        """What a module of a framework's `replays/` offers; its docstring is the help text."""

        def configure(self, arguments: Arguments) -> None:
            """Declare the arguments."""

        def run(self, options: Options) -> Outcome:
            """Do it, and return a text and an exit code; nothing is printed here."""

    class Command(Replay, Protocol):
        """What a module of `cli/commands/` offers; `SUMMARY` is its line in the list of all."""

        SUMMARY: str


COMMANDS = Catalogue("cli/commands")
REPLAYS = Catalogue("frameworks/*/replays")
