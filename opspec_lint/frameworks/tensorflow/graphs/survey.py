"""One pass over the nodes of a graph: most are in order, and the others are found for a closer look.

What is done for each node is done for many at once, by loops of the interpreter's own code. An input is looked for
among the nodes that stand before it nearby. The others are loose ends, which are tied when the pass is over.
"""

from __future__ import annotations

from itertools import chain, compress, count, repeat
from operator import and_, eq, is_, itemgetter, lt, not_

from opspec_lint.frameworks.tensorflow.graphs.brief import brief
from opspec_lint.frameworks.tensorflow.graphs.columns import Columns
from opspec_lint.frameworks.tensorflow.graphs.nodes import REF
from opspec_lint.frameworks.tensorflow.graphs.wires import split, wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from opspec_lint.frameworks.tensorflow.graphs.nodes import Checked
    from opspec_lint.models.fault import Fault

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789."
_NAME = (_LETTERS + "_\\/>-").encode()
"""What the name of a node is made of; it begins with one of the letters."""
_LONG, _MOST = 4096, 20_000
"""Bytes of attrs that are not kept to be compared with others, and how many are."""
_ABSENT, _NOTHING = "(absent)", "(nothing)"
"""In place of a type: of a tensor that is not seen, and of one that is not there or whose type cannot be told."""
_CONTROL = "(control)"


class Kind:
    """What there is to say of all nodes of one op with the same attrs, on the same device.

    Args:
        op: the op.
        checked: what there is to say of such a node by itself, None where nothing declares its op.
        faults: what is wrong with it by itself.
        device: the device that it asks for.
        beside: the nodes whose device it asks for.
    """

    __slots__ = ("beside", "checked", "device", "faults", "gives", "inputs", "is_plain", "op", "outputs", "takes")

    def __init__(
        self,
        op: str,
        checked: Checked | None,
        faults: tuple[Fault, ...],
        device: str = "",
        beside: tuple[str, ...] = (),
    ) -> None:
        self.op = op
        self.checked = checked
        self.faults = faults
        self.device = device
        self.beside = beside
        self.inputs = None if checked is None else checked.inputs
        self.outputs = None if checked is None else checked.outputs
        self.takes = self.inputs or ()
        self.gives = self.outputs[0] if self.outputs else _NOTHING
        self.is_plain = checked is not None and not (faults or device or beside or checked.functions)


