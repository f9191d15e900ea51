"""Cycles in a graph: nodes that wait for themselves, but for the legal loops of merges.

Most nodes stand behind those that they take inputs from. Where one takes an input from behind it, a cycle can only lie
between the two, or where several such stretches overlap. So the whole graph is looked at only if there is one.
"""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.saved.graphs.wires import split, wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from opspec_lint.frameworks.tensorflow.saved.graphs.kinds import Kind
    from opspec_lint.frameworks.tensorflow.saved.graphs.survey import Survey

_MERGES = frozenset(("Merge", "RefMerge"))
_BACK = frozenset(("NextIteration", "RefNextIteration"))
"""An edge from one of these into a merge closes a legal loop."""
_BATCH = 5000
"""Stretches that are looked at together."""


class _Stretch:
    """Nodes of which some take inputs from behind: from `begin` to before `end`, the inputs come from `sources`."""

    __slots__ = ("begin", "end", "sources")

    def __init__(self, begin: int, end: int, source: int) -> None:
        self.begin = begin
        self.end = end
        self.sources = [source]


def stuck(graph: Any, survey: Survey, back: Iterable[tuple[int, int]]) -> set[int]:
    """Return the nodes in cycles, and those behind them.

    Args:
        graph: the nodes.
        survey: what a pass over them found.
        back: the wires from behind: the place of the node that takes a tensor, and of the one that gives it.
    """
    kinds = survey.kinds
    stretches = _stretches(sorted(each for each in back if not _is_loop(kinds[each[0]], kinds[each[1]])))
    if any(_in_cycles(graph, survey, range(each.begin, each.end)) for each in _suspects(graph, survey, stretches)):
        return _in_cycles(graph, survey, range(len(kinds)))
    return set()


def _is_loop(kind: Kind, source: Kind) -> bool:
    """Tell whether an edge closes a legal loop."""
    return kind.op in _MERGES and source.op in _BACK


def _stretches(back: Iterable[tuple[int, int]]) -> list[_Stretch]:
    found: list[_Stretch] = []
    for place, source in back:
        if found and place < found[-1].end:
            found[-1].end = max(found[-1].end, source + 1)
            found[-1].sources.append(source)
        else:
            found.append(_Stretch(place, source + 1, source))
    return found


def _suspects(graph: Any, survey: Survey, stretches: Sequence[_Stretch]) -> Iterator[_Stretch]:
    """Yield the stretches in which a cycle may lie: a node that gives a tensor to one before it waits for another."""
    for at in range(0, len(stretches), _BATCH):
        batch = stretches[at : at + _BATCH]
        inputs = graph.inputs_of(sorted({source for each in batch for source in each.sources}))
        for each in batch:
            names = frozenset(survey.names[each.begin : each.end])
            if any(split(text)[0] in names or text in names for source in set(each.sources) for text in inputs[source]):
                yield each


def _in_cycles(graph: Sequence[Any], survey: Survey, stretch: range) -> set[int]:
    """Return the nodes of a stretch that wait for themselves, and those behind them; a legal loop waits for nothing."""
    kinds = survey.kinds
    named = {survey.names[place]: place for place in stretch}
    edges: dict[int, list[int]] = {place: [] for place in stretch}
    waits = dict.fromkeys(stretch, 0)
    for place in stretch:
        for text in graph[place].input:
            at, _ = wire(text, named)
            if at is not None and not _is_loop(kinds[place], kinds[at]):
                edges[at].append(place)
                waits[place] += 1
    ready = [place for place, count in waits.items() if not count]  # topological order: what never gets ready is stuck
    while ready:
        for place in edges[ready.pop()]:
            waits[place] -= 1
            if not waits[place]:
                ready.append(place)
    return {place for place, count in waits.items() if count}
