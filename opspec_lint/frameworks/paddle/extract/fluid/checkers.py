"""The values that the checkers of an attr allow: a set of values, a minimum and a maximum.

A checker that is not understood makes the bounds unknown. Paddle's own print of an op has no bounds at all.
"""

from __future__ import annotations

from opspec_lint.cpp.expressions import evaluate
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.extract.attr_types import to_attr_value
from opspec_lint.frameworks.paddle.extract.bounds import UNKNOWN_BOUNDS, Bounds, bounds_of_comparison
from opspec_lint.frameworks.paddle.extract.fluid.lambdas import bounds_of_lambda

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.cpp.expressions import NameResolver
    from opspec_lint.cpp.tokens import Tokens

_COMPARING = {"GreaterThan": ">", "EqualGreaterThan": ">=", "LargerThan": ">", "EqualLargerThan": ">="}
"""The comparison of each of Paddle's checker methods; the names with `Larger` were used until 2018."""


def bounds_of_checker(  # noqa: PLR0913, PLR0917 - a part of a statement and its context
    name: str, tokens: Tokens, start: int, end: int, names: NameResolver, kind: str
) -> Bounds | None:
    """Return the bounds that a checker method such as `InEnum` sets; None for another method.

    `start` and `end` enclose its arguments in `tokens`; `kind` is the type of the attr.
    """
    try:
        if name == "InEnum":
            return Bounds(allowed=_enum(evaluate(tokens, start, end, names), kind))
        if name in _COMPARING:
            return bounds_of_comparison(
                _COMPARING[name], to_attr_value(evaluate(tokens, start, end, names), kind), kind
            )
        return bounds_of_lambda(tokens, start, end, names, kind) if name == "AddCustomChecker" else None
    except UnresolvedError:
        return UNKNOWN_BOUNDS


def _enum(value: Any, kind: str) -> tuple[Any, ...]:
    """Return the sorted values of an enum.

    Raises UnresolvedError for an enum of whole lists, which states nothing about the items of a list.
    """
    if not isinstance(value, list) or kind.endswith("S"):
        raise UnresolvedError("an enum that is not a list of values")
    return tuple(sorted({to_attr_value(item, kind) for item in value}))
