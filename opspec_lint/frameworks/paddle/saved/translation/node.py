"""A node of a program as a translator sees it: what it is given, and what is known of its variables."""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Any

    from opspec_lint.frameworks.paddle.saved.programs.attrs import Attr as Given
    from opspec_lint.frameworks.paddle.saved.translation.variables import Variable

EMPTY = "@EMPTY@"
"""The argument that stands for none."""


class Node(Record):
    """A node.

    `inputs` and `outputs` are its parameters with their arguments. `variables` are those that are declared where the
    node is, None where they are not known, and `defined` those that have a value before the node runs.
    """

    op: str
    inputs: Mapping[str, tuple[str, ...]]
    outputs: Mapping[str, tuple[str, ...]]
    attrs: Mapping[str, Given]
    variables: Mapping[str, Variable] | None = None
    defined: Collection[str] = ()

    @property
    def is_inplace(self) -> bool:
        """Whether a variable is both an input and an output."""
        produced = {name for arguments in self.outputs.values() for name in arguments}
        return any(produced.intersection(arguments) for arguments in self.inputs.values())

    def gives(self, *names: str) -> bool:
        """Tell whether any of some inputs has an argument."""
        return any(self.inputs.get(name) for name in names)

    def value(self, attr: str) -> Any:
        """Return the value of an attr, None where the node does not have it."""
        given = self.attrs.get(attr)
        return None if given is None else given.value

    def variable(self, arguments: Mapping[str, tuple[str, ...]], parameter: str) -> Variable | None:
        """Return the variable of the first argument of a parameter, None where there is none, or it is not known."""
        given = arguments.get(parameter)
        return self.variables.get(given[0]) if given and self.variables is not None else None

    def kind_of(self, arguments: Mapping[str, tuple[str, ...]], parameter: str) -> int | None:
        """Return the type of the first argument of a parameter, None where there is none, or it is not known."""
        found = self.variable(arguments, parameter)
        return None if found is None else found.kind
