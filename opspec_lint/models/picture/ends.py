"""The ends of a graph in its picture: its inputs and outputs, and the weights that its nodes take."""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from typing import Literal, TypeAlias

    from opspec_lint.models.model import Signature, Sketch

    EndKind: TypeAlias = Literal["input", "output", "weight"]


class GraphEnd(Record):
    """An input, output or weight: its tensor, the text on its box, and the nodes that take or give it, by place."""

    kind: EndKind
    tensor: str
    label: str
    nodes: tuple[int, ...]


def graph_ends(sketches: Sequence[Sketch], signature: Signature | None, weights: Collection[str]) -> Iterator[GraphEnd]:
    """Yield the ends of a graph that no node represents, as a `Placeholder` or a `fetch` would.

    Args:
        sketches: the nodes of the graph.
        signature: the inputs and outputs of the model, for its main graph; None for another graph, whose outputs are
            the tensors that no node takes.
        weights: the names of tensors that are stored in the model.
    """
    givers: dict[str, int] = {}
    takers: dict[str, list[int]] = {}
    for at, sketch in enumerate(sketches):
        for tensor in dict.fromkeys(sketch.takes):
            takers.setdefault(tensor, []).append(at)
        givers |= dict.fromkeys(sketch.gives, at)
        if not sketch.gives:
            givers.setdefault(sketch.name, at)
    keys = {} if signature is None else {tensor.name: key for key, tensor in signature.inputs.items()}
    for tensor, nodes in takers.items():
        node = tensor.removeprefix("^").partition(":")[0]
        if tensor and tensor not in givers and node not in givers:
            is_weight = tensor in weights or (bool(keys) and tensor not in keys)
            kind: EndKind = "weight" if is_weight else "input"
            yield GraphEnd(kind=kind, tensor=tensor, label=keys.get(tensor) or tensor, nodes=tuple(nodes))
    yield from _outputs(sketches, signature, givers, takers)


def _outputs(
    sketches: Sequence[Sketch], signature: Signature | None, givers: dict[str, int], takers: dict[str, list[int]]
) -> Iterator[GraphEnd]:
    """Yield the outputs of a graph, without those that a node without outputs takes."""
    if signature is None:
        named = [(name, name) for sketch in sketches for name in sketch.gives if name and name not in takers]
    else:
        named = [(key, tensor.name) for key, tensor in signature.outputs.items()]
    for key, name in named:
        giver = givers.get(name, givers.get(name.partition(":")[0]))
        is_fetched = signature is not None and any(not sketches[at].gives for at in takers.get(name, ()))
        if giver is not None and not is_fetched:
            yield GraphEnd(kind="output", tensor=name, label=key or name, nodes=(giver,))
