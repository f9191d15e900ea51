"""A node of a program as a translator reads it, with the known facts about its variables."""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Any

    from opspec_lint.frameworks.paddle.saved.programs.attrs import Attr as Given
    from opspec_lint.frameworks.paddle.saved.translation.variables import Variable

EMPTY = "@EMPTY@"
"""The argument that means none."""


class Node(Record):
    """A node of a program.

    `inputs` and `outputs` are its parameters with their arguments. `variables` are declared where the node is (None if
    unknown), and `defined` have a value before the node runs.
    """

    op: str
    inputs: Mapping[str, tuple[str, ...]]
    outputs: Mapping[str, tuple[str, ...]]
    attrs: Mapping[str, Given]
    variables: Mapping[str, Variable] | None = None
    defined: Collection[str] = ()

    @property
    def is_inplace(self) -> bool:
        """True if a variable is both an input and an output."""
        produced = {name for arguments in self.outputs.values() for name in arguments}
        return any(produced.intersection(arguments) for arguments in self.inputs.values())

    def has_argument(self, *names: str) -> bool:
        """Return whether any of the inputs has an argument."""
        return any(self.inputs.get(name) for name in names)

    def value(self, attr: str) -> Any:
        """Return the value of an attr; None if the node lacks it."""
        given = self.attrs.get(attr)
        return None if given is None else given.value

    def variable(self, arguments: Mapping[str, tuple[str, ...]], parameter: str) -> Variable | None:
        """Return the variable of a parameter's first argument; None if there is none or it is unknown."""
        given = arguments.get(parameter)
        return self.variables.get(given[0]) if given and self.variables is not None else None

    def kind_of(self, arguments: Mapping[str, tuple[str, ...]], parameter: str) -> int | None:
        """Return the type of a parameter's first argument; None if there is none or it is unknown."""
        variable = self.variable(arguments, parameter)
        return None if variable is None else variable.kind
