"""What a picture says of a single node: the tensors that it takes and gives, with type and shape, and its attrs."""

from __future__ import annotations

from collections import ChainMap

from opspec_lint.kit.record import Record
from opspec_lint.kit.text import one_line, shorten
from opspec_lint.spec.values import show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

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
        lines.append(_fact("output", node.name, _typed(own)))
    lines += [_fact("attr", name, show(_plain(value))) for name, value in sorted(node.attrs.items())]
    return tuple(lines[:_MOST])


def _tensors(
    about: str, sides: Iterable[tuple[str, tuple[str, ...]]], known: Mapping[str, Tensor]
) -> Iterator[NodeFact]:
    for parameter, names in sides:
        for name in names:
            tensor = known.get(name) or known.get(name.removesuffix(":0"))
            said = "" if tensor is None else _typed(tensor)
            yield _fact(about, parameter, f"{name}: {said}" if said else name)


def _typed(tensor: Tensor) -> str:
    """Return the type and the shape of a tensor: `float32[?, 3]`; "" where neither is known."""
    if tensor.shape is None:
        return tensor.dtype or ""
    shape = ", ".join("?" if each < 0 else str(each) for each in tensor.shape)
    return f"{tensor.dtype or 'unknown type'}[{shape}]"


def _plain(value: Any) -> Any:
    """Return a value without what only wraps it: a mapping of one key stands for what is under it."""
    if isinstance(value, dict):
        if not value:
            return []
        return _plain(next(iter(value.values()))) if len(value) == 1 else {key: _plain(value[key]) for key in value}
    return [_plain(each) for each in value] if isinstance(value, (list, tuple)) else value


def _fact(about: str, name: str, text: str) -> NodeFact:
    whole = shorten(one_line(text), _LONGEST)
    return NodeFact(about=about, name=shorten(one_line(name), _SHORT), text=shorten(whole, _SHORT), whole=whole)
