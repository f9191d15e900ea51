"""The uses of a variable of a C++ function: behind its declaration, up to the end of its block."""

from __future__ import annotations

from opspec_lint.cpp.tokens import NAME
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, disjunction, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from opspec_lint.cpp.tokens import Tokens
    from opspec_lint.spec.condition import Condition

_BEFORE_VALUE = frozenset({"return", "co_return", "throw"})
"""The names before a value; any other name before a name is a type."""


def uses_of_variable(tokens: Tokens, name: str, behind: int) -> Iterator[int]:
    """Yield the indices of a name behind its declaration, up to the end of its block.

    Where an inner block declares the name again, it means another variable up to the end of that block.
    """
    index, depth = behind, 0
    while index < len(tokens):
        kind, text, _ = tokens[index]
        depth += (text == "{") - (text == "}")
        if depth < 0:
            return  # the block of the variable ends: behind it, the name means another one
        if text == name and kind == NAME:
            if depth and _is_declared(tokens, index):
                index, depth = _end_of_block(tokens, index), depth - 1
            else:
                yield index
        index += 1


def condition_of_use(
    tokens: Tokens, name: str, behind: int, reached: Callable[[int], Condition], declared_if: Condition
) -> Condition:
    """Return the condition under which the function in a variable is called.

    Args:
        tokens: the tokens of the function around.
        name: the variable.
        behind: the index behind its declaration.
        reached: returns the condition under which an offset is compiled and reached.
        declared_if: the condition under which the declaration is reached.
    """
    conditions: list[Condition] = []
    kept = ALWAYS
    for index in uses_of_variable(tokens, name, behind):
        condition = reached(tokens[index][2])
        sign = tokens[index + 1][1] if index + 1 < len(tokens) else ""
        if sign == "=":
            kept = requirement(f"`{name}` is still the function of its declaration")
            # Behind an assignment that is always executed, the variable has another value.
            if condition == declared_if:
                break
            continue
        is_called = ALWAYS if sign == "(" else requirement(f"`{name}` is called")
        conditions.append(conjunction(conjunction(condition, is_called), kept))
    return disjunction(conditions) if conditions else NEVER


def _is_declared(tokens: Tokens, index: int) -> bool:
    """Return whether a type is before a name, and its value behind the name."""
    kind, before = tokens[index - 1][:2]
    is_type = before not in _BEFORE_VALUE if kind == NAME else before in (">", "&", "*")
    return is_type and index + 1 < len(tokens) and tokens[index + 1][1] in ("=", "{", ";")


def _end_of_block(tokens: Tokens, index: int) -> int:
    """Return the index of the brace that closes the block around an index."""
    while index < len(tokens) and tokens[index][1] != "}":
        index = tokens.closing(index) + 1 if tokens[index][1] == "{" else index + 1
    return index
