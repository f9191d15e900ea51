"""Declared arguments of a program, and the outcome of a command.

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
        content: its text, also in parts, or bytes; or a function that returns its text, called while no other
            opspec-lint writes there.
        below: the folder that the file must be in, if the user does not name the file: no link is followed from there
            on. None for a file that the user names.
        is_new: whether it must not exist yet.
        is_durable: whether it is synced to the disk before the next file is written: one of thousands that are made
            again in a minute need not be.
    """

    path: str
    content: str | bytes | Iterable[str] | Callable[[], str | bytes]
    below: str | None = None
    is_new: bool = False
    is_durable: bool = True


class Outcome(Record):
    """The outcome of a command: a text for standard output, and the exit code.

    `parts` are further parts of the text, each made after the previous ones are written. `is_raw`: the text contains
    unescaped names of a spec, which must not reach a terminal. `files` are the files to write, each made after the
    previous ones are written; missing folders are created if `makes_folder`. `folder` is the folder that the files make
    up, which appears when all are written; "" for none. `remarks` are lines for standard error,
    since the text may be data.
    """

    text: str
    code: int
    is_raw: bool = False
    files: Iterable[OutputFile] = ()
    makes_folder: bool = False
    folder: str = ""
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


def not_empty(text: str) -> str:
    """Accept any text but the empty one, to which a shell expands a variable that is not set."""
    if not text:
        raise WrongValueError("the value is empty; check that its variable is set")
    return text


class CommandArgument(Record):
    """An argument of a command.

    `names` are the names of an option, empty for a positional argument; `dest` is its attribute in `Options`. `values`
    is the number of values: one, at most one ("?"), any number ("*"), at least one ("+"), two, or none for a flag.
    `metavar` names them in help texts. An option with a `bare` value takes another value only after `=`. `accept`
    converts a text to a value, `known` lists the possible values. `help` is the help text, or returns it.
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
    def help_text(self) -> str:
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

    def parse(self, arguments: Sequence[str]) -> Options | None:
        """Return the options of a plain command line, None for one that argparse must parse.

        argparse is slow to import, so it is left to help texts and to what is wrong or unusual: an abbreviated name,
        `--`, a value that begins with "-".
        """
        values = {argument.dest: argument.default for argument in self.every} | self.defaults
        option_by_name = {name: argument for argument in self.every for name in argument.names}
        positional: list[str] = []
        remaining = list(arguments)
        while remaining:
            text = remaining.pop(0)
            if not text.startswith("-") or text == "-":
                positional.append(text)
                continue
            name, equals, value = text.partition("=")
            option = option_by_name.get(name)
            if option is None:
                return None
            given = _take_values(option, value if equals else option.bare, remaining)
            if given is None or not _store_option(values, option, given):
                return None
        positionals = [argument for argument in self.every if not argument.names]
        return Options(**values) if _store_positionals(values, positionals, positional) else None


def _take_values(option: CommandArgument, attached: str | None, remaining: list[str]) -> list[str] | None:
    """Return the values of an option: the attached one, or else the next arguments, which are removed.

    Returns None if their number is wrong, or one looks like an option.
    """
    if attached is not None:
        return [attached] if option.values == 1 else None
    count = int(option.values)
    taken = remaining[:count]
    del remaining[:count]
    is_complete = len(taken) == count and not any(text.startswith("-") for text in taken)
    return taken if is_complete else None


def _store_option(values: dict[str, Any], option: CommandArgument, given: list[str]) -> bool:
    """Store the values of an option; return whether it accepts them."""
    try:
        accepted = [option.accept(text) for text in given]
    except ValueError:
        return False
    value: Any = accepted
    if option.values != 2:
        value = accepted[0] if option.values else True
    values[option.dest] = [*(values[option.dest] or ()), value] if option.repeats else value
    return True


def _store_positionals(values: dict[str, Any], declared: list[CommandArgument], given: list[str]) -> bool:
    """Store the positional arguments; return whether their number is right, and each is accepted."""
    remaining = list(given)
    for argument in declared:
        if argument.values in ("*", "+"):
            values[argument.dest] = remaining
            if argument.values == "+" and not remaining:
                return False
            remaining = []
        elif remaining:
            if not _store_option(values, argument, [remaining.pop(0)]):
                return False
        elif argument.values == 1:
            return False
    return not remaining


def choice_of(what: str, known: Callable[[], Iterable[str]]) -> Callable[[str], str]:
    """Return a function that accepts only the known names; `known` is called only when it is needed."""

    def accept(name: str) -> str:
        """Return a known name; plug-ins are loaded only if no other name fits."""
        names = list(known())
        if name not in names:
            from opspec_lint.kit import plugins

            plugins.activate()
            names = list(known())
        if name not in names:
            raise WrongValueError(f"unknown {what} {name!r}; {nearest_advice(name, names)}")
        return name

    return accept


def summary_lines(names: Iterable[str], summary: Callable[[str], Any]) -> str:
    """Return a line with its summary for each name, for the end of a help text."""
    from opspec_lint.kit.text import columns

    return "\n".join(f"  {line}" for line in columns([(name, str(summary(name))) for name in names]))
