"""The order of nodes, and the bodies of functions at a call: what ONNX Runtime makes of a graph before it checks it."""

from __future__ import annotations

from opspec_lint.frameworks.onnx.saved.files.messages import text
from opspec_lint.frameworks.onnx.saved.files.nodes import attribute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from opspec_lint.frameworks.onnx.saved.files.nodes import Attribute, OnnxNode
    from opspec_lint.frameworks.onnx.saved.files.reading import GraphFile
    from opspec_lint.frameworks.onnx.saved.judging.graphs import Scope
    from opspec_lint.frameworks.onnx.saved.judging.place import Place


def order(places: Sequence[Place], scope: Scope, inner_names: Callable[[int], Iterable[str]]) -> Iterator[Place]:
    """Yield the nodes of a graph so that each comes after those whose outputs it takes; those of a cycle come last.

    Args:
        places: the nodes.
        scope: the names that are defined before any node.
        inner_names: returns the names that the graphs in a node use.
    """
    makers = {name: place.number for place in places for name in place.node.outputs if name}
    waiting: dict[int, set[int]] = {}
    users: dict[int, list[int]] = {}
    for place in places:
        names = (*place.node.inputs, *inner_names(place.number))
        needed = {makers[name] for name in names if name in makers and name not in scope.own}
        waiting[place.number] = needed
        for number in needed:
            users.setdefault(number, []).append(place.number)
    by_number = {place.number: place for place in places}
    ready = [place.number for place in reversed(places) if not waiting[place.number]]
    while ready:
        number = ready.pop()
        yield by_number.pop(number)
        for user in reversed(users.get(number, ())):
            waiting[user].discard(number)
            if not waiting[user] and user in by_number and user not in ready:
                ready.append(user)
    yield from by_number.values()


def bound_to_call(place: Place, call: OnnxNode, function: GraphFile) -> Place:
    """Return a node of a function with the attributes that a call gives for those that it refers to.

    One that the call does not give has its default value; without that, the node has no such attribute.
    """
    if not any(own.refers for own in place.node.attributes):
        return place
    given = {value.name: value for value in (*map(attribute, function.defaults), *call.attributes)}
    attributes = (_given(own, given) for own in place.node.attributes)
    return place.replace(node=place.node.replace(attributes=tuple(value for value in attributes if value is not None)))


def _given(own: Attribute, given: dict[str, Attribute]) -> Attribute | None:
    if not own.refers:
        return own
    value = given.get(text(own.value.ref_attr_name))
    return None if value is None else value.replace(name=own.name)
