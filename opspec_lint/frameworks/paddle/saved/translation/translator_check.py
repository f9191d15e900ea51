"""What a translator of its own looks at by itself, checked against a node: attrs, inputs and outputs."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs import attrs
from opspec_lint.frameworks.paddle.saved.programs.messages import VAR_TYPES
from opspec_lint.frameworks.paddle.saved.programs.saver import shown
from opspec_lint.frameworks.paddle.saved.translation.node_faults import NodeFaults

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.frameworks.paddle.saved.translation.node import Node
    from opspec_lint.frameworks.paddle.saved.translation.translator import Ask, Read, Translator
    from opspec_lint.spec.fact import Fact


def faults(node: Node, translator: Translator) -> Iterator[Fact]:
    """Yield what a translator finds wrong with a node."""
    wrong = NodeFaults(node.op)
    for read in translator.reads:
        if read.when(node):
            yield from _read(read, node, wrong)
    if translator.one_of and not _has_one_of(translator.one_of, node):
        yield wrong.attr_missing(translator.one_of[-1])
    for ask in translator.asks:
        yield from _ask(ask, node, wrong)


def _read(read: Read, node: Node, wrong: NodeFaults) -> Iterator[Fact]:
    given = node.attrs.get(read.name)
    if given is None or given.type in attrs.VARIABLES:
        if read.is_required:
            yield wrong.attr_missing(read.name)
    elif read.types and given.type not in read.types:
        yield wrong.attr_type(given, " or ".join(read.types))
    elif read.equals is not None and isinstance(given.value, float) and given.value != read.equals:
        yield wrong.attr_value(read.name, shown(given.value), f"is not {read.equals}, as only that is translated")


def _has_one_of(names: tuple[str, ...], node: Node) -> bool:
    given = (node.attrs[name].value for name in names if name in node.attrs)
    return any(isinstance(value, list) and value for value in given)


def _ask(ask: Ask, node: Node, wrong: NodeFaults) -> Iterator[Fact]:
    arguments = (node.outputs if ask.is_output else node.inputs).get(ask.name)
    if arguments is None or len(arguments) < ask.least:
        is_there = arguments is not None
        yield wrong.output_missing(ask.name) if ask.is_output else wrong.input_missing(ask.name, is_there=is_there)
    elif ask.most is not None and len(arguments) > ask.most:
        yield wrong.input_count(ask.name, len(arguments), ask.most)
    else:
        variable = node.variable(node.inputs, ask.name)
        if ask.dtype is not None and variable is not None and variable.dtype != ask.dtype:
            problem = f"has elements of the type {_name(variable.dtype)}, and has to have {_name(ask.dtype)}"
            yield wrong.variable("input", ask.name, problem, "input_type")


def _name(dtype: int) -> str:
    return VAR_TYPES.get(dtype, str(dtype))
