"""The statements that leave a C++ function without `return`: calls of functions that end the process, and macros."""

from __future__ import annotations

from typing import NamedTuple

from opspec_lint.cpp.statement_ends import JUMPS
from opspec_lint.cpp.straight import CHECKING_PARTS, PROCESS_ENDS, REFUSING_PARTS
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS, NEVER, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import Any, Protocol

    from opspec_lint.cpp.guarding_macros import Guard
    from opspec_lint.cpp.preprocessed import Code
    from opspec_lint.spec.condition import Condition

    class Returning(Protocol):
        """The calls of functions whose bodies decide whether the calls return."""

        def condition(self, name: str, arguments: Sequence[Any], shown: str) -> Condition:
            """Return the condition under which a call returns; an unknown argument is None."""

        def may_leave(self, name: str) -> bool:
            """Return whether any call of a function may not return."""


_LEAVING = JUMPS.union(PROCESS_ENDS)
_IDENTIFIER = pattern(r"[A-Za-z_]\w*")
_BEFORE_STATEMENT = pattern(r"(?:\s|[{(]|\bdo\b|\bstd\b|::|\bvoid\s*\))*")
_REFUSING = pattern(rf"(?=[A-Z])[A-Z0-9_]*(?:{'|'.join(REFUSING_PARTS)})[A-Z0-9_]*")
"""Macros of other files that leave a function, by the words that their names use for it."""
_CHECKING = pattern(rf"(?=[A-Z])[A-Z0-9_]*(?:{'|'.join(CHECKING_PARTS)})[A-Z0-9_]*|assert")
"""Macros of other files that leave a function if their argument is false."""


class ControlFlowNames(NamedTuple):
    """The functions and macros of a file that decide where control goes.

    Attributes:
        ending: the functions that are declared not to return.
        leaving: the macros that leave a function, each with the condition under which it does not.
        guards: the macros that may skip code.
        returning: the conditions under which calls return.
    """

    ending: Collection[str] = ()
    leaving: Mapping[str, Condition] = {}
    guards: Mapping[str, Guard] = {}
    returning: Returning | None = None


def called_name(texts: Sequence[str], at: int) -> str:
    """Return the name that a statement calls, without the names that qualify it; "" if it begins otherwise."""
    at += texts[at : at + 1] == ["::"]
    while texts[at + 1 : at + 2] == ["::"]:
        at += 2
    return texts[at] if texts[at + 1 : at + 2] == ["("] else ""


def foreign_macro_condition(name: str, *, is_false: bool) -> Condition:
    """Return the condition under which the statements behind a macro of another file are reached.

    `is_false` is whether the argument of the macro is false.
    """
    refuses = _REFUSING.fullmatch(name) is not None or (is_false and _CHECKING.fullmatch(name) is not None)
    return requirement(f"`{name}` does not leave the function") if refuses else ALWAYS


def is_check(name: str) -> bool:
    """Return whether a macro leaves a function if its argument is false, by its name."""
    return _CHECKING.fullmatch(name) is not None


def ending_macros(code: Code) -> dict[str, Condition]:
    """Return the macros of a file that leave the function in which they are used, each with the opposite condition."""
    macros: dict[str, Condition] = {}
    for *_, name, macro in code.directives:
        if macro is None or _LEAVING.isdisjoint(_IDENTIFIER.findall(macro.body)):
            continue
        before = _BEFORE_STATEMENT.match(macro.body)
        first = _IDENTIFIER.match(macro.body, before.end() if before is not None else 0)
        is_certain = first is not None and first[0] in _LEAVING
        macros[name] = NEVER if is_certain else requirement(f"the macro `{name}` does not leave the function")
    return macros
