"""Kinds of nodes: nodes with the same op, attrs and device, which are checked once.

A graph of a million nodes has some hundred kinds. Nodes are grouped by their bytes without name and inputs; what makes
nodes unequal without an effect on their check is removed first: elements of tensors, and the attr `_class`.
"""

from __future__ import annotations

from itertools import compress, count, islice, repeat
from operator import is_

from opspec_lint.frameworks.tensorflow.saved.graphs.tensor_stripping import strip_tensors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from opspec_lint.frameworks.tensorflow.saved.graphs.colocation import Colocation
    from opspec_lint.frameworks.tensorflow.saved.graphs.nodes import CheckedNode
    from opspec_lint.spec.fact import Fact

_LONG, _MOST = 4096, 20_000
"""Size in bytes up to which the kind of a node key is cached, and the number of cached keys."""
_FEW = 64
"""Outputs of a node that inputs are looked up in by suffix, such as `:1`; others are checked by `wiring`."""
NO_TYPE = "(nothing)"
"""In place of the type of an output that does not exist or whose type is unknown."""


class NodeKind:
    """The result of checking a node without its inputs, shared by all nodes with equal op, attrs and device.

    - `checked`, `faults`: the check, None if nothing declares the op, and the faults it leads to
    - `inputs`, `outputs`: data types, None if unknown; `known_inputs` is () then; `row` has them behind None
    - `first_output`: type of output 0; `by_suffix`: types by the text after the node name in an input, "" or ":1"
    - `is_plain`: there is nothing to report about the node itself
    """

    __slots__ = (
        "by_suffix",
        "checked",
        "device",
        "faults",
        "first_output",
        "has_unknown",
        "inputs",
        "is_plain",
        "known_inputs",
        "op",
        "outputs",
        "row",
    )

    def __init__(self, op: str, checked: CheckedNode | None, faults: tuple[Fact, ...], device: str = "") -> None:
        self.op = op
        self.checked = checked
        self.faults = faults
        self.device = device
        self.inputs = None if checked is None else checked.inputs
        self.outputs = None if checked is None else checked.outputs
        self.known_inputs = self.inputs or ()
        self.row = (None, *self.known_inputs)
        self.first_output = self.outputs[0] if self.outputs else NO_TYPE
        self.by_suffix = {f":{at}": dtype for at, dtype in enumerate((self.outputs or ())[:_FEW])} | {
            "": self.first_output
        }
        self.has_unknown = checked is not None and bool(checked.unknown)
        self.is_plain = checked is not None and not (faults or device or checked.functions)


class Kinds:
    """Groups the nodes of one graph into kinds.

    Args:
        make: checks a node by its key and returns the kind.
        colocation: removes the attr `_class` from keys, and collects its content.
    """

    def __init__(self, make: Callable[[bytes], NodeKind], colocation: Colocation) -> None:
        self._make = make
        self._colocation = colocation
        self._by_key: dict[bytes, NodeKind] = {}
        self._by_stripped_key: dict[bytes, NodeKind] = {}
        self.are_plain = True
        """True as long as every kind is plain."""

    def classify(self, keys: Sequence[bytes], start: int) -> list[NodeKind]:
        """Return the kind of each node of a batch, by node keys; `start` is the index of the first one in the graph."""
        # Mapping a method of dict runs in C: no step of Python per node if all keys are known.
        kinds: list[Any] = list(map(self._by_key.get, keys))
        if None not in kinds:
            return kinds
        missing = list(compress(count(), map(is_, kinds, repeat(None))))
        bare = self._colocation.strip([keys[at] for at in missing], [start + at for at in missing])
        new = dict.fromkeys(bare)
        for key in self._by_key.keys() & new.keys():
            del new[key]
        made = dict(zip(new, self._make_kinds(list(new)), strict=True))
        for at, key in zip(missing, bare, strict=True):
            kinds[at] = made[key] if key in made else self._by_key[key]
        self._by_key.update(self._cacheable(made.items()))
        return kinds

    def _make_kinds(self, keys: Sequence[bytes]) -> list[NodeKind]:
        """Return the kinds of keys that are not cached; keys that differ in tensor elements share one check."""
        stripped = strip_tensors(keys)
        for stripped_key in dict.fromkeys(stripped):
            if stripped_key not in self._by_stripped_key:
                self._by_stripped_key[stripped_key] = self._make(stripped_key)
        kinds = [self._by_stripped_key[key] for key in stripped]
        if any(kind.has_unknown for kind in kinds):
            # An unknown attr may equal its default, which can be a tensor: that takes the elements.
            kinds = [self._make(key) if kind.has_unknown else kind for key, kind in zip(keys, kinds, strict=True)]
        self.are_plain = self.are_plain and all(kind.is_plain for kind in kinds)
        return kinds

    def _cacheable(self, made: Iterable[tuple[bytes, NodeKind]]) -> Iterable[tuple[bytes, NodeKind]]:
        """Return the new keys that may be cached: short ones, as long as the cache is not full."""
        short = ((key, kind) for key, kind in made if len(key) <= _LONG)
        return islice(short, max(0, _MOST - len(self._by_key)))
