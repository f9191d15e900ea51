"""The terms of the table of special translators: targets, conditions on nodes, and requirements of arguments."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.translation.translator import (
    ArgumentRequirement,
    AttrRequirement,
    Target,
)
from opspec_lint.frameworks.paddle.saved.translation.variables import ARRAY, TENSOR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opspec_lint.frameworks.paddle.saved.translation.node import Node


def unconditional(*ops: str) -> tuple[Target, ...]:
    """Return targets that do not depend on the node."""
    return tuple(Target(op=op) for op in ops)


def given(*inputs: str) -> Callable[[Node], bool]:
    """Return the condition that some input has an argument."""
    return lambda node: node.has_argument(*inputs)


def not_given(*inputs: str) -> Callable[[Node], bool]:
    """Return the condition that no input has an argument."""
    return lambda node: not node.has_argument(*inputs)


def attr_is_true(attr: str) -> Callable[[Node], bool]:
    """Return the condition that an attr is true."""
    return lambda node: node.value(attr) is True


def is_array(parameter: str) -> Callable[[Node], bool]:
    """Return the condition that an input is an array of tensors."""
    return lambda node: node.kind_of(node.inputs, parameter) == ARRAY


def is_split_by_number(node: Node) -> bool:
    """Return whether `num` decides the sections of a split."""
    number = node.value("num")
    return isinstance(number, int) and number > 0


def is_split_by_sections(node: Node) -> bool:
    """Return whether the attr `sections` decides the sections of a split."""
    return not is_split_by_number(node) and not node.has_argument("SectionsTensorList")


def overwrites(node: Node) -> bool:
    """Return whether a node overwrites a variable that has a value."""
    arguments = node.outputs.get("Out") or ("",)
    return arguments[0] in node.defined


def is_array_to_tensor(node: Node) -> bool:
    """Return whether a slice of an array of tensors becomes a single tensor."""
    return is_array("Input")(node) and node.kind_of(node.outputs, "Out") == TENSOR


def required_inputs(*names: str, least: int = 1) -> tuple[ArgumentRequirement, ...]:
    """Return the requirement of inputs."""
    return tuple(ArgumentRequirement(name=name, least=least) for name in names)


def required_outputs(*names: str, least: int = 1) -> tuple[ArgumentRequirement, ...]:
    """Return the requirement of outputs."""
    return tuple(ArgumentRequirement(name=name, least=least, is_output=True) for name in names)


def bool_attr(name: str, *, is_required: bool = False) -> AttrRequirement:
    """Return the requirement of a bool attr."""
    return AttrRequirement(name=name, types=("BOOLEAN",), is_required=is_required)


def int_attr(name: str, *, is_required: bool = True) -> AttrRequirement:
    """Return the requirement of an int attr."""
    return AttrRequirement(name=name, types=("INT",), is_required=is_required)


def string_attr(name: str) -> AttrRequirement:
    """Return the requirement of a string attr."""
    return AttrRequirement(name=name, types=("STRING",), is_required=False)
