"""The commands of a CMake file."""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_COMMAND = pattern(r"(?<!\w)([A-Za-z_]\w*)[ \t]*\(")
_ARGUMENT = pattern(r'(?<!\\)"((?:[^"\\]|\\.)*)"|([^\s()"]+)|([()])', "s")
_COMMENT = pattern(r'((?<!\\)"(?:[^"\\]|\\.)*")|#\[\[.*?\]\]|#[^\n]*', "s")
_FALSE = frozenset({"", "0", "OFF", "NO", "FALSE", "N", "IGNORE", "NOTFOUND"})


def parse_commands(text: str) -> list[tuple[str, list[str]]]:
    """Parse a CMake file into (name in lower case, arguments as written)."""
    return [(name, arguments) for name, arguments, *_ in scan_commands(text)]


def scan_commands(text: str) -> Iterator[tuple[str, list[str], int, bool]]:
    """Yield the commands of a CMake file: lower-case name, arguments as written, line, and whether `)` ends it."""
    # The line ends of a comment in brackets stay, so that the lines behind it keep their numbers.
    text = _COMMENT.sub(lambda match: match[1] or "\n" * match[0].count("\n"), text)
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
            depth += (part[3] == "(") - (part[3] == ")")
            if depth:
                arguments.append(part[1] if part[1] is not None else part[0])
        yield match[1].lower(), arguments, line, not depth


def block_end(commands: list[tuple[str, list[str]]], at: int, name: str) -> int:
    """Return the index of the command that ends a block, or of the last command if none does."""
    depth = 0
    for index in range(at, len(commands)):
        depth += (commands[index][0] == name) - (commands[index][0] == f"end{name}")
        if not depth:
            return index
    return len(commands) - 1


def is_true(value: str) -> bool:
    """Return whether a value is true in a condition, as CMake defines it."""
    return value.upper() not in _FALSE and not value.upper().endswith("-NOTFOUND")
