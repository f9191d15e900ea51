"""The inputs and outputs of a node checked against those of the PIR op that it becomes.

The rules are those of `GenerateOperationInput` and `GenerateOperationOutput` in Paddle's op_translator.cc.
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs import attrs
from opspec_lint.frameworks.paddle.saved.translation import attr_types, kinds
from opspec_lint.frameworks.paddle.saved.translation.node_faults import NodeFaults
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.frameworks.paddle.saved.translation.node import Node
    from opspec_lint.frameworks.paddle.saved.translation.release import Release
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Input, Op, Output

_INT_ARRAY = "IntArrayAttribute"


class ArgumentCheck:
    """The check of a node's arguments.

    Args:
        node: the node.
        target: the PIR op that it becomes.
        release: the release that translates it.
    """

    def __init__(self, node: Node, target: Op, release: Release) -> None:
        self._node = node
        self._target = target
        self._names = release.names
        self._wrong = NodeFaults(node.op)

    def input(self, own: Input) -> Iterator[Fact]:
        """Yield what is wrong with an input."""
        name = self._names.argument(self._node.op, self._target, own)
        arguments = self._node.inputs.get(name, ())
        if own.get("mutable_attr") is True and not arguments:
            arguments = self._tensors(own)
            if not arguments:
                yield from self._value(name, own)
                return
        is_list = own.duplicable is not False or _INT_ARRAY in str(own.type)
        if len(arguments) > 1 and not is_list:
            yield self._wrong.input_count(name, len(arguments), 1)
        elif arguments:
            yield from self._variables(own, name, arguments)
        elif own.dispensable is False:
            fault = self._wrong.input_missing(name, is_there=name in self._node.inputs)
            yield (
                fault.replace(effect="fails_at_run") if is_list else fault
            )  # a kernel stumbles over a list of no tensors
        elif own.dispensable is UNKNOWN:
            yield self._wrong.flag_untold("input", name, self._target.name)

    def _tensors(self, own: Input) -> tuple[str, ...]:
        given = (self._node.inputs.get(each, ()) for each in own.get("legacy_tensors") or ())
        return next((each for each in given if each), ())

    def _value(self, name: str, own: Input) -> Iterator[Fact]:
        """Yield what becomes of an attr that is a tensor in PIR."""
        given, kind = self._node.attrs.get(name), str(own.type)
        if given is None or given.type in attrs.VARIABLES:
            if own.dispensable is not True:
                yield self._wrong.attr_missing(name)
        elif not attr_types.takes_as_tensor(kind, given.type):
            is_late = attr_types.is_run_as_tensor(kind, given.type)
            yield self._wrong.attr_type(given, kind).replace(effect="fails_at_run" if is_late else "refused")

    def output(self, own: Output) -> Iterator[Fact]:
        """Yield what is wrong with an output."""
        name = self._names.argument(self._node.op, self._target, own)
        arguments = self._node.outputs.get(name)
        if own.dispensable is False and (arguments is None or (not arguments and self._needs_argument(own))):
            yield self._wrong.output_missing(name)
        elif arguments:
            yield from self._variables(own, name, arguments)
        elif own.dispensable is UNKNOWN and arguments is None:
            yield self._wrong.flag_untold("output", name, self._target.name)

    def _needs_argument(self, own: Output) -> bool:
        return own.duplicable is False and kinds.are_checked(self._target)

    def _variables(self, own: Input | Output, name: str, arguments: tuple[str, ...]) -> Iterator[Fact]:
        """Yield which arguments are declared nowhere, or are variables of another kind than the PIR op takes."""
        if self._node.variables is None:
            return
        section = "input" if own in self._target.inputs else "output"
        for each in arguments:
            variable = self._node.variables.get(each)
            if variable is None:
                problem = f"names the variable '{each}', which no block declares"
                yield self._wrong.variable(section, name, problem, "input_missing")
            elif variable.is_lost and section == "input":
                problem = f"names the variable '{each}', which no PIR op gives"
                yield self._wrong.variable(section, name, problem, "input_missing")
            elif not kinds.fits(variable.kind, own, self._target):
                yield self._wrong.variable(section, name, kinds.problem(variable.kind, own), "input_type")
