"""Kinds of nodes: those of one kind differ in their names and inputs, and in what changes nothing of what is said."""

from __future__ import annotations

from itertools import compress, count, islice, repeat
from operator import is_

from opspec_lint.frameworks.tensorflow.saved.graphs.brief import brief

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from opspec_lint.frameworks.tensorflow.saved.graphs.colocation import Colocation
    from opspec_lint.frameworks.tensorflow.saved.graphs.nodes import Checked
    from opspec_lint.spec.fact import Fact

_LONG, _MOST = 4096, 20_000
"""Bytes of a node that is not kept to be compared with others, and how many are."""
_FEW = 64
"""Outputs of a node of which an input is often one."""
NOTHING = "(nothing)"
"""In place of a type: of a tensor that is not there, or whose type cannot be told."""


class Kind:
    """What there is to say of all nodes of one op with the same attrs, on the same device.

    Args:
        op: the op.
        checked: what there is to say of such a node by itself, None where nothing declares its op.
        faults: what is wrong with it by itself.
        device: the device that it asks for.
    """

    __slots__ = (
        "by_suffix",
        "checked",
        "device",
        "faults",
        "gives",
        "has_unknown",
        "inputs",
        "is_plain",
        "op",
        "outputs",
        "takes",
    )

    def __init__(self, op: str, checked: Checked | None, faults: tuple[Fact, ...], device: str = "") -> None:
        self.op = op
        self.checked = checked
        self.faults = faults
        self.device = device
        self.inputs = None if checked is None else checked.inputs
        self.outputs = None if checked is None else checked.outputs
        self.takes = self.inputs or ()
        self.gives = self.outputs[0] if self.outputs else NOTHING
        self.by_suffix = {f":{at}": each for at, each in enumerate((self.outputs or ())[:_FEW])} | {"": self.gives}
        self.has_unknown = checked is not None and bool(checked.unknown)
        self.is_plain = checked is not None and not (faults or device or checked.functions)


class Kinds:
    """The kinds of the nodes of a graph.

    Args:
        make: returns the kind of a node by the bytes of a NodeDef with its op, its device and its attrs.
        colocation: notes what the attr `_class` of nodes says; no kind tells of it.
    """

    def __init__(self, make: Callable[[bytes], Kind], colocation: Colocation) -> None:
        self._make = make
        self._colocation = colocation
        self._known: dict[bytes, Kind] = {}
        self._brief: dict[bytes, Kind] = {}
        self.are_plain = True
        """Whether there is nothing to say of any of them."""

    def of(self, keys: Sequence[bytes], start: int) -> list[Kind]:
        """Return the kinds of nodes.

        Args:
            keys: op, device and attrs of each, as a NodeDef without name and inputs.
            start: the place of the first of them in the graph.
        """
        found: list[Any] = list(map(self._known.get, keys))  # `map` of a method: no step of ours for a node
        if None not in found:
            return found
        missing = list(compress(count(), map(is_, found, repeat(None))))
        bare = self._colocation.cut([keys[at] for at in missing], [start + at for at in missing])
        new = dict.fromkeys(bare)
        for key in self._known.keys() & new.keys():
            del new[key]
        made = dict(zip(new, self._made(list(new)), strict=True))
        for at, key in zip(missing, bare, strict=True):
            found[at] = made[key] if key in made else self._known[key]
        self._known.update(self._kept(made.items()))
        return found

    def _made(self, keys: Sequence[bytes]) -> list[Kind]:
        """Return the kinds of nodes that were not seen before."""
        short = brief(keys)
        for each in dict.fromkeys(short):
            if each not in self._brief:
                self._brief[each] = self._make(each)
        kinds = [self._brief[each] for each in short]
        if any(kind.has_unknown for kind in kinds):  # they may be at a default value that is a tensor
            kinds = [self._make(key) if kind.has_unknown else kind for key, kind in zip(keys, kinds, strict=True)]
        self.are_plain = self.are_plain and all(kind.is_plain for kind in kinds)
        return kinds

    def _kept(self, made: Iterable[tuple[bytes, Kind]]) -> Iterable[tuple[bytes, Kind]]:
        short = (each for each in made if len(each[0]) <= _LONG)
        return islice(short, max(0, _MOST - len(self._known)))
