"""Help texts and errors of a wrong command line, by argparse, with the nearest valid name as advice."""

from __future__ import annotations

import argparse

from opspec_lint.kit.command_line import Options, WrongValueError
from opspec_lint.kit.errors import UsageError, unknown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn

    from opspec_lint.kit.command_line import Arguments, CommandArgument


class _Help(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=100)


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that raises UsageError where argparse would exit.

    `description` is the text of the help, `examples` are command lines for its end.
    """

    def __init__(self, prog: str, description: str, arguments: Arguments, examples: Sequence[str] = ()) -> None:
        # No abbreviations: `--pro` in a script would break when an option with the same beginning is added.
        super().__init__(prog=prog, description=description, allow_abbrev=False, formatter_class=_Help)
        # argparse formats the epilog with `%`.
        self.epilog = "\n  ".join(["examples:", *examples]).replace("%", "%%") if examples else None
        self.usage = arguments.usage
        self._listing = arguments.listing
        self._bare = {
            name: argument.bare for argument in arguments.every for name in argument.names if argument.bare is not None
        }
        formats = (option.known for option in arguments.every if "--format" in option.names and option.known)
        self._formats = {name for known in formats for name in known()}
        for argument in arguments.every:
            self._declare(argument)
        self.set_defaults(**arguments.defaults)

    def parse(self, command_line: Sequence[str]) -> Options:
        """Parse a command line. Raises UsageError if an argument is missing, unknown or has the wrong form."""
        # argparse would report an unknown option only after all others, and without the nearest name.
        for argument in command_line:
            if argument == "--":
                break
            option = argument.partition("=")[0]
            if option.startswith("-") and len(option) > 1 and option not in self._option_string_actions:
                raise self._unknown_option(option)
        given = [
            f"{argument}={self._bare[argument]}" if argument in self._bare else argument for argument in command_line
        ]
        options, rest = self.parse_known_args(given)
        if rest:
            self.error(f"unexpected argument {rest[0]!r}")
        return Options(**vars(options))

    def _unknown_option(self, option: str) -> UsageError:
        """Return the error for an unknown option: advise --format if it is a format's name, else the nearest option."""
        if option.lstrip("-") in self._formats:
            return UsageError(f"unknown option {option!r}", advice=f"write --format {option.lstrip('-')}")
        return unknown_name("option", option, self._option_string_actions)

    def format_help(self) -> str:
        """Return the help text."""
        if self._listing is not None:
            self.description = f"{(self.description or '').rstrip()}\n{self._listing()}"
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        """Raise UsageError for an error that argparse found."""
        raise UsageError(message, advice=f"`{self.prog} --help` lists the arguments")

    def _declare(self, argument: CommandArgument) -> None:
        """Declare an argument to argparse."""
        how: dict[str, Any] = {"help": argument.help_text}
        if argument.values == 0:
            how["action"] = "store_true"
        else:
            how |= {"metavar": argument.metavar or None, "type": _type(argument.accept), "default": argument.default}
        if argument.repeats:
            how["action"] = "append"
        if argument.values not in (0, 1):
            how["nargs"] = argument.values
        if argument.names:
            self.add_argument(*argument.names, dest=argument.dest, **how)
        else:
            self.add_argument(argument.dest, **how)


def _type(accept: Callable[[str], Any]) -> Callable[[str], Any]:
    def convert(text: str) -> Any:
        try:
            return accept(text)
        except WrongValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return convert
