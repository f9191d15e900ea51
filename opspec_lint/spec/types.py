"""The notation of the type of an input or output: `float`, `T`, `N * T`."""

from __future__ import annotations

from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.spec.model import Input, Output


def type_expression(argument: Input | Output) -> str | Any:
    """Return the type of an argument as frameworks write it, `N * T`; UNKNOWN if it is not known."""
    fields = (argument.type, argument.type_attr, argument.type_list_attr)
    if all(field is UNKNOWN for field in fields):
        return UNKNOWN
    single = next((field for field in fields if field), "")
    return f"{argument.number_attr} * {single}" if argument.number_attr else str(single)
