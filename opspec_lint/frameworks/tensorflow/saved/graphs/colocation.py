"""The attr `_class`: beside which nodes a node has to stand.

It differs from node to node and changes nothing else of what is said of one. So it is cut off before nodes are told
apart by their bytes; what is left is the same for many.
"""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.saved.graph_messages import message
from opspec_lint.frameworks.tensorflow.saved.graphs import attrs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence
    from typing import Any

_CLASS = b"\x0a\x06_class"
"""How an entry of the map of attrs begins whose key is `_class`."""
_BEFORE, _ATTR = 2, 0x2A
"""What stands before such an entry, if it is short: the number of the field, and how long the entry is."""
_LENGTHS = {size: bytes((0x12, size - 10, 0x0A, size - 12, 0x12, size - 14)) for size in range(14, 0x80)}
"""What follows in an entry of so many bytes, if its value is a list of one text: how long value, list and text are."""
_TEXT = len(_CLASS) + 6
"""Where that text begins."""
_COLOCATED = b"loc:@"


class Colocation:
    """What the nodes of a graph say in their attr `_class`."""

    def __init__(self) -> None:
        self._places: list[int] = []
        self._texts: set[bytes] = set()
        self._heads: set[bytes] = set()

    def cut(self, keys: Sequence[bytes], places: Iterable[int]) -> list[bytes]:
        """Return nodes without their attr `_class`, and note what it says.

        Args:
            keys: op, device and attrs of each, as a NodeDef without name and inputs.
            places: where each stands in the graph.

        Raises:
            InputError: an attr cannot be decoded.
        """
        bare = list(keys)
        for number, (key, place) in enumerate(zip(keys, places, strict=True)):
            if _CLASS in key:
                bare[number] = self._cut_out(key) or self._left_out(key)
                self._places.append(place)
        return bare

    def astray(self, nodes: Sequence[Any], known: Container[str]) -> Mapping[int, tuple[str, ...]]:
        """Return beside which nodes some have to stand that are not there, by the places of those that say so.

        Args:
            nodes: the nodes of the graph.
            known: the names of the nodes that are there.
        """
        missing = {name for name in _names(self._texts) if name not in known}
        if not missing:
            return {}
        said = ((place, _names(_texts(nodes[place].attr))) for place in self._places)
        found = ((place, tuple(name for name in names if name in missing)) for place, names in said)
        return {place: names for place, names in found if names}

    def _cut_out(self, key: bytes) -> bytes | None:
        """Return a node without its attr `_class`, None where that is not one short field with one text.

        That a field begins there is seen once for all nodes that say the same before it: protobuf reads that to its
        end.
        """
        at = key.index(_CLASS)
        head, length = key[: max(0, at - _BEFORE)], key[at - 1]
        end = at + length
        if key[at + len(_CLASS) : at + _TEXT] != _LENGTHS.get(length) or end > len(key) or _CLASS in key[end:]:
            return None
        if key[at - _BEFORE] != _ATTR or not self._is_whole(head):
            return None
        self._texts.add(key[at + _TEXT : end])
        return head + key[end:]

    def _is_whole(self, head: bytes) -> bool:
        if head not in self._heads and head and _decoded(head) is not None:
            self._heads.add(head)
        return head in self._heads

    def _left_out(self, key: bytes) -> bytes:
        """Return the same of any node, from its message."""
        node = _decoded(key)
        if node is None:
            return key
        entries = list(node.attr)
        self._texts.update(_texts(entries))
        node.ClearField("attr")
        node.attr.extend(each for each in entries if not each.startswith(_CLASS))
        data: bytes = node.SerializeToString()
        return data


def _texts(entries: Iterable[bytes]) -> Sequence[bytes]:
    """Return the texts of the attr `_class`, by the entries of a map of attrs.

    Raises:
        InputError: the attrs cannot be decoded.
    """
    found = attrs.read(each for each in entries if each.startswith(_CLASS)).get("_class")
    return found.list.s if found is not None and found.WhichOneof("value") == "list" else ()


def _names(texts: Iterable[bytes]) -> list[str]:
    """Return the nodes that some texts of the attr name."""
    return [each[len(_COLOCATED) :].decode("utf-8", "replace") for each in texts if each.startswith(_COLOCATED)]


def _decoded(data: bytes) -> Any:
    from google.protobuf.message import DecodeError

    try:
        return message("RawNodeDef").FromString(data)
    except DecodeError:
        return None
