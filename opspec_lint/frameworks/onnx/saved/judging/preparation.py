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
    makers = {name: resolved.number for resolved in resolved_nodes for name in resolved.node.outputs if name}
    waiting: dict[int, set[int]] = {}
    users: dict[int, list[int]] = {}
    for resolved in resolved_nodes:
        names = (*resolved.node.inputs, *inner_names(resolved.number))
        needed = {makers[name] for name in names if name in makers and name not in scope.own}
        waiting[resolved.number] = needed
        for number in needed:
            users.setdefault(number, []).append(resolved.number)
    by_number = {resolved.number: resolved for resolved in resolved_nodes}
    # Reversed, because the end of the stack is visited first: nodes that are ready keep the order of the file.
    ready = [resolved.number for resolved in reversed(resolved_nodes) if not waiting[resolved.number]]
    while ready:
        number = ready.pop()
        yield by_number.pop(number)
        for user in reversed(users.get(number, ())):
            waiting[user].discard(number)
            if not waiting[user] and user in by_number and user not in ready:
                ready.append(user)
    yield from by_number.values()


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
