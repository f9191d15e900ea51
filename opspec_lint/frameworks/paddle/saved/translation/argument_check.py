"""The check of a node's inputs and outputs against the PIR op that it becomes.

The rules are from `GenerateOperationInput` and `GenerateOperationOutput` in Paddle's op_translator.cc.
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
    from opspec_lint.frameworks.paddle.saved.translation.release import TranslatingRelease
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Input, Op, Output

_INT_ARRAY = "IntArrayAttribute"


class ArgumentCheck:
    """The check of a node's arguments; `target` is the PIR op that it becomes in `release`."""

    def __init__(self, node: Node, target: Op, release: TranslatingRelease) -> None:
        self._node = node
        self._target = target
        self._names = release.names
        self._faults = NodeFaults(node.op)

    def input_faults(self, declared_input: Input) -> Iterator[Fact]:
        """Yield the faults of an input."""
        name = self._names.argument(self._node.op, self._target, declared_input)
        arguments = self._node.inputs.get(name, ())
        if declared_input.get("mutable_attr") is True and not arguments:
            arguments = self._replacing_tensors(declared_input)
            if not arguments:
                yield from self._attr_value_faults(name, declared_input)
                return
        is_list = declared_input.duplicable is not False or _INT_ARRAY in str(declared_input.type)
        if len(arguments) > 1 and not is_list:
            yield self._faults.input_count(name, len(arguments), 1)
        elif arguments:
            yield from self._variable_faults(declared_input, name, arguments)
        # A kernel stumbles over a list of no tensors, the translation does not.
        elif declared_input.dispensable is False:
            fault = self._faults.input_missing(name, is_there=name in self._node.inputs)
            yield (fault.replace(effect="fails_at_run") if is_list else fault)
        elif declared_input.dispensable is UNKNOWN:
            yield self._faults.flag_not_judged("input", name, self._target.name)

    def _replacing_tensors(self, declared_input: Input) -> tuple[str, ...]:
        """Return the arguments of the first tensor input that replaces a mutable attr."""
        candidates = (self._node.inputs.get(candidate, ()) for candidate in declared_input.get("legacy_tensors") or ())
        return next((candidate for candidate in candidates if candidate), ())

    def _attr_value_faults(self, name: str, declared_input: Input) -> Iterator[Fact]:
        """Yield the faults of an attr that becomes a tensor in PIR."""
        given, kind = self._node.attrs.get(name), str(declared_input.type)
        if given is None or given.type in attrs.VARIABLES:
            if declared_input.dispensable is not True:
                yield self._faults.attr_missing(name)
        elif not attr_types.becomes_tensor(kind, given.type):
            fails_at_run = attr_types.fails_as_tensor(kind, given.type)
            yield self._faults.attr_type(given, kind).replace(effect="fails_at_run" if fails_at_run else "refused")

    def output_faults(self, declared_output: Output) -> Iterator[Fact]:
        """Yield the faults of an output."""
        name = self._names.argument(self._node.op, self._target, declared_output)
        arguments = self._node.outputs.get(name)
        if declared_output.dispensable is False and (
            arguments is None or (not arguments and self._needs_argument(declared_output))
        ):
            yield self._faults.output_missing(name)
        elif arguments:
            yield from self._variable_faults(declared_output, name, arguments)
        elif declared_output.dispensable is UNKNOWN and arguments is None:
            yield self._faults.flag_not_judged("output", name, self._target.name)

    def _needs_argument(self, declared_output: Output) -> bool:
        """Return whether an output without an argument is refused."""
        return declared_output.duplicable is False and kinds.are_checked(self._target)

    def _variable_faults(
        self, declared_argument: Input | Output, name: str, arguments: tuple[str, ...]
    ) -> Iterator[Fact]:
        """Yield a fault for each argument that is undeclared, or of another kind than the PIR op accepts."""
        if self._node.variables is None:
            return
        section = "input" if declared_argument in self._target.inputs else "output"
        for name_of_variable in arguments:
            variable = self._node.variables.get(name_of_variable)
            if variable is None:
                problem = f"names the variable '{name_of_variable}', which no block declares"
                yield self._faults.variable(section, name, problem, "input_missing")
            elif variable.is_lost and section == "input":
                problem = f"names the variable '{name_of_variable}', which no PIR op gives"
                yield self._faults.variable(section, name, problem, "input_missing")
            elif not kinds.fits(variable.kind, declared_argument, self._target):
                yield self._faults.variable(
                    section, name, kinds.problem(variable.kind, declared_argument), "input_type"
                )