class Survey:
    """What a pass over the nodes of a graph found.

    Args:
        nodes: the nodes.
        kind_of: returns the kind of a node by the bytes of a NodeDef with its op, its device and its attrs, and
            the same without what tensors hold.
    """

    def __init__(self, nodes: Any, kind_of: Callable[[bytes, bytes], Kind]) -> None:
        self.kinds: list[Kind] = []
        """The kind of each node."""
        self.names: list[str] = []
        """The name of each node."""
        self.odd: list[int] = []
        """The places of the nodes of which there is something to say, or that ask for a device."""
        self._unsure: set[int] = set()
        self._loose: tuple[list[Any], list[Any], list[Any]] = ([], [], [])
        self._known: dict[bytes, Kind] = {}
        self._kind_of = kind_of
        self._has_odd = False
        self._has_controls = False  # among the nodes before; then those that follow are likely to have some too
        self._are_spelled_well = True
        for each in nodes.columns():
            self._add(each)
        self.distinct = frozenset(self.names)
        """All names."""
        self.late: list[tuple[int, int]] = []
        """The wires from behind that fit: the place of the node that takes a tensor, and of the one that gives it."""
        self._tie()
        self.unsure = sorted(self._unsure)
        """The places of the nodes that are not seen to be wired well."""

    @property
    def has_good_names(self) -> bool:
        """Whether no two nodes are called alike, and each has a name that nodes may have."""
        return self._are_spelled_well and len(self.distinct) == len(self.names)

    def ops(self) -> frozenset[str]:
        """Return the ops of the nodes."""
        return frozenset(each.op for each in set(self.kinds))

    def _add(self, found: Columns) -> None:
        start = len(self.kinds)
        kinds = self._kinds_of(found.keys)
        if self._has_odd:
            self.odd += [place for place, kind in enumerate(kinds, start) if not kind.is_plain]
        if self._are_spelled_well:
            self._are_spelled_well = _spelled_well(found.names)
        ways = [self._is_wired, self._is_controlled]
        if self._has_controls:
            ways.reverse()
        way = next((each for each in ways if each(found, kinds, start)), None)
        self._has_controls = way == self._is_controlled
        if way is None:
            self._wire_each(found, kinds, start)
        self.kinds += kinds
        self.names += found.names

    def _kinds_of(self, keys: Sequence[bytes]) -> list[Kind]:
        found = list(map(self._known.get, keys))
        if None not in found:
            return found  # type: ignore[return-value]
        new = list(dict.fromkeys(compress(keys, map(is_, found, repeat(None)))))
        made = dict(zip(new, map(self._kind_of, new, brief(new)), strict=True))
        self._has_odd = self._has_odd or not all(kind.is_plain for kind in made.values())
        self._known.update((key, made[key]) for key in new[: _MOST - len(self._known)] if len(key) <= _LONG)
        return [made[key] if kind is None else kind for key, kind in zip(keys, found, strict=True)]

    # Wires

    def _is_wired(self, found: Columns, kinds: list[Kind], start: int) -> bool:
        """Tell whether all nodes have as many inputs as they should, and note those that do not come from nearby.

        The types that inputs have and should have are two rows that are compared in step. That the nodes before a node
        are known, and those behind it are not, is as setting the type of one yields what stands at the end of its
        inputs: nothing.
        """
        types: dict[str | None, str | None] = {found.end: None}
        named = zip(map(types.__setitem__, found.names, [kind.gives for kind in kinds]))
        takes = [kind.takes for kind in kinds]
        behind = zip(named, chain(takes[1:], ((),)), strict=True)
        wanted = chain(takes[0], chain.from_iterable(chain.from_iterable(behind)))
        fits = list(map(eq, map(types.get, found.inputs, repeat(_ABSENT)), wanted))
        return all(fits) or self._is_loose(found, takes, start, fits)

    def _is_loose(self, found: Columns, takes: list[tuple[str, ...]], start: int, fits: list[bool]) -> bool:
        """Tell whether the inputs that do not fit are at least as many as they should be, and note them."""
        inputs = found.inputs
        wanted = list(chain.from_iterable(chain.from_iterable(zip(takes, repeat((_NOTHING,))))))
        if len(wanted) != len(inputs):
            return False
        places = found.takers(start)
        bad = list(map(not_, fits))
        loose = [list(compress(column, bad)) for column in (places, inputs, wanted)]
        if found.end in loose[1] or _NOTHING in loose[2]:
            return False
        for column, more in zip(self._loose, loose, strict=True):
            column.extend(more)
        return True

    def _is_controlled(self, found: Columns, kinds: list[Kind], start: int) -> bool:
        """Tell whether the nodes are wired but for control inputs, all behind the others, and note those from afar."""
        inputs, end = found.inputs, found.end
        if end is None:
            return False
        are_controls = list(map(str.startswith, inputs, repeat("^")))
        if not any(are_controls) or any(text and text[0] != "^" for text in compress(inputs[1:], are_controls)):
            return False
        data = list(compress(inputs, map(not_, are_controls)))
        if not self._is_wired(Columns(found.names, data, found.keys, end), kinds, start):
            return False
        near = dict(zip(found.names, count(start)))
        for place, text in compress(zip(found.takers(start), inputs, strict=False), are_controls):
            if near.get(text[1:], place) >= place:
                self._loosen(place, text, _CONTROL)
        return True

    def _wire_each(self, found: Columns, kinds: list[Kind], start: int) -> None:
        """Look at the inputs of one node after the other."""
        types: dict[str | None, str] = {}
        texts = iter(found.inputs)
        for place, (name, kind) in enumerate(zip(found.names, kinds, strict=True), start):
            inputs = list(iter(texts.__next__, found.end))
            takes, controls = kind.takes, inputs[len(kind.takes) :]
            if len(inputs) < len(takes) or not all(text[:1] == "^" for text in controls):
                self._unsure.add(place)
            else:
                for text, wanted in zip(inputs, takes, strict=False):
                    if types.get(text) != wanted:
                        self._loosen(place, text, wanted)
                for text in controls:
                    if text[1:] not in types:
                        self._loosen(place, text, _CONTROL)
            types[name] = kind.gives

    def _loosen(self, place: int, text: str, wanted: str) -> None:
        places, texts, types = self._loose
        places.append(place)
        texts.append(text)
        types.append(wanted)

    def _tie(self) -> None:
        """Look for the loose ends among all nodes."""
        if len(self.distinct) < len(self.names):
            self._unsure.update(range(len(self.names)))  # which of those with one name gives a tensor, nobody knows
            return
        places, texts, types = self._loose
        at = list(map(self._places(set(texts)).get, texts, repeat(-1)))
        gives = [*(kind.gives for kind in self.kinds), _ABSENT] if texts else []
        are_tied = map(and_, map(eq, map(gives.__getitem__, at), types), map(lt, at, places))
        rest = list(compress(zip(places, texts, types, strict=True), map(not_, are_tied)))
        named = self.sources(text for _, text, _ in rest)
        for place, text, wanted in rest:
            source = self._source(text, wanted, named)
            if source is None:
                self._unsure.add(place)
            elif source >= place:
                self.late.append((place, source))

    def sources(self, inputs: Iterable[str]) -> dict[str, int]:
        """Return where the nodes stand that some inputs name, by their names."""
        return self._places({name for text in inputs for name in (text, split(text)[0])})

    def _places(self, names: set[str]) -> dict[str, int]:
        """Return where the nodes of some names stand."""
        if not names:
            return {}
        are_meant = list(map(names.__contains__, self.names))
        return dict(zip(compress(self.names, are_meant), compress(range(len(self.names)), are_meant), strict=True))

    def _source(self, text: str, wanted: str, named: dict[str, int]) -> int | None:
        """Return the place of the node that an input comes from, None where that does not give what is wanted."""
        at, index = wire(text, named)
        if at is None:
            return None
        if index < 0 or wanted is _CONTROL:
            return at if index < 0 and wanted is _CONTROL else None
        outputs = self.kinds[at].outputs
        fits = outputs is not None and index < len(outputs) and outputs[index] in (wanted, wanted + REF)
        return at if fits else None


def _spelled_well(names: Sequence[str]) -> bool:
    """Tell whether names have only characters that names of nodes may have."""
    if "" in names or not set(map(itemgetter(0), names)) <= set(_LETTERS):
        return False
    return "\n".join(names).encode("utf-8", "replace").translate(None, _NAME) == b"\n" * (len(names) - 1)
