"""The commands of a CMake file."""

from __future__ import annotations

from typing import NamedTuple

from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_COMMAND = pattern(r"(?<!\w)([A-Za-z_]\w*)[ \t]*\(")
_ARGUMENT = pattern(r'(?<!\\)"((?:[^"\\]|\\.)*)"|\[\[([^\]]{0,1000})\]\]|([^\s()"]+)|([()])', "s")
_COMMENT = pattern(r'(?<!\\)"(?:[^"\\]|\\.)*"|#(?:\[(=*)\[)?', "s")
_FALSE = frozenset({"", "0", "OFF", "NO", "FALSE", "N", "IGNORE", "NOTFOUND"})


BLOCKS = frozenset({"if", "foreach", "while", "function", "macro", "block"})
"""The commands that begin a block."""
UNKNOWN_NUMBERS = "${}"
"""The argument that stands for the values of a loop over a range."""
_MODULE_ENDS = ("InstallDirs", "ConfigHelpers", "DependentOption", "PrintHelpers", "StandardArgs", "CompilerFlag")
_MODULE_BEGINNINGS = (
    "CMake",
    "Check",
    "CPack",
    "CTest",
    "ExternalProject",
    "FetchContent",
    "FindPackage",
    "Generate",
    "GNU",
)
"""The beginnings and ends of the names of modules that are parts of CMake, and list no source."""


class Command(NamedTuple):
    """A command: its name in lower case, its arguments as written, its line, and the path of its file."""

    name: str
    arguments: list[str]
    line: int
    file: str = ""


class Quoted(str):
    """An argument in quotes: a list in it stays one argument."""

    __slots__ = ()


def parse_commands(text: str) -> list[tuple[str, list[str]]]:
    """Parse a CMake file into (name in lower case, arguments as written)."""
    return [(name, arguments) for name, arguments, *_ in scan_commands(text)]


def scan_commands(text: str) -> Iterator[tuple[str, list[str], int, bool]]:
    """Yield the commands of a CMake file: lower-case name, arguments as written, line, and whether `)` ends it."""
    text = "".join(_without_comments(text))
    at = counted = 0
    line = 1
    while True:
        match = _COMMAND.search(text, at)
        if match is None:
            return
        line += text.count("\n", counted, match.start())
        counted = match.start()
        arguments: list[str] = []
        depth = 1
        at = match.end()
        while depth:
            part = _ARGUMENT.search(text, at)
            if part is None:
                break
            at = part.end()
            depth += (part[4] == "(") - (part[4] == ")")
            if depth:
                quoted = part[1] if part[1] is not None else part[2]
                arguments.append(part[0] if quoted is None else Quoted(quoted))
        yield match[1].lower(), arguments, line, not depth


def _without_comments(text: str) -> Iterator[str]:
    """Yield the parts of a CMake file outside of comments, and the line ends of comments in brackets."""
    at = 0
    while (match := _COMMENT.search(text, at)) is not None:
        if match[0][0] != "#":
            yield text[at : match.end()]
            at = match.end()
            continue
        yield text[at : match.start()]
        end = -1 if match[1] is None else text.find(close := f"]{match[1]}]", match.end())
        if end < 0:
            at = text.find("\n", match.end())
            at = at if at >= 0 else len(text)
        else:
            # The lines behind the comment keep their numbers.
            yield "\n" * text.count("\n", match.start(), end)
            at = end + len(close)
    yield text[at:]


def parse_blocks(text: str, file: str = "") -> list[Command]:
    """Return the commands of a file whose blocks all end.

    Raises:
        SyntaxError: a command or a block has no end.
    """
    commands = []
    opened: list[tuple[str, int]] = []
    for name, arguments, line, is_closed in scan_commands(text):
        if not is_closed:
            raise SyntaxError(f"`{name}(` has no end", (None, line, None, None))
        if name in BLOCKS:
            opened.append((name, line))
        elif name.startswith("end") and name[3:] in BLOCKS and not (opened and opened.pop()[0] == name[3:]):
            raise SyntaxError(f"`{name}()` ends no `{name[3:]}()`", (None, line, None, None))
        commands.append(Command(name, arguments, line, file))
    if opened:
        name, line = opened[-1]
        raise SyntaxError(f"`{name}()` has no `end{name}()`", (None, line, None, None))
    return commands


def block_end(commands: Sequence[tuple[object, ...]], at: int, name: str) -> int:
    """Return the index of the command that ends a block, or of the last command if none does."""
    depth = 0
    for index in range(at, len(commands)):
        depth += (commands[index][0] == name) - (commands[index][0] == f"end{name}")
        if not depth:
            return index
    return len(commands) - 1


def branches_of(block: list[Command]) -> Iterator[tuple[list[str] | None, list[Command]]]:
    """Yield the test of each branch of an `if`, None for `else`, and its commands."""
    depth = 0
    starts = [0]
    for index, (name, *_) in enumerate(block):
        if depth == 1 and name in ("elseif", "else"):
            starts.append(index)
        depth += (name == "if") - (name == "endif")
    for start, end in zip(starts, [*starts[1:], len(block)], strict=True):
        yield None if block[start].name == "else" else block[start].arguments, block[start + 1 : end]


def loop_values(arguments: Sequence[str]) -> tuple[str, list[str]]:
    """Return the variable of a `foreach` and its values as arguments; one unknown value if they are numbers."""
    variable, *values = arguments or [""]
    if values[:1] == ["IN"]:
        lists = values.index("LISTS") + 1 if "LISTS" in values else len(values)
        items = values.index("ITEMS") if "ITEMS" in values else len(values)
        named = values[lists : items if items > lists else None]
        values = [*(f"${{{name}}}" for name in named), *values[items + 1 :]]
    elif values[:1] == ["RANGE"] or "ZIP_LISTS" in values:
        values = [UNKNOWN_NUMBERS]
    return variable, values


def is_cmake_module(arguments: Sequence[str]) -> bool:
    """Return whether an `include` names a module of CMake itself."""
    name = arguments[0] if arguments else ""
    return name.isidentifier() and (name.endswith(_MODULE_ENDS) or name.startswith(_MODULE_BEGINNINGS))


def is_error(command: Command) -> bool:
    """Return whether a command ends the build with an error."""
    return command.name == "message" and command.arguments[:1] in (["FATAL_ERROR"], ["SEND_ERROR"])


def is_true(value: str) -> bool:
    """Return whether a value is true in a condition, as CMake defines it."""
    return value.upper() not in _FALSE and not value.upper().endswith("-NOTFOUND")
