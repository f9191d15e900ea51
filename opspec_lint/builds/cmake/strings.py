"""The operations of `string()` of CMake on known texts."""

from __future__ import annotations

from opspec_lint.builds.cmake.commands import Quoted
from opspec_lint.builds.cmake.items import Item

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opspec_lint.builds.cmake.values import Variables
    from opspec_lint.spec.condition import Condition

_CONVERSIONS: dict[str, Callable[[str], str]] = {"TOLOWER": str.lower, "TOUPPER": str.upper, "STRIP": str.strip}


def set_text(operation: str, arguments: Sequence[str], variables: Variables, runs_if: Condition) -> bool:
    """Execute a `string()` command; return False if it is not followed, or one of its texts is not known."""
    texts: list[str] = []
    for argument in arguments:
        value = variables.value(argument, runs_if)
        if value is None:
            return False
        # Without quotes, each item of a list is an argument, and an empty one is none.
        texts += [value] if isinstance(argument, Quoted) else filter(None, value.split(";"))
    result = _result(operation, texts, variables, runs_if)
    if result is None:
        return False
    name, text = result
    variables.assign(name, map(Item, text.split(";")), runs_if)
    return True


def _result(operation: str, texts: Sequence[str], variables: Variables, runs_if: Condition) -> tuple[str, str] | None:
    """Return the variable that an operation sets, and its text; None for an operation that is not followed."""
    if operation == "REPLACE" and len(texts) > 3 and texts[0]:
        return texts[2], "".join(texts[3:]).replace(texts[0], texts[1])
    if operation == "CONCAT" and texts:
        return texts[0], "".join(texts[1:])
    if operation in _CONVERSIONS and len(texts) == 2:
        return texts[1], _CONVERSIONS[operation](texts[0])
    if operation in ("APPEND", "PREPEND") and texts and texts[0] in variables:
        before = variables.value(f"${{{texts[0]}}}", runs_if)
        if before is not None:
            added = "".join(texts[1:])
            return texts[0], before + added if operation == "APPEND" else added + before
    return None
