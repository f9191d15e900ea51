"""The quick test for straight code: text that every build compiles, and executes from beginning to end.

Nearly all files are straight, and the analysis of blocks and branches would take longer than all other steps. The
test may fail for straight code, but never passes for other code.
"""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

PROCESS_ENDS = (
    *("abort", "exit", "_Exit", "_exit", "quick_exit", "terminate", "longjmp"),
    *("__builtin_unreachable", "__builtin_trap", "__builtin_abort"),
)
"""Functions that do not return."""
ENDING_KEYWORDS = (*PROCESS_ENDS, "throw", "noreturn", "_Noreturn")
"""Words without which no function of a file ends the process or throws."""
REFUSING_PARTS = ("THROW", "ABORT", "FATAL", "UNREACHABLE", "NOT_REACHED", "PANIC")
"""Parts of the names of macros that leave a function: `THROW_ERROR(...)`."""
CHECKING_PARTS = ("CHECK", "ASSERT", "ENFORCE", "VERIFY")
"""Parts of the names of macros that leave a function if their argument is false: `CHECK_EQ(1, 2)`."""
_MACRO_PARTS = (*REFUSING_PARTS, *CHECKING_PARTS, "assert")
_MACRO = pattern(r"\b(?:[A-Z][A-Z0-9_]*|assert)\b")
"""A name of a macro; `Make_VERIFY` is none."""
_CONTROL = (
    *("return", "co_return", "throw", "goto", "if", "else", "for", "while", "do", "switch", "try"),
    *("and", "or", "sizeof", "decltype", "noexcept", "typeid", "alignof"),
    *PROCESS_ENDS,
)
"""Words without which control reaches all statements; separate searches are faster than one pattern."""
_SIGNS = ("}", "[", "?", "&&", "||")
_SPECIAL = pattern(r"^[ \t\f\v]*#[ \t\f\v]*(?!include\b|pragma\b)\w|\?\?/|\\[ \t]*$", "m")
"""Directives other than includes and pragmas, and continued lines."""
_BRACE = pattern(r"\bnamespace\s+(\w[\w:]*)\s*\{|[{}]")


_FAR = 200
"""Blanks between a type and a name."""


def is_unconditional(text: str) -> bool:
    """Return whether every build compiles all of a text in the same way."""
    if "??/" not in text and "\\" not in text and text.count("#") == text.count("#include "):
        # Counting takes a tenth of the time of the pattern.
        return True
    return _SPECIAL.search(text) is None


def namespaces_at(bare: str, offset: int) -> tuple[str, ...] | None:
    """Return the namespaces around an offset of `bare`, a text without comments and strings; None in other braces."""
    names: list[str | None] = []
    for match in _BRACE.finditer(bare, 0, offset):
        if match[0] == "}":
            del names[-1:]
        else:
            names.append(match[1])
    if None in names:
        return None
    return tuple(part for name in names if name for part in name.split("::"))


def is_straight(bare: str, start: int, end: int, names: Collection[str] = (), macros: Collection[str] = ()) -> bool:
    """Return whether control certainly reaches all of a part of a function, from its beginning on.

    Args:
        bare: the text without comments and the inside of strings.
        start: the offset after the brace of the function.
        end: the offset of the last statement that matters.
        names: names that a declaration in the function may hide.
        macros: the macros that the file defines.
    """
    part = bare[start:end]
    # A `}` ends an inner block, a `[` may begin a lambda, and an operator may skip a call: they need the full analysis.
    if any(sign in part for sign in _SIGNS) or any(_contains(part, keyword) for keyword in (*_CONTROL, *macros)):
        return False
    # A function or a macro that the part calls may throw, or end the process.
    if _uses_leaving_macro(part) or any(_contains(bare, keyword) for keyword in ENDING_KEYWORDS):
        return False
    return not any(_may_declare(part, name) for name in names)


def _uses_leaving_macro(text: str) -> bool:
    """Return whether a text has the name of a macro that may leave a function."""
    # Most texts have none of the parts, and to search them is faster than the pattern.
    present = [part for part in _MACRO_PARTS if part in text]
    return bool(present) and any(part in match[0] for match in _MACRO.finditer(text) for part in present)


def _contains(text: str, name: str) -> bool:
    """Return whether a text contains a whole word."""
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        if not (_is_name_character(text[at - 1 : at]) or _is_name_character(text[end : end + 1])):
            return True
        at = text.find(name, end)
    return False


def _is_name_character(character: str) -> bool:
    """Return whether a character may be a part of a name."""
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
