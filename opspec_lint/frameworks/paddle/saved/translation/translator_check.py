"""The check of a node against the requirements of a special translator: attrs, inputs and outputs."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs import attrs
from opspec_lint.frameworks.paddle.saved.programs.messages import VAR_TYPES
from opspec_lint.frameworks.paddle.saved.programs.saver import format_value
from opspec_lint.frameworks.paddle.saved.translation.node_faults import NodeFaults

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.frameworks.paddle.saved.translation.node import Node
    from opspec_lint.frameworks.paddle.saved.translation.translator import (
        ArgumentRequirement,
        AttrRequirement,
        Translator,
    )
    from opspec_lint.spec.fact import Fact


def faults(node: Node, translator: Translator) -> Iterator[Fact]:
    """Yield the requirements of a translator that a node does not meet."""
    node_faults = NodeFaults(node.op)
    for attr_requirement in translator.reads:
        if attr_requirement.when(node):
            yield from _attr_faults(attr_requirement, node, node_faults)
    if translator.any_required and not _has_items(translator.any_required, node):
        yield node_faults.attr_missing(translator.any_required[-1])
    for argument_requirement in translator.arguments_required:
        yield from _argument_faults(argument_requirement, node, node_faults)


def _attr_faults(requirement: AttrRequirement, node: Node, node_faults: NodeFaults) -> Iterator[Fact]:
    """Yield the faults of an attr."""
    given = node.attrs.get(requirement.name)
    if given is None or given.type in attrs.VARIABLES:
        if requirement.is_required:
            yield node_faults.attr_missing(requirement.name)
    elif requirement.types and given.type not in requirement.types:
        yield node_faults.attr_type(given, " or ".join(requirement.types))
    elif requirement.equals is not None and isinstance(given.value, float) and given.value != requirement.equals:
        yield node_faults.attr_value(
            requirement.name, format_value(given.value), f"is not {requirement.equals}, as only that is translated"
        )


def _has_items(names: tuple[str, ...], node: Node) -> bool:
    """Return whether a node has an attr with a list of items among some attrs."""
    given = (node.attrs[name].value for name in names if name in node.attrs)
    return any(isinstance(value, list) and value for value in given)


def _argument_faults(requirement: ArgumentRequirement, node: Node, node_faults: NodeFaults) -> Iterator[Fact]:
    """Yield the faults of an input or output."""
    arguments = (node.outputs if requirement.is_output else node.inputs).get(requirement.name)
    if arguments is None or len(arguments) < requirement.least:
        if requirement.is_output:
            yield node_faults.output_missing(requirement.name)
        else:
            yield node_faults.input_missing(requirement.name, is_there=arguments is not None)
    elif requirement.most is not None and len(arguments) > requirement.most:
        yield node_faults.input_count(requirement.name, len(arguments), requirement.most)
    else:
        variable = node.variable(node.inputs, requirement.name)
        if requirement.dtype is not None and variable is not None and variable.dtype != requirement.dtype:
            problem = f"has elements of the type {_name(variable.dtype)}, and has to have {_name(requirement.dtype)}"
            yield node_faults.variable("input", requirement.name, problem, "input_type")


def _name(dtype: int) -> str:
    """Return the name of an element type."""
    return VAR_TYPES.get(dtype, str(dtype))
