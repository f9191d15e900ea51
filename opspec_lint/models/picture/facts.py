"""The details of a node in a picture: its inputs and outputs with type and shape, and its attrs."""

from __future__ import annotations

from collections import ChainMap

from opspec_lint.kit.record import Record
from opspec_lint.kit.text import one_line, shorten
from opspec_lint.spec.values import show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from opspec_lint.models.model import Model, Node, Tensor

_MAX_LINES = 60
"""Tensors and attrs of a node that are listed."""
_MAX_DEPTH = 32
"""Nested graphs in which a tensor of a node is looked up."""
_MAX_TEXT = 100
"""Characters of a value."""
_MAX_WHOLE = 2000
"""Characters of a value as a whole, which is shown on hover."""


class NodeFact(Record):
    """One line about a node: `role` is `input`, `output` or `attr`, and `text` is `whole` cut to a column."""

    role: str
    name: str
    text: str
    whole: str


def tensors_by_graph(model: Model) -> dict[int, Mapping[str, Tensor]]:
    """Return, by the `id` of each graph, the tensors of known type and shape by name.

    They include the tensors of the enclosing graphs, and the interface and weights of the model.
    """
    shared: dict[str, Tensor] = {}
    for meta in model.meta_graphs:
        for signature in meta.signatures:
            shared |= {tensor.name: tensor for tensor in (*signature.inputs.values(), *signature.outputs.values())}
        shared |= {tensor.name: tensor for tensor in meta.variables}
    known: dict[int, Mapping[str, Tensor]] = {}
    for meta in model.meta_graphs:
        around: list[list[dict[str, Tensor]]] = []
        for graph in meta.graphs:
            outer = [] if graph.within is None else around[graph.within]
            around.append([dict(graph.tensors()), *outer[: _MAX_DEPTH - 1]])
            known[id(graph)] = ChainMap(*around[-1], shared)
    return known


def node_facts(node: Node, known: Mapping[str, Tensor]) -> tuple[NodeFact, ...]:
    """Return the lines about a node; `known` are the tensors of known type by name."""
    lines = [*_tensors("input", node.inputs, known), *_tensors("output", node.outputs, known)]
    own = known.get(node.name)
    if own is not None and not node.outputs:
        lines.append(_fact("output", node.name, type_text(own)))
    lines += [_fact("attr", name, show(_unwrap(value))) for name, value in sorted(node.attrs.items())]
    return tuple(lines[:_MAX_LINES])


def output_type(node: Node, known: Mapping[str, Tensor]) -> str:
    """Return type and shape of the first output of a node, "" if they are unknown."""
    names = [name for _, tensors in node.outputs for name in tensors] or [node.name]
    return next((type_text(tensor) for name in names if (tensor := known.get(name)) is not None), "")


def group_facts(nodes: Iterable[tuple[str, Node, Mapping[str, Tensor]]]) -> tuple[NodeFact, ...]:
    """Return one line per node of a group with its outputs, or nothing if no output is known.

    `nodes` are triples: the label of the node, the node, and the tensors of known type in its graph.
    """
    lines = []
    for called, node, known in nodes:
        outputs = [name for _, names in node.outputs for name in names]
        text = ", ".join(tensor_text(name, known.get(name)) for name in outputs) or output_type(node, known)
        lines.append(_fact("output", called, text))
    return tuple(lines) if any(fact.text for fact in lines) else ()


def _tensors(
    role: str, sides: Iterable[tuple[str, tuple[str, ...]]], known: Mapping[str, Tensor]
) -> Iterator[NodeFact]:
    """Yield a line for each tensor of the inputs or outputs of a node."""
    for parameter, names in sides:
        for name in names:
            # TensorFlow names the first output of a node `node` or `node:0`.
            tensor = known.get(name) or known.get(name.removesuffix(":0"))
            yield _fact(role, parameter, tensor_text(name, tensor))


def tensor_text(name: str, tensor: Tensor | None) -> str:
    """Return a tensor as `name: float32[2, 3]`; both names if the known tensor has another one."""
    if tensor is None:
        return name
    own = tensor.name
    both = name if own in (name, name.removesuffix(":0"), "") else f"{name}, {own}"
    text = type_text(tensor)
    return f"{both}: {text}" if text else both


def type_text(tensor: Tensor) -> str:
    """Return type and shape of a tensor as `float32[?, 3]`, "" if both are unknown."""
    if tensor.shape is None:
        return tensor.dtype or ""
    shape = ", ".join("?" if size < 0 else str(size) for size in tensor.shape)
    return f"{tensor.dtype or 'unknown type'}[{shape}]"


def _unwrap(value: object) -> object:
    """Return a value without wrappers: a mapping with a single key is replaced by its value, recursively."""
    if isinstance(value, dict):
        if not value:
            return []
        return _unwrap(next(iter(value.values()))) if len(value) == 1 else {key: _unwrap(value[key]) for key in value}
    return [_unwrap(item) for item in value] if isinstance(value, (list, tuple)) else value


def _fact(role: str, name: str, text: str) -> NodeFact:
    """Return a line about a node, with long texts cut."""
    whole = shorten(one_line(text), _MAX_WHOLE)
    return NodeFact(role=role, name=shorten(one_line(name), _MAX_TEXT), text=shorten(whole, _MAX_TEXT), whole=whole)
