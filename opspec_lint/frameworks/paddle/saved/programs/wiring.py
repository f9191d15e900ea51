"""The flow of values between the nodes of a block; a variable that is written again is a new value."""

from __future__ import annotations

from functools import cached_property

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


class Wiring:
    """The nodes of a block (BlockDesc), with the writers and readers of their values."""

    def __init__(self, block: Any) -> None:
        self.nodes: Sequence[Any] = block.ops
        self._persistable = {variable.name for variable in block.vars if variable.persistable}
        self._readers: list[list[int]] = []
        self._writers: list[dict[bytes, int]] = []
        last: dict[bytes, int] = {}
        for index, node in enumerate(self.nodes):
            inputs = {name for parameter in node.inputs for name in parameter.arguments}
            self._writers.append({name: last[name] for name in inputs if name in last})
            self._readers.append([])
            for writer in set(self._writers[index].values()):
                self._readers[writer].append(index)
            # After the reads: an op that overwrites its input reads the former value.
            last.update((name, index) for parameter in node.outputs for name in parameter.arguments)

    def writer(self, index: int, name: bytes) -> int | None:
        """Return the index of the node that wrote a variable which a node reads; None if no node of the block did."""
        return self._writers[index].get(name)

    def only_reader(self, index: int) -> int | None:
        """Return the index of the only node that reads the outputs of a node; None if there are none or several."""
        return self._readers[index][0] if len(self._readers[index]) == 1 else None

    def is_constant(self, index: int, name: bytes) -> bool:
        """Return whether a variable that a node reads does not depend on the inputs."""
        writer = self.writer(index, name)
        return name in self._persistable if writer is None else self.constants[writer]

    @cached_property
    def constants(self) -> list[bool]:
        """For each node, whether its outputs do not depend on the inputs."""
        are_constant: list[bool] = []
        for node, writers in zip(self.nodes, self._writers, strict=True):
            inputs = [name for parameter in node.inputs for name in parameter.arguments]
            inputs_are_constant = (
                are_constant[writers[name]] if name in writers else name in self._persistable for name in inputs
            )
            are_constant.append(node.type != b"feed" and all(inputs_are_constant))
        return are_constant


def first_argument(parameters: Any, name: bytes) -> bytes | None:
    """Return the first argument of a parameter of a node; None if it has none."""
    return next(
        (parameter.arguments[0] for parameter in parameters if parameter.parameter == name and parameter.arguments),
        None,
    )
