"""Parsing of the inputs of nodes: "node" and "node:1" are outputs of a node, "^node" is a control dependency."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Wire: TypeAlias = tuple[int | None, int]
    """Index of the node that an input names, None if there is none, and the number of the output, -1 for control."""


_MASK_32 = (1 << 32) - 1
"""Mask of the bits that TensorFlow keeps of the number of an output (`ParseTensorName`, core/graph/tensor_id.cc)."""
# Python refuses to convert very long numbers, and takes quadratic time for long ones.
_MAX_DIGITS = 40


def split_input(text: str) -> tuple[str, int]:
    """Split an input text into node name and number of the output, -1 for a control dependency."""
    if text[:1] == "^":
        return text[1:], -1
    name, colon, index = text.rpartition(":")
    if colon and index.isdecimal() and len(index) < _MAX_DIGITS:
        # TensorFlow lets the number overflow, so that `node:4294967296` is output 0.
        return name, int(index) & _MASK_32
    return text, 0


def input_node(text: str) -> str:
    """Return the name of the node that an input text names."""
    name, _ = split_input(text)
    return name


def resolve_input(text: str, places: dict[str, int]) -> Wire:
    """Return index of the node and number of the output that an input names, by the indexes of nodes."""
    at = places.get(text)  # most inputs are the name of a node alone
    if at is not None:
        return at, 0
    source, index = split_input(text)
    return places.get(source), index
