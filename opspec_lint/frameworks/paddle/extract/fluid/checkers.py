"""What the checkers of an attr allow: an enum of values, a smallest and a largest one.

A checker that is not understood leaves what it bounds unknown: the framework's own print has none of them either.
"""

from __future__ import annotations

from opspec_lint.cpp.expressions import evaluate
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.extract.attr_types import converted
from opspec_lint.frameworks.paddle.extract.bounds import UNKNOWN_BOUNDS, Bounds, compared
from opspec_lint.frameworks.paddle.extract.fluid.lambdas import enforced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.cpp.expressions import NameResolver
    from opspec_lint.cpp.tokens import Tokens

_COMPARING = {"GreaterThan": ">", "EqualGreaterThan": ">=", "LargerThan": ">", "EqualLargerThan": ">="}
"""Paddle's own checkers; `Larger` as it was called until 2018."""


def checked(  # noqa: PLR0913, PLR0917 - a part of a statement, and what is known around it
    name: str, words: Tokens, start: int, end: int, names: NameResolver, kind: str
) -> Bounds | None:
    """The bounds that a checker sets to an attr, None for a method that adds none.

    Args:
        name: the method that adds it.
        words: the tokens of the function.
        start: where its arguments begin.
        end: where they end.
        names: what names mean there.
        kind: the type of the attr.
    """
    try:
        if name == "InEnum":
            return Bounds(allowed=_enum(evaluate(words, start, end, names), kind))
        if name in _COMPARING:
            return compared(_COMPARING[name], converted(evaluate(words, start, end, names), kind), kind)
        return enforced(words, start, end, names, kind) if name == "AddCustomChecker" else None
    except UnresolvedError:
        return UNKNOWN_BOUNDS


def _enum(value: Any, kind: str) -> tuple[Any, ...]:
    """Return the values of an enum, sorted; one of whole lists is nothing that can be said of their items."""
    if not isinstance(value, list) or kind.endswith("S"):
        raise UnresolvedError("an enum that is not a list of values")
    return tuple(sorted({converted(item, kind) for item in value}))
