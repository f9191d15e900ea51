"""Help texts, and the errors of a wrong command line, by argparse, with the nearest correct word as advice."""

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

    Args:
        prog: the name of the program.
        description: the text of the help.
        arguments: the arguments of the program.
        examples: command lines, for the end of the help.
    """

    def __init__(self, prog: str, description: str, arguments: Arguments, examples: Sequence[str] = ()) -> None:
        super().__init__(prog=prog, description=description, allow_abbrev=False, formatter_class=_Help)
        self.epilog = "\n  ".join(["examples:", *examples]).replace("%", "%%") if examples else None
        self.usage = arguments.usage
        self._listing = arguments.listing
        self._bare = {name: each.bare for each in arguments.every for name in each.names if each.bare is not None}
        formats = (option.known for option in arguments.every if "--format" in option.names and option.known)
        self._formats = {name for known in formats for name in known()}
        for each in arguments.every:
            self._declare(each)
        self.set_defaults(**arguments.defaults)

    def parse(self, words: Sequence[str]) -> Options:
        """Return the options that a command line gives.

        Raises:
            UsageError: an argument is missing, unknown or of the wrong form.
        """
        for word in words:
            if word == "--":
                break
            option = word.partition("=")[0]
            if option.startswith("-") and len(option) > 1 and option not in self._option_string_actions:
                raise self._unknown_option(option)
        given = [f"{word}={self._bare[word]}" if word in self._bare else word for word in words]
        options, rest = self.parse_known_args(given)
        if rest:
            self.error(f"unexpected argument {rest[0]!r}")
        return Options(**vars(options))

    def _unknown_option(self, option: str) -> UsageError:
        """Return the error for an unknown option; a format of the command is rather meant than a similar option."""
        if option.lstrip("-") in self._formats:
            return UsageError(f"unknown option {option!r}", advice=f"write --format {option.lstrip('-')}")
        return unknown_name("option", option, self._option_string_actions)

    def format_help(self) -> str:
        """Return the help text."""
        if self._listing is not None:
            self.description = f"{(self.description or '').rstrip()}\n{self._listing()}"
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        """Raise UsageError for what argparse found wrong."""
        raise UsageError(message, advice=f"`{self.prog} --help` lists the arguments")

    def _declare(self, each: CommandArgument) -> None:
        how: dict[str, Any] = {"help": each.help_text}
        if each.values == 0:
            how["action"] = "store_true"
        else:
            how |= {"metavar": each.metavar or None, "type": _type(each.accept), "default": each.default}
        if each.repeats:
            how["action"] = "append"
        if each.values not in (0, 1):
            how["nargs"] = each.values
        if each.names:
            self.add_argument(*each.names, dest=each.dest, **how)
        else:
            self.add_argument(each.dest, **how)


def _type(accept: Callable[[str], Any]) -> Callable[[str], Any]:
    def convert(word: str) -> Any:
        try:
            return accept(word)
        except WrongValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return convert
