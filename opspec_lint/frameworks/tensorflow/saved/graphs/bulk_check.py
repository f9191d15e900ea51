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

from itertools import chain, compress, repeat
from operator import eq, itemgetter, ne, not_

from opspec_lint.frameworks.tensorflow.saved.graphs.colocation import Colocation
from opspec_lint.frameworks.tensorflow.saved.graphs.kinds import NO_TYPE, Kinds
from opspec_lint.frameworks.tensorflow.saved.graphs.loose_ends import CONTROL, LooseEnds, find_places
from opspec_lint.frameworks.tensorflow.saved.graphs.wires import split_input

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from opspec_lint.frameworks.tensorflow.saved.graphs.kinds import NodeKind
    from opspec_lint.frameworks.tensorflow.saved.graphs.node_columns import NodeColumns

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789."
_NAME = (_LETTERS + "_/-").encode()
"""Characters that every release accepts in a node name; the first one is a letter, a digit or a dot."""
_MAX_NEARBY = 10_000
"""Nodes whose types are in the table `_nearby_types`: look-ups in a larger table take longer."""
_ABSENT = "(absent)"
"""In place of the type of an input that is not in the table."""


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
        self._earlier_types: dict[str, str] = {}
        """The type of the first output of each node of earlier batches, by node name."""
        self._nearby_types: dict[str | None, str | None] = {}
        """The same for recent nodes including this batch; None for the terminator of the inputs of a node."""
        self._flagged: list[int] = []
        self._are_spelled_well = True
        self._colocation = Colocation()
        self._kinds = Kinds(kind_of, self._colocation)
        self._loose_ends = LooseEnds()
        for batch in nodes.columns():
            self._check_batch(batch)
        self.distinct_names = self._earlier_types.keys()
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
        return find_places({name for text in inputs for name in (text, split_input(text)[0])}, self.names)

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
        self._earlier_types.update(zip(batch.names, [kind.first_output for kind in kinds], strict=True))
        self.kinds += kinds
        self.names += batch.names

    # Inputs

    def _have_expected_inputs(self, batch: NodeColumns, kinds: Sequence[NodeKind], start: int) -> bool:
        """Tell whether nodes have as many inputs as expected, and collect inputs of other types as loose ends.

        For nodes a -> float, b(a) -> int, c(a, b) the lists to compare are

            actual:    [end], type of "a", [end], type of "a", type of "b", [end]
            expected:  [end], float,       [end], float,       int,         [end]

        where [end] is None, the type of the terminator in `batch.inputs`.
        """
        known_inputs = [kind.known_inputs for kind in kinds]
        size = sum(map(len, known_inputs)) + len(known_inputs)
        if len(batch.inputs) > size:
            batch = self._without_controls(batch, start)
        if len(batch.inputs) != size:
            return False
        if len(self._nearby_types) > _MAX_NEARBY:
            self._nearby_types.clear()
        self._nearby_types[batch.terminator] = None
        # The two lists are lazy and are consumed in step. `dict.__setitem__` returns None, which is both the expected
        # [end] of a node and the moment at which the node enters the table: after its own inputs, before the next node.
        named = zip(map(self._nearby_types.__setitem__, batch.names, [kind.first_output for kind in kinds]))
        behind = zip(named, chain(known_inputs[1:], ((),)), strict=True)
        expected = chain(known_inputs[0], chain.from_iterable(chain.from_iterable(behind)))
        fits = list(map(eq, map(self._nearby_types.get, batch.inputs, repeat(_ABSENT)), expected))
        return all(fits) or self._collect_loose_ends(batch, known_inputs, start, list(map(not_, fits)))

    def _collect_loose_ends(
        self, batch: NodeColumns, known_inputs: Sequence[tuple[str, ...]], start: int, mismatches: list[bool]
    ) -> bool:
        """Tell whether mismatches are no shifted terminators; add the inputs that earlier batches do not resolve."""
        expected = list(
            compress(chain.from_iterable(chain.from_iterable(zip(known_inputs, repeat((NO_TYPE,))))), mismatches)
        )
        inputs = list(compress(batch.inputs, mismatches))
        if batch.terminator in inputs or NO_TYPE in expected:
            return False
        are_loose = list(map(ne, map(self._earlier_types.get, inputs), expected))
        if any(are_loose):
            places = [start + at for at in compress(batch.consumers(), mismatches)]
            self._loose_ends.add(*(compress(column, are_loose) for column in (places, inputs, expected)))
        return True

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
        are_loose = [name not in self._earlier_types for name in controls]
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
                loose = [pair for pair in zip(inputs, known_inputs, strict=False) if types.get(pair[0]) != pair[1]]
                loose += [(text[1:], CONTROL) for text in controls if text[1:] not in types]
                self._loose_ends.add(repeat(place, len(loose)), *zip(*loose, strict=True) if loose else ((), ()))
            types[name] = kind.first_output


def _are_spelled_well_everywhere(names: Sequence[str]) -> bool:
    """Tell whether every release accepts these node names; a name with other characters is judged by `importer`."""
    if "" in names or not set(map(itemgetter(0), names)) <= set(_LETTERS):
        return False
    # One deletion of the allowed characters from all names in C: only the line breaks between names may remain.
    return "\n".join(names).encode("utf-8", "replace").translate(None, _NAME) == b"\n" * (len(names) - 1)
