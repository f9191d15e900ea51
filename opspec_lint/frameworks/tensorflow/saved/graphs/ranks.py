"""The check of the ranks that shape functions demand, for inputs whose shape the graph states: placeholders.

TensorFlow runs the shape function of each node when it imports a graph. `ranks.json` has the demands that a function
makes in any case: those that tools/tensorflow_ranks.py reads in the sources of 1.8 and 2.7, and that an import by
2.18.1 confirms (of ParseExample the source alone).
"""

from __future__ import annotations

import json
import os
from functools import cache
from itertools import compress

from opspec_lint.frameworks.tensorflow.saved.graphs.wires import split_input
from opspec_lint.kit.record import Record
from opspec_lint.models.fault import op_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opspec_lint.frameworks.tensorflow.saved.graphs.bulk_check import BulkCheck
    from opspec_lint.frameworks.tensorflow.saved.graphs.nodes import CheckedNode
    from opspec_lint.frameworks.tensorflow.saved.graphs.stored import StoredNodes
    from opspec_lint.spec.fact import Fact

NO_SCALARS = 21
"""The last graph version in which a placeholder without dimensions is of unknown shape (array_ops.cc)."""


class WrongRank(Record):
    """An input of a rank that a shape function refuses: its number, the node that it comes from, and both ranks."""

    input: str
    source: str
    rank: int
    expected: str


def faults(nodes: StoredNodes, bulk_check: BulkCheck, producer: int) -> Iterator[Fact]:
    """Yield the inputs of nodes that come from a placeholder of another rank than the shape function takes."""
    kinds = bulk_check.kinds
    demanding = {kind for kind in set(kinds) if kind.checked is not None and kind.op in _demands()}
    ranks = {kind: stated_rank(kind.op, kind.checked, producer) for kind in set(kinds)}
    stated = {kind: rank for kind, rank in ranks.items() if rank is not None}
    if not demanding or not stated:
        return
    sources = {name: stated[kind] for name, kind in zip(bulk_check.names, kinds, strict=True) if kind in stated}
    places = list(compress(range(len(kinds)), map(demanding.__contains__, kinds)))
    for place, inputs in nodes.inputs_of(places).items():
        for wrong in wrong_ranks(kinds[place].op, inputs, sources):
            facts = {"given": wrong.rank, "expected": wrong.expected, "source": wrong.source}
            fault = op_fault("model_input_rank", kinds[place].op, "refused", "shape", kind="input", name=wrong.input)
            yield fault.replace(node=bulk_check.names[place], facts=facts)


def wrong_ranks(op: str, inputs: Sequence[str], sources: Mapping[str, int]) -> Iterator[WrongRank]:
    """Yield the inputs of a node whose rank its shape function refuses; `sources` has the known ranks by node."""
    for number, (low, high) in _demands().get(op, {}).items():
        name, index = split_input(inputs[number]) if number < len(inputs) else ("", 0)
        rank = sources.get(name) if index == 0 else None
        if rank is not None and (rank < low or (high is not None and rank > high)):
            yield WrongRank(input=str(number), source=name, rank=rank, expected=_rank_text(low, high))


def stated_rank(op: str, checked: CheckedNode | None, producer: int) -> int | None:
    """Return the rank that a placeholder states in a graph of this version, None for any other node."""
    if op != "Placeholder" or checked is None or "shape" not in checked.attrs:
        return None
    shape = checked.attrs["shape"].shape
    if shape.unknown_rank or (not shape.dim and producer <= NO_SCALARS):
        return None
    return len(shape.dim)


def _rank_text(low: int, high: int | None) -> str:
    if high is None:
        return f"{low} or higher"
    return str(low) if low == high else f"{low} to {high}"


@cache
def _demands() -> Mapping[str, Mapping[int, tuple[int, int | None]]]:
    """Return lowest and highest rank of inputs by op and number."""
    with open(os.path.join(os.path.dirname(__file__), "ranks.json"), encoding="utf-8") as stream:
        table = json.load(stream)
    return {op: {int(number): (low, high) for number, (low, high) in demands.items()} for op, demands in table.items()}
