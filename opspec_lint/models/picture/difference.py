"""The differences between two drawn models: nodes that only one has, and nodes that are not equal in both.

Nodes are matched within graphs of one name: by their names, then by the names of their outputs, then, for nodes that
are still unmatched, by the longest common sequences of ops.
"""

from __future__ import annotations

from difflib import SequenceMatcher

from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

_PLACE = pattern(r"#\d+$")
"""The end of a name that a reader made from the place of a node, which an inserted node before it changes."""
_MAX_SEQUENCE = 3_000
"""Nodes of a graph that are matched by sequences of ops, whose cost is quadratic; the rest counts as unmatched."""


class DrawnNode(Record):
    """A node of a drawn model.

    `graph` is the name of its graph, and `givers` are the numbers of the nodes that produce its inputs. `output` is the
    name of its first output, "" if the graph names none. `content` are its attrs and the types of its
    tensors, without names of tensors.
    """

    graph: str
    name: str
    op: str
    output: str
    content: tuple[tuple[str, str, str], ...]
    givers: frozenset[int] = frozenset()


class Difference(Record):
    """The differences of two models; nodes are meant by their numbers.

    `matches` maps nodes of the first model to nodes of the second, `changed` are the matched nodes of the first that
    are not equal, and `removed` and `added` the unmatched nodes of the first and of the second.
    """

    matches: Mapping[int, int]
    changed: frozenset[int]
    removed: frozenset[int]
    added: frozenset[int]


def compare_nodes(first: Sequence[DrawnNode], second: Sequence[DrawnNode]) -> Difference:
    """Return the differences between the nodes of two models."""
    matches = _match_nodes(first, second)
    changed = {at for at, partner in matches.items() if not _is_equal(first[at], second[partner], matches)}
    return Difference(
        matches=matches,
        changed=frozenset(changed),
        removed=frozenset(range(len(first))) - matches.keys(),
        added=frozenset(range(len(second))) - set(matches.values()),
    )


def _is_equal(node: DrawnNode, partner: DrawnNode, matches: Mapping[int, int]) -> bool:
    """Return True if two matched nodes have the same op, attrs and types, and take from matched nodes."""
    givers = {matches.get(giver) for giver in node.givers}
    return (node.op, node.content) == (partner.op, partner.content) and givers == partner.givers


def _match_nodes(first: Sequence[DrawnNode], second: Sequence[DrawnNode]) -> dict[int, int]:
    """Return the number of the matched node of `second` for nodes of `first`."""
    matches: dict[int, int] = {}
    for key in (_own_name, _output_name):
        partners = _by_unique_key(second, _unmatched(second, matches.values()), key)
        for name, at in _by_unique_key(first, _unmatched(first, matches), key).items():
            if name in partners:
                matches[at] = partners[name]
    _match_sequences(first, second, matches)
    return matches


def _own_name(node: DrawnNode) -> tuple[str, ...] | None:
    """Return the key of a node that the model names, None for a node without a name."""
    return None if not node.name or _PLACE.search(node.name) else (node.graph, node.name)


def _output_name(node: DrawnNode) -> tuple[str, ...] | None:
    """Return the key of a node with a named output; values that are numbered, such as `%3`, are no names."""
    return None if not node.output or node.output.startswith("%") else (node.graph, node.op, node.output)


def _unmatched(nodes: Sequence[DrawnNode], matched: Iterable[int]) -> list[int]:
    """Return the numbers of the nodes that are not matched yet."""
    taken = set(matched)
    return [at for at in range(len(nodes)) if at not in taken]


def _by_unique_key(
    nodes: Sequence[DrawnNode], numbers: Iterable[int], key: Callable[[DrawnNode], tuple[str, ...] | None]
) -> dict[tuple[str, ...], int]:
    """Return the numbers of nodes by their keys, without keys of several nodes."""
    by_key: dict[tuple[str, ...], list[int]] = {}
    for at in numbers:
        node_key = key(nodes[at])
        if node_key is not None:
            by_key.setdefault(node_key, []).append(at)
    return {node_key: members[0] for node_key, members in by_key.items() if len(members) == 1}


def _match_sequences(first: Sequence[DrawnNode], second: Sequence[DrawnNode], matches: dict[int, int]) -> None:
    """Add matches between the unmatched nodes of each graph: common sequences of equal nodes, then of equal ops."""
    for with_content in (True, False):
        left = _by_graph(first, _unmatched(first, matches))
        right = _by_graph(second, _unmatched(second, matches.values()))
        for graph in left.keys() & right.keys():
            left_keys = _sequence_keys(first, left[graph], with_content=with_content)
            right_keys = _sequence_keys(second, right[graph], with_content=with_content)
            matcher = SequenceMatcher(None, left_keys, right_keys, autojunk=False)
            for block in matcher.get_matching_blocks():
                for step in range(block.size):
                    matches[left[graph][block.a + step]] = right[graph][block.b + step]


def _sequence_keys(
    nodes: Sequence[DrawnNode], numbers: Iterable[int], *, with_content: bool
) -> list[tuple[str, tuple[tuple[str, str, str], ...]]]:
    """Return the op of each node, and its content if `with_content`, for a comparison of sequences."""
    return [(nodes[at].op, nodes[at].content if with_content else ()) for at in numbers]


def _by_graph(nodes: Sequence[DrawnNode], numbers: Iterable[int]) -> dict[str, list[int]]:
    """Return the numbers of nodes by graph, at most _MAX_SEQUENCE of each."""
    by_graph: dict[str, list[int]] = {}
    for at in numbers:
        members = by_graph.setdefault(nodes[at].graph, [])
        if len(members) < _MAX_SEQUENCE:
            members.append(at)
    return by_graph
