"""Text that every build compiles and executes from its beginning to its end, recognised without analysing it.

Nearly all files are so; to find the blocks and branches of such a file takes longer than all else.
"""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

_CONTROL = (
    *("return", "co_return", "throw", "goto", "if", "else", "for", "while", "do", "switch", "try"),
    *("abort", "exit", "_Exit", "_exit", "quick_exit", "terminate"),
)
"""Words without which control passes all statements; to look for each is faster than a pattern with all."""
_SPECIAL = pattern(r"^[ \t]*#[ \t]*(?!include\b|pragma\b)\w|\?\?/|\\[ \t]*$", "m")
"""Directives that define or decide something, and what continues a line."""
_BRACE = pattern(r"\bnamespace\s+(\w[\w:]*)\s*\{|[{}]")


_FAR = 200
"""Blanks that may stand between a type and a name."""


def is_unconditional(text: str) -> bool:
    """Return whether every build compiles all of a text in the same way."""
    if "??/" not in text and "\\" not in text and text.count("#") == text.count("#include "):
        return True  # in a tenth of the time of the pattern
    return _SPECIAL.search(text) is None


def namespaces_at(bare: str, offset: int) -> tuple[str, ...] | None:
    """Return the namespaces around an offset, None within any other braces.

    Args:
        bare: the text without comments and the inside of strings.
        offset: the offset.
    """
    names: list[str | None] = []
    for match in _BRACE.finditer(bare, 0, offset):
        if match[0] == "}":
            del names[-1:]
        else:
            names.append(match[1])
    if None in names:
        return None
    return tuple(part for name in names if name for part in name.split("::"))


def is_straight(bare: str, start: int, end: int, names: Collection[str] = ()) -> bool:
    """Return whether control certainly reaches all of a part of a function, from its beginning on.

    Args:
        bare: the text without comments and the inside of strings.
        start: the offset after the brace of the function.
        end: the offset of the last statement that matters.
        names: names that a declaration in the function may hide.
    """
    part = bare[start:end]
    if "}" in part or "[" in part or "__builtin_" in part or any(_contains(part, keyword) for keyword in _CONTROL):
        return False
    return not any(_may_declare(part, name) for name in names)


def _contains(text: str, name: str) -> bool:
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        if not (_is_of_name(text[at - 1 : at]) or _is_of_name(text[end : end + 1])):
            return True
        at = text.find(name, end)
    return False


def _is_of_name(character: str) -> bool:
    return character.isalnum() or character == "_"


def _may_declare(text: str, name: str) -> bool:
    """Return whether a name follows a type, as it does where it is declared."""
    at = text.find(name)
    while at >= 0:
        before = text[max(0, at - _FAR) : at].rstrip()[-1:]
        if before.isalnum() or (before and before in "_>&*"):
            return True
        at = text.find(name, at + len(name))
    return False
