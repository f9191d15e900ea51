"""One pass over the nodes of a graph: most are in order, and the others are found for a closer look.

What is done for each node is done for many at once, by loops of the interpreter's own code. An input is looked for
among the nodes that stand before it. The others are loose ends, which are tied when the pass is over.
"""

from __future__ import annotations

from itertools import chain, compress, repeat
from operator import eq, itemgetter, ne, not_

from opspec_lint.frameworks.tensorflow.saved.graphs.colocation import Colocation
from opspec_lint.frameworks.tensorflow.saved.graphs.ends import CONTROL, Ends, places_of
from opspec_lint.frameworks.tensorflow.saved.graphs.kinds import NOTHING, Kinds
from opspec_lint.frameworks.tensorflow.saved.graphs.wires import split

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from opspec_lint.frameworks.tensorflow.saved.graphs.columns import Columns
    from opspec_lint.frameworks.tensorflow.saved.graphs.kinds import Kind

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789."
_NAME = (_LETTERS + "_/-").encode()
"""What the name of a node is made of in every release; it begins with one of the letters."""
_NEARBY = 10_000
"""Nodes that are nearby: in a table of more, each look takes longer."""
_ABSENT = "(absent)"
"""In place of a type: of a tensor that is not seen."""


class Survey:
    """What a pass over the nodes of a graph found.

    Args:
        nodes: the nodes.
        kind_of: returns the kind of a node by the bytes of a NodeDef with its op, its device and its attrs.
    """

    def __init__(self, nodes: Any, kind_of: Callable[[bytes], Kind]) -> None:
        self.kinds: list[Kind] = []
        """The kind of each node."""
        self.names: list[str] = []
        """The name of each node."""
        self._types: dict[str, str] = {}
        """The type of the first output of each node of the batches before, by name."""
        self._nearby: dict[str | None, str | None] = {}
        """The same of nodes nearby, up to the last; None at the end of the inputs of a node."""
        self._odd: list[int] = []
        self._are_spelled_well = True
        self._colocation = Colocation()
        self._kinds = Kinds(kind_of, self._colocation)
        self._ends = Ends()
        for each in nodes.columns():
            self._add(each)
        self.distinct = self._types.keys()
        """All names."""
        self.has_good_names = self._are_spelled_well and len(self.distinct) == len(self.names)
        """Whether no two nodes are called alike, and each has a name that nodes may have."""
        self._ends.tie(self.names, self.kinds)
        self.late = self._ends.late if self.has_good_names else []
        """The wires from behind that fit: the place of the node that takes a tensor, and of the one that gives it."""
        self.unsure: Sequence[int] = sorted(self._ends.unsure) if self.has_good_names else range(len(self.names))
        """The places of the nodes that are not seen to be wired well: all, if it is not sure which one a name means."""
        astray = self._colocation.astray(nodes, self.distinct)
        self.astray = {place: names for place, names in astray.items() if self.kinds[place].checked is not None}
        """The nodes that are not there though others have to stand beside them, by the places of those."""
        self.odd = sorted({*self._odd, *self.astray}) if self.astray else self._odd
        """The places of the nodes of which there is something to say, or that ask for a device."""

    def ops(self) -> frozenset[str]:
        """Return the ops of the nodes."""
        return frozenset(each.op for each in set(self.kinds))

    def sources(self, inputs: Iterable[str]) -> dict[str, int]:
        """Return where the nodes stand that some inputs name, by their names."""
        return places_of({name for text in inputs for name in (text, split(text)[0])}, self.names)

    def _add(self, found: Columns) -> None:
        start = len(self.kinds)
        kinds = self._kinds.of(found.keys, start)
        if not self._kinds.are_plain:
            self._odd += [place for place, kind in enumerate(kinds, start) if not kind.is_plain]
        if self._are_spelled_well:
            self._are_spelled_well = _spelled_well(found.names)
        if not self._are_wired(found, kinds, start):
            self._wire_each(found, kinds, start)
        self._ends.tie_nearby(found.names, kinds, start)
        self._types.update(zip(found.names, [kind.gives for kind in kinds], strict=True))
        self.kinds += kinds
        self.names += found.names

    # Wires

    def _are_wired(self, found: Columns, kinds: Sequence[Kind], start: int) -> bool:
        """Tell whether all nodes have as many inputs as they should, and note those that are loose ends.

        The types that inputs have and should have are two rows that are compared in step. That the nodes before a node
        are known, and those behind it are not, is as setting the type of one yields what stands at the end of its
        inputs: nothing.
        """
        takes = [kind.takes for kind in kinds]
        size = sum(map(len, takes)) + len(takes)
        if len(found.inputs) > size:
            found = self._without_controls(found, start)
        if len(found.inputs) != size:
            return False
        if len(self._nearby) > _NEARBY:
            self._nearby.clear()
        self._nearby[found.end] = None
        named = zip(map(self._nearby.__setitem__, found.names, [kind.gives for kind in kinds]))
        behind = zip(named, chain(takes[1:], ((),)), strict=True)
        wanted = chain(takes[0], chain.from_iterable(chain.from_iterable(behind)))
        fits = list(map(eq, map(self._nearby.get, found.inputs, repeat(_ABSENT)), wanted))
        return all(fits) or self._are_loose(found, takes, start, list(map(not_, fits)))

    def _are_loose(self, found: Columns, takes: Sequence[tuple[str, ...]], start: int, bad: list[bool]) -> bool:
        """Tell whether the inputs that do not fit stand where inputs should, and note which are loose ends."""
        wanted = list(compress(chain.from_iterable(chain.from_iterable(zip(takes, repeat((NOTHING,))))), bad))
        inputs = list(compress(found.inputs, bad))
        if found.end in inputs or NOTHING in wanted:
            return False
        are_loose = list(map(ne, map(self._types.get, inputs), wanted))
        if any(are_loose):
            places = [start + at for at in compress(found.takers(), bad)]
            self._ends.add(*(compress(column, are_loose) for column in (places, inputs, wanted)))
        return True

    def _without_controls(self, found: Columns, start: int) -> Columns:
        """Return nodes without control inputs, if these stand behind the others, and note those that are loose ends."""
        inputs = found.inputs
        if found.end is None:
            return found
        are_controls = list(map(str.startswith, inputs, repeat("^")))
        if not {text[:1] for text in compress(inputs[1:], are_controls)} <= {"", "^"}:
            return found  # a control input before a data input, which no importer takes
        controls = [text[1:] for text in compress(inputs, are_controls)]
        are_loose = [name not in self._types for name in controls]
        places = [start + at for at in compress(found.takers(), are_controls)]
        self._ends.add(compress(places, are_loose), compress(controls, are_loose), repeat(CONTROL, sum(are_loose)))
        return found.only(list(map(not_, are_controls)))

    def _wire_each(self, found: Columns, kinds: Sequence[Kind], start: int) -> None:
        """Look at the inputs of one node after the other."""
        types: dict[str | None, str | None] = {}
        for place, (name, kind, inputs) in enumerate(zip(found.names, kinds, found.rows(), strict=True), start):
            takes, controls = kind.takes, inputs[len(kind.takes) :]
            if len(inputs) < len(takes) or not all(text[:1] == "^" for text in controls):
                self._ends.unsure.add(place)
            else:
                loose = [pair for pair in zip(inputs, takes, strict=False) if types.get(pair[0]) != pair[1]]
                loose += [(text[1:], CONTROL) for text in controls if text[1:] not in types]
                self._ends.add(repeat(place, len(loose)), *zip(*loose, strict=True) if loose else ((), ()))
            types[name] = kind.gives


def _spelled_well(names: Sequence[str]) -> bool:
    """Tell whether every release takes names: those with other characters are looked at one by one."""
    if "" in names or not set(map(itemgetter(0), names)) <= set(_LETTERS):
        return False
    # All names are one text: one deletion of what is allowed leaves the line breaks between them, or more.
    return "\n".join(names).encode("utf-8", "replace").translate(None, _NAME) == b"\n" * (len(names) - 1)
