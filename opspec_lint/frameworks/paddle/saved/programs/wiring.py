"""Who reads what a node of a block writes: a variable that is written again is another value from then on."""

from __future__ import annotations

from functools import cached_property

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


class Wiring:
    """The nodes of a block, and the values that go from one to another.

    Args:
        block: a BlockDesc.
    """

    def __init__(self, block: Any) -> None:
        self.nodes: Sequence[Any] = block.ops
        self._kept = {each.name for each in block.vars if each.persistable}
        self._readers: list[list[int]] = []
        self._writers: list[dict[bytes, int]] = []
        last: dict[bytes, int] = {}
        for place, node in enumerate(self.nodes):
            taken = {name for each in node.inputs for name in each.arguments}
            self._writers.append({name: last[name] for name in taken if name in last})
            self._readers.append([])
            for at in set(self._writers[place].values()):
                self._readers[at].append(place)
            last.update((name, place) for each in node.outputs for name in each.arguments)

    def writer(self, place: int, name: bytes) -> int | None:
        """Return the place of the node that wrote a variable which a node reads, None where none of the block did."""
        return self._writers[place].get(name)

    def only_reader(self, place: int) -> int | None:
        """Return the place of the one node that reads what a node writes, None where it is none or several."""
        return self._readers[place][0] if len(self._readers[place]) == 1 else None

    def is_constant(self, place: int, name: bytes) -> bool:
        """Tell whether a variable that a node reads does not depend on what is fed."""
        at = self.writer(place, name)
        return name in self._kept if at is None else self.constants[at]

    @cached_property
    def constants(self) -> list[bool]:
        """Whether what each node writes does not depend on what is fed."""
        found: list[bool] = []
        for node, writers in zip(self.nodes, self._writers, strict=True):
            taken = [name for each in node.inputs for name in each.arguments]
            known = (found[writers[name]] if name in writers else name in self._kept for name in taken)
            found.append(node.type != b"feed" and all(known))
        return found


def argument(parameters: Any, name: bytes) -> bytes | None:
    """Return the first argument of an input or output of a node, None where it has none."""
    return next((each.arguments[0] for each in parameters if each.parameter == name and each.arguments), None)
