"""The command line's parser: what it does not know it names, with the nearest thing that it does."""

from __future__ import annotations

import argparse

from opspec_lint.errors import UsageError, nearest_advice, unknown_name
from opspec_lint.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, NoReturn, TypeVar

    _T = TypeVar("_T")


class Outcome(Record):
    """What a command came to: a text for standard output, and the exit code.

    `is_raw` says that names from a spec stand in the text as they are, which a terminal must not see. `files` are
    further texts, by the file that each is for, whose folder is made if `makes_folder`; `created` are the same, for
    files that are not there yet and must not take the place of any. `remarks` are for standard error, where the text
    may be data.
    """

    text: str
    code: int
    is_raw: bool = False
    files: Mapping[str, str] = {}
    makes_folder: bool = False
    created: Mapping[str, str] = {}
    remarks: tuple[str, ...] = ()


class _Help(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=100)  # asking for the terminal's width takes 2 ms, for every option declared


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that raises UsageError where argparse would leave the program.

    `listing` makes the end of the description, when somebody asks for help.
    """

    listing: Callable[[], str] | None = None

    def __init__(self, prog: str, description: str) -> None:
        super().__init__(
            prog=prog,
            description=description,
            allow_abbrev=False,
            formatter_class=_Help,
        )

    def parse(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Return the options that the arguments give.

        Raises:
            UsageError: an argument is missing, unknown or of the wrong form.
        """
        for word in arguments:
            if word == "--":
                break
            option = word.partition("=")[0]
            if option.startswith("-") and len(option) > 1 and option not in self._option_string_actions:
                raise unknown_name("option", option, self._option_string_actions)
        options, rest = self.parse_known_args(list(arguments))
        if rest:
            self.error(f"unexpected argument {rest[0]!r}")
        return options

    def arguments(self) -> list[argparse.Action]:
        """Return what was declared, in that order."""
        return list(self._actions)

    def format_help(self) -> str:
        """Return the help text."""
        if self.listing is not None:
            self.description = f"{(self.description or '').rstrip()}\n{self.listing()}"
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        """Raise UsageError for what argparse found wrong."""
        raise UsageError(message, advice=f"`{self.prog} --help` lists what it takes")


def one_of(what: str, known: Callable[[], Iterable[str]]) -> Callable[[str], str]:
    """Return an argument type that accepts the known names alone; `known` is asked only when it is needed."""

    def accept(name: str) -> str:
        names = list(known())
        if name not in names:
            problem = f"unknown {what} {name!r}"
            raise argparse.ArgumentTypeError(f"{problem}; {nearest_advice(name, names)}")
        return name

    return suggesting(accept, known)


def suggesting(accept: Callable[[str], _T], known: Callable[[], Iterable[str]]) -> Callable[[str], _T]:
    """Return an argument type of which shells are told what is known."""

    def suggested(word: str) -> _T:
        return accept(word)

    suggested.known = known  # type: ignore[attr-defined]
    return suggested


def candidates(action: argparse.Action) -> list[str]:
    """Return what an argument may be, as far as its type tells."""
    known = getattr(action.type, "known", None)
    return [] if known is None else list(known())


def listed(names: Iterable[str], summary: Callable[[str], Any]) -> str:
    """Return names with a line on each, for the end of a help text."""
    return "\n".join(f"  {name:<16} {summary(name)}" for name in names)
