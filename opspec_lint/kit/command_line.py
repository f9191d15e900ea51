"""What a program declares of its command line, and what a command comes to.

Reading a plain command line takes some lines; argparse takes 6 ms to import. So arguments are declared here, and read
here where nothing is wrong with them. Help texts, and what is wrong with all other lines, are argparse's to say
(`cli/parser.py`).
"""

from __future__ import annotations

from opspec_lint.kit.errors import nearest_advice
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, Literal


class Outcome(Record):
    """What a command came to: a text for standard output, and the exit code.

    `is_raw` says that names from a spec stand in the text as they are, which a terminal must not see. `files` are
    further texts, or bytes, by the file that each is for, whose folder is made if `makes_folder`; `created` are texts
    for files that are not there yet and must not take the place of any. `remarks` are for standard error, where the
    text may be data.
    """

    text: str
    code: int
    is_raw: bool = False
    files: Mapping[str, str | bytes] = {}
    makes_folder: bool = False
    created: Mapping[str, str] = {}
    remarks: tuple[str, ...] = ()


class Options:
    """What a command line gives: an attribute for each argument."""

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: Any) -> None: ...


class WrongValueError(ValueError):
    """A value is none that an argument takes; the message says why."""


class CommandArgument(Record):
    """An argument of a command.

    `names` are those of an option, none for a positional argument; `dest` is the attribute of the options that it
    becomes. `values` are how many it takes: one, perhaps one ("?"), any number ("*"), at least one ("+"), two, or none
    for a flag. `metavar` says what they are; `accept` makes the value of a word, and `known` what it may be.
    `help` is a line for people, or makes one.
    """

    names: tuple[str, ...]
    dest: str
    help: str | Callable[[], str]
    values: Literal[0, 1, 2, "?", "*", "+"] = 1
    repeats: bool = False
    metavar: str | tuple[str, str] = ""
    accept: Callable[[str], Any] = str
    known: Callable[[], Iterable[str]] | None = None
    default: Any = None

    @property
    def about(self) -> str:
        """The line for people."""
        return self.help if isinstance(self.help, str) else self.help()


HELP = CommandArgument(names=("-h", "--help"), dest="help", values=0, help="show this help message and exit")
"""What every program takes."""


class Arguments:
    """The arguments of a command, in order. `listing` makes the end of the description, when somebody asks for help."""

    def __init__(self) -> None:
        self.every: list[CommandArgument] = []
        self.listing: Callable[[], str] | None = None
        self.usage: str | None = None
        self.defaults: dict[str, Any] = {}

    def add(self, *names: str, **how: Any) -> None:
        """Declare an argument: the names of an option, or the attribute of a positional argument, and its fields."""
        if names[0].startswith("-"):
            dest = how.pop("dest", names[0].lstrip("-").replace("-", "_"))
            default = how.pop("default", False if how.get("values") == 0 else None)
            self.every.append(CommandArgument(names=names, dest=dest, default=default, **how))
        else:
            self.every.append(CommandArgument(names=(), dest=names[0], **how))

    def parse(self, words: Sequence[str]) -> Options | None:
        """Return the options that a plain command line gives, None for one that somebody else has to look at."""
        found = {each.dest: each.default for each in self.every} | self.defaults
        by_name = {name: each for each in self.every for name in each.names}
        positional: list[str] = []
        rest = list(words)
        while rest:
            word = rest.pop(0)
            if not word.startswith("-") or word == "-":
                positional.append(word)
                continue
            name, equals, value = word.partition("=")
            option = by_name.get(name)
            if option is None or (equals and option.values != 1):
                return None
            given = [value] if equals else [rest.pop(0) for _ in range(int(option.values)) if rest]
            if len(given) != option.values or (not equals and any(each.startswith("-") for each in given)):
                return None
            if not _put(found, option, given):
                return None
        return Options(**found) if _place(found, [each for each in self.every if not each.names], positional) else None


def _put(found: dict[str, Any], option: CommandArgument, given: list[str]) -> bool:
    """Take in the values of an option; tell whether it takes them."""
    try:
        values = [option.accept(each) for each in given]
    except ValueError:
        return False
    value = True if option.values == 0 else values if option.values == 2 else values[0]
    found[option.dest] = [*(found[option.dest] or ()), value] if option.repeats else value
    return True


def _place(found: dict[str, Any], declared: list[CommandArgument], given: list[str]) -> bool:
    """Take in the positional arguments; tell whether they are as many as there may be."""
    for each in declared:
        if each.values in ("*", "+"):
            found[each.dest], given = given, []
            if each.values == "+" and not found[each.dest]:
                return False
        elif given:
            found[each.dest] = given.pop(0)
            if not _put(found, each, [found[each.dest]]):
                return False
        elif each.values == 1:
            return False
    return not given


def one_of(what: str, known: Callable[[], Iterable[str]]) -> Callable[[str], str]:
    """Return what accepts the known names alone; `known` is asked only when it is needed."""

    def accept(name: str) -> str:
        names = list(known())
        if name not in names:
            raise WrongValueError(f"unknown {what} {name!r}; {nearest_advice(name, names)}")
        return name

    return accept


def listed(names: Iterable[str], summary: Callable[[str], Any]) -> str:
    """Return names with a line on each, for the end of a help text."""
    known = list(names)
    width = max(map(len, known), default=0)
    return "\n".join(f"  {name:<{width}}  {summary(name)}" for name in known)
