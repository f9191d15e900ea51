"""Nodes without what their tensors hold: constants that differ in their elements alone are one kind of node."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.saved.graph_messages import message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def brief(nodes: Sequence[bytes]) -> Sequence[bytes]:
    """Return NodeDefs of which each tensor has its type and its shape alone; as they are where any cannot be decoded.

    Args:
        nodes: op, device and attrs of each, as a NodeDef without name and inputs.
    """
    from google.protobuf.message import DecodeError

    row = message("FramedGraphDef")(node=nodes).SerializeToString()
    try:
        message("GraphDef").FromString(row)  # a tensor whose elements are damaged is no tensor
        found = message("BriefGraphDef").FromString(row)
    except DecodeError:
        return nodes
    found.DiscardUnknownFields()
    return list(message("FramedGraphDef").FromString(found.SerializeToString()).node)
