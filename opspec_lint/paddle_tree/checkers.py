"""What the checkers of an attr allow: an enum of values, a smallest and a largest one.

A checker that is not understood, as any custom one may be, bounds nothing here: the framework's own print has none of
them either.
"""

from __future__ import annotations

from opspec_lint.paddle_tree.expressions import evaluate
from opspec_lint.paddle_tree.faults import UnresolvedError
from opspec_lint.paddle_tree.values import converted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.paddle_tree.cpptokens import Token
    from opspec_lint.paddle_tree.expressions import Names

_KNOWN = frozenset({"InEnum", "GreaterThan", "EqualGreaterThan", "LargerThan", "EqualLargerThan", "AddCustomChecker"})


class Bounds:
    """What an attr may be: `allowed` is None where any value is, `unknown` says that a checker was not understood."""

    __slots__ = ("allowed", "minimum", "unknown")

    def __init__(self) -> None:
        self.allowed: tuple[Any, ...] | None = None
        self.minimum: Any = None
        self.unknown = False

    def is_set(self) -> bool:
        """Tell whether there is any checker."""
        return self.unknown or self.allowed is not None or self.minimum is not None


def checked(  # noqa: PLR0913, PLR0917 - a part of a statement, and what is known around it
    name: str, words: list[Token], start: int, end: int, names: Names, kind: str, bounds: Bounds
) -> bool:
    """Take in a checker of an attr; tell whether it is one.

    Args:
        name: the method that adds it.
        words: the tokens of the function.
        start: where its arguments begin.
        end: where they end.
        names: what names mean there.
        kind: the type of the attr.
        bounds: what is known so far.
    """
    if name not in _KNOWN:
        return False
    try:
        if name == "InEnum":
            bounds.allowed = _enum(evaluate(words, start, end, names), kind)
        elif name != "AddCustomChecker" and kind in ("INT", "LONG"):
            least = converted(evaluate(words, start, end, names), kind)
            bounds.minimum = least + 1 if name in ("GreaterThan", "LargerThan") else least
        else:
            bounds.unknown = True
    except UnresolvedError:
        bounds.unknown = True
    return True


def _enum(value: Any, kind: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise UnresolvedError("an enum that is no list")
    return tuple(sorted({converted(item, kind) for item in value}))
