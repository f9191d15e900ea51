"""The arguments that a program declares, and the outcome of a command.

Reading a plain command line takes a few lines of code; importing argparse takes 6 ms. So a correct command line is read
here. argparse writes the help texts, and explains what is wrong with any other command line (`cli/parser.py`).
"""

from __future__ import annotations

from opspec_lint.kit.errors import nearest_advice
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, Literal


class OutputFile(Record):
    """A file that a command writes.

    Args:
        path: the file.
        content: its text, also in parts, or bytes; or a function that returns its text, called when nobody else of us
            writes there.
        below: the folder that the file must be in, where its name is not the user's own: no link is followed from
            there on. None for a file that the user names.
        is_new: whether it must not exist yet.
        is_durable: whether it is on the disk before the next one is written: what is one of thousands, and made again
            in a minute, need not be.
    """

    path: str
    content: str | bytes | Iterable[str] | Callable[[], str | bytes]
    below: str | None = None
    is_new: bool = False
    is_durable: bool = True


class Outcome(Record):
    """The outcome of a command: a text for standard output, and the exit code.

    `parts` are more of the text, each of which is made when those before it are written.
    `is_raw` states that the text contains names of a spec unescaped, which must not reach a terminal. `files` are those
    to write, each made when those before it are written; missing folders are made if `makes_folder`. `remarks` are
    lines for standard error, since the text may be data.
    """

    text: str
    code: int
    is_raw: bool = False
    files: Iterable[OutputFile] = ()
    makes_folder: bool = False
    remarks: tuple[str, ...] = ()
    parts: Iterable[str] = ()


class Options:
    """The values of a command line: an attribute for each argument."""

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: Any) -> None: ...


class WrongValueError(ValueError):
    """An argument does not accept a value; the message says why."""


def not_empty(word: str) -> str:
    """Accept any text but the empty one, which a variable gives that is not set."""
    if not word:
        raise WrongValueError("the value is empty; is a variable not set?")
    return word


class CommandArgument(Record):
    """An argument of a command.

    `names` are the names of an option, empty for a positional argument; `dest` is its attribute in `Options`. `values`
    is the number of values: one, at most one ("?"), any number ("*"), at least one ("+"), two, or none for a flag.
    `metavar` stands for them in help texts. An option with a `bare` value takes another one behind `=` alone. `accept`
    converts a word to a value, `known` lists the values that are possible. `help` is the help text, or returns it.
    """

    names: tuple[str, ...]
    dest: str
    help: str | Callable[[], str]
    values: Literal[0, 1, 2, "?", "*", "+"] = 1
    repeats: bool = False
    metavar: str | tuple[str, str] = ""
    bare: str | None = None
    accept: Callable[[str], Any] = not_empty
    known: Callable[[], Iterable[str]] | None = None
    default: Any = None

    @property
    def about(self) -> str:
        """The help text."""
        return self.help if isinstance(self.help, str) else self.help()


HELP = CommandArgument(names=("-h", "--help"), dest="help", values=0, help="show this help message and exit")
"""The option that every program has."""


class Arguments:
    """The arguments of a command, in order. `listing` returns the end of its help text."""

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
        """Return the options of a plain command line, None for one that argparse has to read."""
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
            if not equals and option.bare is not None:
                equals, value = "=", option.bare
            given = [value] if equals else [rest.pop(0) for _ in range(int(option.values)) if rest]
            if len(given) != option.values or (not equals and any(each.startswith("-") for each in given)):
                return None
            if not _put(found, option, given):
                return None
        return Options(**found) if _place(found, [each for each in self.every if not each.names], positional) else None


def _put(found: dict[str, Any], option: CommandArgument, given: list[str]) -> bool:
    """Store the values of an option; return whether it accepts them."""
    try:
        values = [option.accept(each) for each in given]
    except ValueError:
        return False
    value = True if option.values == 0 else values if option.values == 2 else values[0]
    found[option.dest] = [*(found[option.dest] or ()), value] if option.repeats else value
    return True


def _place(found: dict[str, Any], declared: list[CommandArgument], given: list[str]) -> bool:
    """Store the positional arguments; return whether their number is right."""
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
    """Return a function that accepts only the known names; `known` is called only when it is needed."""

    def accept(name: str) -> str:
        names = list(known())
        if name not in names:
            raise WrongValueError(f"unknown {what} {name!r}; {nearest_advice(name, names)}")
        return name

    return accept


def listed(names: Iterable[str], summary: Callable[[str], Any]) -> str:
    """Return a line with its summary for each name, for the end of a help text."""
    from opspec_lint.kit.text import columns

    return "\n".join(f"  {line}" for line in columns([(name, str(summary(name))) for name in names]))
