"""A fast check of all nodes of a graph that flags the few nodes to look at more closely.

A statement of Python per node would dominate the time of an audit, so nodes are checked in batches, by functions that
loop in C (`map`, `compress`, `chain`). The steps for a batch:

1. Group the nodes into kinds (`kinds`), and check each kind once without its inputs; flag the nodes whose kind has
   faults, a device or functions.
2. Compare two lists item by item: the type that each input has, and the type that its node expects. An input has a
   type if it is the name of an earlier node; it is the type of the first output of that node.
3. Inputs that do not match are loose ends, which are looked up among all nodes at the end (`loose_ends`).

Indexes of nodes in the graph are called places.
"""

from __future__ import annotations

from itertools import chain, compress, islice, repeat, starmap
from operator import eq, itemgetter, ne, not_

from opspec_lint.frameworks.tensorflow.saved.graphs.colocation import Colocation
from opspec_lint.frameworks.tensorflow.saved.graphs.kinds import Kinds
from opspec_lint.frameworks.tensorflow.saved.graphs.loose_ends import CONTROL, LooseEnds, find_places
from opspec_lint.frameworks.tensorflow.saved.graphs.wires import input_node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from opspec_lint.frameworks.tensorflow.saved.graphs.kinds import NodeKind
    from opspec_lint.frameworks.tensorflow.saved.graphs.node_columns import NodeColumns

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789."
_NAME = (_LETTERS + "_/-").encode()
"""Characters that every release accepts in a node name; the first one is a letter, a digit or a dot."""
_MIN_NEARBY, _MAX_NEARBY = 2_000, 10_000
"""Nodes whose types are in the table `_nearby_types`: look-ups in a larger table take longer."""


