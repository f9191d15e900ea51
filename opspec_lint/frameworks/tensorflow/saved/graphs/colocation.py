"""The attr `_class` of nodes, a list such as ["loc:@weights"]: the nodes on whose device a node has to be placed.

It names other nodes, so it makes nodes unequal that are otherwise the same. `Colocation` removes it from the bytes
before nodes are grouped by them (`kinds`), and remembers the names to check that such nodes exist.
"""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.saved.graph_messages import message
from opspec_lint.frameworks.tensorflow.saved.graphs import attrs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence
    from typing import Any

_CLASS_ENTRY = b"\x0a\x06_class"
"""First bytes of an attr entry with the key `_class`: field 1, length 6."""
_BEFORE, _ATTR = 2, 0x2A
"""Bytes before a short entry in a NodeDef (a tag and a one-byte length), and the tag of the field `attr`."""
_LENGTHS = {size: bytes((0x12, size - 10, 0x0A, size - 12, 0x12, size - 14)) for size in range(14, 0x80)}
"""By size of an entry, the six bytes after the key if the value is a list of one string: three tags and lengths."""
_TEXT = len(_CLASS_ENTRY) + 6
"""Offset of this string in the entry."""
_COLOCATED = b"loc:@"


class Colocation:
    """The colocations of the nodes of one graph, collected while their attr `_class` is removed."""

    def __init__(self) -> None:
        self._places: list[int] = []
        self._target_texts: set[bytes] = set()
        self._parsed_heads: set[bytes] = set()

    def strip(self, keys: Sequence[bytes], places: Iterable[int]) -> list[bytes]:
        """Return node keys without their attr `_class`, and remember the node names in it.

        Args:
            keys: for each node a serialized NodeDef with op, device and attrs.
            places: the index of each node in the graph.
        """
        bare = list(keys)
        for number, (key, place) in enumerate(zip(keys, places, strict=True)):
            if _CLASS_ENTRY in key:
                bare[number] = self._strip_bytes(key) or self._strip_message(key)
                self._places.append(place)
        return bare

    def missing_colocations(self, nodes: Sequence[Any], known: Container[str]) -> Mapping[int, tuple[str, ...]]:
        """Return the colocation targets that are not nodes of the graph, by the index of the node that names them.

        Args:
            nodes: the nodes of the graph.
            known: the names of all nodes.
        """
        missing = {name for name in _target_names(self._target_texts) if name not in known}
        if not missing:
            return {}
        # Only now are the nodes with a `_class` parsed again: nearly every graph has all targets.
        targets = ((place, _target_names(_target_texts(nodes[place].attr))) for place in self._places)
        missing_targets = ((place, tuple(name for name in names if name in missing)) for place, names in targets)
        return {place: names for place, names in missing_targets if names}

    def _strip_bytes(self, key: bytes) -> bytes | None:
        """Cut the attr `_class` out of a node key; None if it is not one short entry with one string."""
        at = key.index(_CLASS_ENTRY)
        head, length = key[: max(0, at - _BEFORE)], key[at - 1]
        end = at + length
        if (
            key[at + len(_CLASS_ENTRY) : at + _TEXT] != _LENGTHS.get(length)
            or end > len(key)
            or _CLASS_ENTRY in key[end:]
        ):
            return None
        # The bytes of `_class` can also occur inside a string: a field begins here only if protobuf can parse all bytes
        # before it. Few heads are different, so each is parsed once.
        if key[at - _BEFORE] != _ATTR or not self._ends_at_field(head):
            return None
        self._target_texts.add(key[at + _TEXT : end])
        return head + key[end:]

    def _ends_at_field(self, head: bytes) -> bool:
        """Return whether the first bytes of a node key are complete fields."""
        if head not in self._parsed_heads and head and _parse_node(head) is not None:
            self._parsed_heads.add(head)
        return head in self._parsed_heads

    def _strip_message(self, key: bytes) -> bytes:
        """Remove the attr `_class` from a node key of any form, by parsing it."""
        node = _parse_node(key)
        if node is None:
            return key
        entries = list(node.attr)
        self._target_texts.update(_target_texts(entries))
        node.ClearField("attr")
        node.attr.extend(entry for entry in entries if not entry.startswith(_CLASS_ENTRY))
        data: bytes = node.SerializeToString()
        return data


def _target_texts(entries: Iterable[bytes]) -> Sequence[bytes]:
    """Return the strings of the attr `_class` among the attr entries of a node."""
    value = attrs.read(entry for entry in entries if entry.startswith(_CLASS_ENTRY)).get("_class")
    return value.list.s if value is not None and value.WhichOneof("value") == "list" else ()


def _target_names(texts: Iterable[bytes]) -> list[str]:
    """Return the node names in strings such as "loc:@weights"; other strings do not colocate."""
    return [text[len(_COLOCATED) :].decode("utf-8", "replace") for text in texts if text.startswith(_COLOCATED)]


def _parse_node(data: bytes) -> Any:
    """Parse a node key, None if it is malformed."""
    from google.protobuf.message import DecodeError

    try:
        return message("RawNodeDef").FromString(data)
    except DecodeError:
        return None
