"""The arguments of a call of a function or macro of CMake."""

from __future__ import annotations

from typing import NamedTuple

from opspec_lint.builds.cmake.commands import Quoted
from opspec_lint.builds.cmake.items import Item, Variable
from opspec_lint.spec.condition import ALWAYS, NEVER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet

    from opspec_lint.builds.cmake.commands import Command
    from opspec_lint.builds.cmake.values import Variables
    from opspec_lint.spec.condition import Condition


class Function(NamedTuple):
    """A function or macro of the file. One that only prints messages is idle."""

    is_macro: bool
    parameters: list[str]
    body: list[Command]
    is_idle: bool


def positions_of(arguments: Sequence[str], variables: Variables, runs_if: Condition) -> tuple[list[list[Item]], bool]:
    """Return the items of each argument of a call, and whether their positions are certain."""
    positions: list[list[Item]] = []
    is_certain = True
    for argument in arguments:
        items = variables.expand(argument, runs_if)
        if isinstance(argument, Quoted):
            positions.append(items)
        else:
            positions += [[item] for item in items]
            is_certain &= argument == "${ARGN}" or all(item.condition == ALWAYS for item in items)
    return positions, is_certain


def bind(parameters: Sequence[str], positions: list[list[Item]]) -> dict[str, Variable]:
    """Return the variables of a call: the parameters of the function, ARGN, ARGV, ARGV0 and ARGC."""
    rest = [item for items in positions[len(parameters) :] for item in items]
    bound = {"ARGN": rest, "ARGV": [item for items in positions for item in items], "ARGC": [Item(str(len(positions)))]}
    bound |= {f"ARGV{index}": items for index, items in enumerate(positions)}
    bound |= dict(zip(parameters, positions, strict=False))
    return {name: Variable(tuple(items), NEVER) for name, items in bound.items()}


def split_arguments(
    items: Iterable[Item], options: AbstractSet[str], singles: AbstractSet[str], multiples: AbstractSet[str]
) -> dict[str, list[Item]]:
    """Return the values of the keywords in the arguments of a call, as `cmake_parse_arguments` splits them."""
    values: dict[str, list[Item]] = {name: [] for name in (*options, *singles, *multiples)}
    current = ""
    for item in items:
        if item.text in options:
            values[item.text].append(item._replace(text="TRUE"))
            current = ""
        elif item.text in values:
            current = item.text
        else:
            values.setdefault(current or "UNPARSED_ARGUMENTS", []).append(item)
            current = "" if current in singles else current
    return values | {name: [Item("FALSE")] for name in options if not values[name]}