class BulkCheck:
    """The result of the fast check of all nodes of a graph.

    Args:
        nodes: the stored nodes.
        kind_of: checks a node by its key (`NodeColumns.keys`) and returns its kind.
    """

    def __init__(self, nodes: Any, kind_of: Callable[[bytes], NodeKind]) -> None:
        self.kinds: list[NodeKind] = []
        """The kind of each node."""
        self.names: list[str] = []
        """The name of each node."""
        self._nearby_types: dict[str, str] = {}
        """The type of the first output of each recent node, by node name; this batch included."""
        # With a key that is no string, CPython keeps the hashes in the table: it need not visit each string to grow.
        self._types: dict[Any, Any] = {None: None}
        self._with_types = 0
        """The number of nodes of the graph that are in `_types` (`_earlier_types`)."""
        self._flagged: list[int] = []
        self._are_spelled_well = True
        self._colocation = Colocation()
        self._kinds = Kinds(kind_of, self._colocation)
        self._loose_ends = LooseEnds()
        for batch in nodes.columns():
            self._check_batch(batch)
        self.distinct_names = frozenset(self.names)
        """All node names without repetitions."""
        self.has_good_names = self._are_spelled_well and len(self.distinct_names) == len(self.names)
        """True if the names are unique, and valid in every release."""
        self._loose_ends.resolve(self.names, self.kinds)
        self.backward_edges = self._loose_ends.backward_edges if self.has_good_names else []
        """Inputs of the right type from the same or a later node: (consumer, producer), by index."""
        self.unverified: Sequence[int] = (
            sorted(self._loose_ends.unverified) if self.has_good_names else range(len(self.names))
        )
        """Indexes of nodes whose inputs `wiring` has to check: all, if a name may mean several nodes."""
        missing_colocations = self._colocation.missing_colocations(nodes, self.distinct_names)
        self.missing_colocations = {
            place: names for place, names in missing_colocations.items() if self.kinds[place].checked is not None
        }
        """Colocation targets that are not in the graph, by the index of the node that names them."""
        self.flagged = (
            sorted({*self._flagged, *self.missing_colocations}) if self.missing_colocations else self._flagged
        )
        """Indexes of nodes with faults of their own, a device, functions, or a missing colocation target."""

    def ops(self) -> frozenset[str]:
        """Return the ops that occur in the graph."""
        return frozenset(kind.op for kind in set(self.kinds))

    def find_sources(self, inputs: Iterable[str]) -> dict[str, int]:
        """Return the indexes of the nodes that inputs name, by node name."""
        return find_places({name for text in inputs for name in (text, input_node(text))}, self.names)

    def _check_batch(self, batch: NodeColumns) -> None:
        """Check the next nodes of the graph, and add their names and kinds to the result."""
        start = len(self.kinds)
        kinds = self._kinds.classify(batch.keys, start)
        if not self._kinds.are_plain:
            self._flagged += [place for place, kind in enumerate(kinds, start) if not kind.is_plain]
        if self._are_spelled_well:
            self._are_spelled_well = _are_spelled_well_everywhere(batch.names)
        if not self._have_expected_inputs(batch, kinds, start):
            self._check_nodes_separately(batch, kinds, start)
        self._loose_ends.resolve_nearby(batch.names, kinds, start)
        self.kinds += kinds
        self.names += batch.names

    # Inputs

    def _have_expected_inputs(self, batch: NodeColumns, kinds: Sequence[NodeKind], start: int) -> bool:
        """Return whether nodes have as many inputs as expected, and collect inputs of other types as loose ends.

        For nodes a -> float, b(a) -> int, c(a, b) the lists to compare are

            actual:    [end], type of "a", [end], type of "a", type of "b", [end]
            expected:  [end], float,       [end], float,       int,         [end]

        where [end] is None, the type of the terminator in `batch.inputs`, and of the name of no recent node.
        """
        rows = [kind.row for kind in kinds]
        size = sum(map(len, rows))
        if len(batch.inputs) > size:
            batch = self._without_controls(batch, start)
        if len(batch.inputs) != size:
            return False
        if len(self._nearby_types) > _MAX_NEARBY:
            self._nearby_types = dict(_types(self.names[-_MIN_NEARBY:], self.kinds[-_MIN_NEARBY:]))
        # The two lists are lazy and are consumed in step. The [end] of a node is the moment at which it enters the
        # table: after its own inputs, before the next node. `setdefault` returns its type, which is true.
        entering = starmap(self._nearby_types.setdefault, _types(batch.names, kinds))
        behind = chain(islice(rows, 1, None), ((None,),))
        expected = chain(kinds[0].known_inputs, chain.from_iterable(compress(behind, entering)))
        fits = list(map(eq, map(self._nearby_types.get, batch.inputs), expected))
        return all(fits) or self._collect_loose_ends(batch, kinds, start, list(map(not_, fits)))

    def _collect_loose_ends(
        self, batch: NodeColumns, kinds: Sequence[NodeKind], start: int, mismatches: list[bool]
    ) -> bool:
        """Return whether mismatches are no shifted terminators; add the inputs that earlier batches do not resolve."""
        rows = chain(kinds[0].known_inputs, chain.from_iterable(kind.row for kind in kinds[1:]), (None,))
        expected = list(compress(rows, mismatches))
        inputs = list(compress(batch.inputs, mismatches))
        # There are as many terminators as nodes, so that one is here if an input is in the place of another.
        if batch.terminator in inputs:
            return False
        are_loose = list(map(ne, map(self._earlier_types().get, inputs), expected))
        if any(are_loose):
            places = [start + at for at in compress(batch.consumers(), mismatches)]
            self._loose_ends.add(*(compress(column, are_loose) for column in (places, inputs, expected)))
        return True

    def _earlier_types(self) -> dict[Any, Any]:
        """Return the type of the first output of each node of earlier batches, by node name.

        The table is filled when it is needed, as the inputs of most nodes are nearby, and a large table is slow.
        """
        first, self._with_types = self._with_types, len(self.names)
        self._types.update(_types(self.names[first:], self.kinds[first:]))
        return self._types

    def _without_controls(self, batch: NodeColumns, start: int) -> NodeColumns:
        """Return a batch without control inputs; those that earlier batches do not resolve become loose ends.

        The batch is returned unchanged if a control input precedes another input of the same node.
        """
        inputs = batch.inputs
        if batch.terminator is None:
            return batch
        are_controls = list(map(str.startswith, inputs, repeat("^")))
        # The text after a control input must be another one, or the terminator "" of the node.
        if not {text[:1] for text in compress(inputs[1:], are_controls)} <= {"", "^"}:
            return batch  # no release accepts such a node
        controls = [text[1:] for text in compress(inputs, are_controls)]
        earlier_types = self._earlier_types()
        are_loose = [name not in earlier_types for name in controls]
        places = [start + at for at in compress(batch.consumers(), are_controls)]
        self._loose_ends.add(
            compress(places, are_loose), compress(controls, are_loose), repeat(CONTROL, sum(are_loose))
        )
        return batch.filter_inputs(list(map(not_, are_controls)))

    def _check_nodes_separately(self, batch: NodeColumns, kinds: Sequence[NodeKind], start: int) -> None:
        """Compare inputs with expected types node by node: slower, for batches with a wrong number of inputs."""
        types: dict[str | None, str | None] = {}
        for place, (name, kind, inputs) in enumerate(
            zip(batch.names, kinds, batch.inputs_by_node(), strict=True), start
        ):
            known_inputs, controls = kind.known_inputs, inputs[len(kind.known_inputs) :]
            if len(inputs) < len(known_inputs) or not all(text[:1] == "^" for text in controls):
                self._loose_ends.unverified.add(place)
            else:
                loose = [
                    (text, expected)
                    for text, expected in zip(inputs, known_inputs, strict=False)
                    if types.get(text) != expected
                ]
                loose += [(text[1:], CONTROL) for text in controls if text[1:] not in types]
                texts, expected_types = [text for text, _ in loose], [expected for _, expected in loose]
                self._loose_ends.add(repeat(place, len(loose)), texts, expected_types)
            types[name] = kind.first_output


def _types(names: Sequence[str], kinds: Sequence[NodeKind]) -> Iterator[tuple[str, str]]:
    """Return the name of each node with the type of its first output."""
    return zip(names, [kind.first_output for kind in kinds], strict=True)


def _are_spelled_well_everywhere(names: Sequence[str]) -> bool:
    """Return whether every release accepts these node names; a name with other characters is judged by `importer`."""
    if "" in names or not set(map(itemgetter(0), names)) <= set(_LETTERS):
        return False
    # One deletion of the allowed characters from all names in C: only the line breaks between names may remain.
    return "\n".join(names).encode("utf-8", "replace").translate(None, _NAME) == b"\n" * (len(names) - 1)
