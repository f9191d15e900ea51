"""One pass over the nodes of a graph: most are in order, and the others are found for a closer look.

Graphs have hundreds of thousands of nodes, of which most are like many others. So what a node is by itself is found
once for each op and bytes of attrs, and that it is wired well is seen from the types that the nodes before it give.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from opspec_lint.frameworks.tensorflow.graphs.nodes import Checked
    from opspec_lint.models.fault import Fault

_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789."
_NAME = _LETTERS + b"_\\/>-"
"""What the name of a node is made of; it begins with one of the letters."""
_LONG = 4096
"""Bytes of an attr that is not kept to be compared with others."""


class Kind:
    """What there is to say of all nodes of one op with the same attrs.

    Args:
        checked: what there is to say of such a node by itself, None where nothing declares its op.
        faults: what is wrong with it by itself.
    """

    def __init__(self, checked: Checked | None, faults: tuple[Fault, ...]) -> None:
        self.checked = checked
        self.faults = faults
        self.inputs = None if checked is None else checked.inputs
        self.outputs = None if checked is None else checked.outputs
        self.first_output = self.outputs[0] if self.outputs else None
        self.is_plain = checked is not None and not (faults or checked.functions or "_class" in checked.attrs)


class Survey:
    """What a pass over the nodes of a graph found.

    Args:
        nodes: the nodes.
        kind_of: returns the kind of a node by its op and its attrs.
    """

    def __init__(self, nodes: Iterable[Any], kind_of: Callable[[str, tuple[bytes, ...]], Kind]) -> None:
        self.kinds: list[Kind] = []
        """The kind of each node."""
        self.odd: list[int] = []
        """The places of the nodes of which there is something to say, or that ask for a device."""
        self.unsure: list[int] = []
        """The places of the nodes that are not seen to be wired well, to nodes before them."""
        self.types: dict[str, str | None] = {}
        """The type of the first output of each node by name, None where it has none or it cannot be told."""
        self._go(nodes, kind_of)

    @property
    def has_good_names(self) -> bool:
        """Whether no two nodes are called alike, and each has a name that nodes may have."""
        firsts = "".join([name[:1] for name in self.types]).encode("utf-8", "replace")
        rest = "".join(self.types).encode("utf-8", "replace")
        is_one_each = len(self.types) == len(self.kinds) and "" not in self.types
        return is_one_each and not firsts.translate(None, _LETTERS) and not rest.translate(None, _NAME)

    def _go(self, nodes: Iterable[Any], kind_of: Callable[[str, tuple[bytes, ...]], Kind]) -> None:
        known: dict[tuple[str | bytes, ...], Kind] = {}
        types, kinds = self.types, self.kinds
        type_of = types.get
        for node in nodes:
            key = (node.op, *node.attr)
            kind = known.get(key)
            if kind is None:
                kind = kind_of(node.op, key[1:])
                if max(map(len, key)) <= _LONG:
                    known[key] = kind
            if tuple(map(type_of, node.input)) != kind.inputs:
                self.unsure.append(len(kinds))
            if not kind.is_plain or node.device:
                self.odd.append(len(kinds))
            kinds.append(kind)
            types[node.name] = kind.first_output
