"""What a picture says of a single node: the tensors that it takes and gives, with type and shape, and its attrs."""

from __future__ import annotations

from collections import ChainMap

from opspec_lint.kit.record import Record
from opspec_lint.kit.text import one_line, shorten
from opspec_lint.spec.values import show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from opspec_lint.models.model import Model, Node, Tensor

_MOST = 60
"""Tensors and attrs of a node."""
_DEEPEST = 32
"""Graphs in one another whose tensors a node is looked up in."""
_SHORT = 100
"""Characters of a value."""
_LONGEST = 2000
"""Characters of a value as a whole, which is shown on hover."""


class NodeFact(Record):
    """What is known of a node, a line of it: `about` is `input`, `output` or `attr`, `text` is cut from `whole`."""

    about: str
    name: str
    text: str
    whole: str


def tensors_of(model: Model) -> dict[int, Mapping[str, Tensor]]:
    """Return by the `id` of each graph the tensors of which the model says type and shape, by their names.

    They are those that the file states in the graph or in one around it, and the interface and weights of the model.
    """
    shared: dict[str, Tensor] = {}
    for meta in model.meta_graphs:
        for signature in meta.signatures:
            shared |= {each.name: each for each in (*signature.inputs.values(), *signature.outputs.values())}
        shared |= {each.name: each for each in meta.variables}
    found: dict[int, Mapping[str, Tensor]] = {}
    for meta in model.meta_graphs:
        around: list[list[dict[str, Tensor]]] = []
        for graph in meta.graphs:
            outer = [] if graph.within is None else around[graph.within]
            around.append([dict(graph.tensors()), *outer[: _DEEPEST - 1]])
            found[id(graph)] = ChainMap(*around[-1], shared)
    return found


def facts(node: Node, known: Mapping[str, Tensor]) -> tuple[NodeFact, ...]:
    """Return what is known of a node.

    Args:
        node: the node.
        known: tensors by their names.
    """
    lines = [*_tensors("input", node.inputs, known), *_tensors("output", node.outputs, known)]
    own = known.get(node.name)
    if own is not None and not node.outputs:
        lines.append(_fact("output", node.name, typed(own)))
    lines += [_fact("attr", name, show(_plain(value))) for name, value in sorted(node.attrs.items())]
    return tuple(lines[:_MOST])


def given(node: Node, known: Mapping[str, Tensor]) -> str:
    """Return type and shape of the first tensor that a node gives, "" where they are not known."""
    names = [name for _, tensors in node.outputs for name in tensors] or [node.name]
    return next((typed(tensor) for name in names if (tensor := known.get(name)) is not None), "")


def of_several(nodes: Iterable[tuple[str, Node, Mapping[str, Tensor]]]) -> tuple[NodeFact, ...]:
    """Return what nodes in one box give, a line for each.

    Args:
        nodes: what each is called, the node, and the tensors that it knows.
    """
    found = []
    for called, node, known in nodes:
        outputs = [name for _, names in node.outputs for name in names]
        text = ", ".join(named(name, known.get(name)) for name in outputs) or given(node, known)
        found.append(_fact("output", called, text))
    return tuple(found) if any(each.text for each in found) else ()


def _tensors(
    about: str, sides: Iterable[tuple[str, tuple[str, ...]]], known: Mapping[str, Tensor]
) -> Iterator[NodeFact]:
    for parameter, names in sides:
        for name in names:
            tensor = known.get(name) or known.get(name.removesuffix(":0"))
            yield _fact(about, parameter, named(name, tensor))


def named(name: str, tensor: Tensor | None) -> str:
    """Return the name of a tensor with its type and shape, as far as they are known; with both names if it has two."""
    if tensor is None:
        return name
    own = tensor.name
    both = name if own in (name, name.removesuffix(":0"), "") else f"{name}, {own}"
    said = typed(tensor)
    return f"{both}: {said}" if said else both


def typed(tensor: Tensor) -> str:
    """Return the type and the shape of a tensor: `float32[?, 3]`; "" where neither is known."""
    if tensor.shape is None:
        return tensor.dtype or ""
    shape = ", ".join("?" if each < 0 else str(each) for each in tensor.shape)
    return f"{tensor.dtype or 'unknown type'}[{shape}]"


def _plain(value: object) -> object:
    """Return a value without what only wraps it: a mapping of one key stands for what is under it."""
    if isinstance(value, dict):
        if not value:
            return []
        return _plain(next(iter(value.values()))) if len(value) == 1 else {key: _plain(value[key]) for key in value}
    return [_plain(each) for each in value] if isinstance(value, (list, tuple)) else value


def _fact(about: str, name: str, text: str) -> NodeFact:
    whole = shorten(one_line(text), _LONGEST)
    return NodeFact(about=about, name=shorten(one_line(name), _SHORT), text=shorten(whole, _SHORT), whole=whole)
