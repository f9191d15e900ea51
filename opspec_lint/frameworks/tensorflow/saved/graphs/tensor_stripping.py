"""Removal of tensor elements from nodes, so that constants that differ only in their elements are equal bytes.

Protobuf does the work: the nodes are parsed as BriefGraphDef, a message of `graph.proto` without fields for elements.
"""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.saved.graph_messages import message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def strip_tensors(nodes: Sequence[bytes]) -> Sequence[bytes]:
    """Return serialized NodeDefs whose tensors keep only dtype and shape; unchanged if any cannot be decoded."""
    from google.protobuf.message import DecodeError

    row = message("FramedGraphDef")(node=nodes).SerializeToString()
    try:
        # BriefGraphDef skips elements as unknown bytes and would accept damaged ones; GraphDef does not.
        message("GraphDef").FromString(row)
        stripped = message("BriefGraphDef").FromString(row)
    except DecodeError:
        return nodes
    stripped.DiscardUnknownFields()
    return list(message("FramedGraphDef").FromString(stripped.SerializeToString()).node)
