"""The order of nodes and the inlined function bodies, which ONNX Runtime makes before it checks a graph."""

from __future__ import annotations

from opspec_lint.frameworks.onnx.saved.files.messages import text
from opspec_lint.frameworks.onnx.saved.files.nodes import decode_attribute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from opspec_lint.frameworks.onnx.saved.files.nodes import Attribute, OnnxNode
    from opspec_lint.frameworks.onnx.saved.files.reading import GraphFile
    from opspec_lint.frameworks.onnx.saved.judging.graphs import NameScope
    from opspec_lint.frameworks.onnx.saved.judging.resolution import ResolvedNode


def execution_order(
    resolved_nodes: Sequence[ResolvedNode], scope: NameScope, inner_names: Callable[[int], Iterable[str]]
) -> Iterator[ResolvedNode]:
    """Yield the nodes of a graph in topological order; nodes in a cycle come last.

    `scope` are the names that are defined before any node. `inner_names` returns the names that graphs nested in a node
    use.
    """
    producer_of = {name: resolved.number for resolved in resolved_nodes for name in resolved.node.outputs if name}
    # By node, the nodes that have to precede it and are not yielded yet; and the nodes that wait for it.
    missing: dict[int, set[int]] = {}
    consumers: dict[int, list[int]] = {}
    for resolved in resolved_nodes:
        names = (*resolved.node.inputs, *inner_names(resolved.number))
        producers = {producer_of[name] for name in names if name in producer_of and name not in scope.own}
        missing[resolved.number] = producers
        for number in producers:
            consumers.setdefault(number, []).append(resolved.number)
    remaining = {resolved.number: resolved for resolved in resolved_nodes}
    # Reversed, because the end of the stack is visited first: nodes that are ready keep the order of the file.
    ready = [resolved.number for resolved in reversed(resolved_nodes) if not missing[resolved.number]]
    while ready:
        number = ready.pop()
        yield remaining.pop(number)
        for consumer in reversed(consumers.get(number, ())):
            missing[consumer].discard(number)
            if not missing[consumer] and consumer in remaining and consumer not in ready:
                ready.append(consumer)
    yield from remaining.values()


def bind_call_attributes(resolved: ResolvedNode, call: OnnxNode, function: GraphFile) -> ResolvedNode:
    """Return a node of a function with its references to function attributes replaced by the values of a call.

    An attribute that the call does not give has its default; without a default, the node has no such attribute.
    """
    if not any(own.refers for own in resolved.node.attributes):
        return resolved
    given = {value.name: value for value in (*map(decode_attribute, function.defaults), *call.attributes)}
    attributes = (_substitute(own, given) for own in resolved.node.attributes)
    return resolved.replace(
        node=resolved.node.replace(attributes=tuple(value for value in attributes if value is not None))
    )


def _substitute(own: Attribute, given: dict[str, Attribute]) -> Attribute | None:
    """Return an attribute with its reference replaced, None if there is no value for it."""
    if not own.refers:
        return own
    value = given.get(text(own.value.ref_attr_name))
    return None if value is None else value.replace(name=own.name)
