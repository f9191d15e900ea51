"""MetaGraphDefs and SavedModels, decoded except for their graphs, which are read from the file when needed."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.saved.graph_messages import message
from opspec_lint.frameworks.tensorflow.saved.graphs.stored import StoredGraph, decode_error
from opspec_lint.models import wire
from opspec_lint.models.byte_source import ByteSource
from opspec_lint.models.files import BrokenModelError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from opspec_lint.spec.fact import Fact


_NESTED = 2
"""The number of the field `meta_graphs` of a SavedModel, and of the field `graph_def` of a MetaGraphDef."""
_MOST = 10_000
"""Fields of a message that are walked in Python; protobuf parses a message with more."""


class StoredMeta:
    """A MetaGraphDef with the fields of the message, where `graph_def` is a StoredGraph.

    Raises DecodeError or BrokenModelError if the bytes are not a MetaGraphDef; `file` is its name in messages.
    """

    def __init__(self, content: ByteSource, file: str) -> None:
        self._rest, graphs = _split_nested("RawMetaGraphDef", content)
        if self._rest.HasField("graph_def"):
            graphs = [ByteSource(self._rest.graph_def.SerializeToString())]
            self._rest.ClearField("graph_def")
        # Protobuf merges a message field that occurs several times, which is parsing the concatenated bytes.
        graph = graphs[0] if len(graphs) == 1 else ByteSource(b"".join(part.read(0, part.size) for part in graphs))
        self.graph_def = StoredGraph(graph, file, decodes_nodes=True)
        self.meta_info_def = self._rest.meta_info_def
        self.saver_def = self._rest.saver_def
        self.collection_def = self._rest.collection_def
        self.signature_def = self._rest.signature_def
        self.asset_file_def = self._rest.asset_file_def
        self.object_graph_def = self._rest.object_graph_def
        self.cached_import: tuple[tuple[Any, ...], Sequence[Fact]] | None = None
        """The faults of the last import of its graph, after the key of this cache entry (`session.import_faults`)."""

    def HasField(self, name: str) -> bool:  # noqa: N802 - the name that messages have for it
        """Return whether a field other than `graph_def` is set, as the method of protobuf messages does."""
        return bool(self._rest.HasField(name))


def meta_graph(content: ByteSource, file: str) -> StoredMeta:
    """Load a MetaGraphDef; malformed bytes raise BrokenModelError."""
    return _parse_metas("MetaGraphDef", content, file)[0]


def meta_graphs(content: ByteSource, file: str) -> list[StoredMeta]:
    """Load the meta graphs of a SavedModel; malformed bytes raise BrokenModelError."""
    return _parse_metas("SavedModel", content, file)


def _parse_metas(name: str, content: ByteSource, file: str) -> list[StoredMeta]:
    """Parse a message named "SavedModel" or "MetaGraphDef" into its meta graphs."""
    from google.protobuf.message import DecodeError

    try:
        if name == "MetaGraphDef":
            return [StoredMeta(content, file)]
        rest, metas = _split_nested("RawSavedModel", content)
        metas += [ByteSource(part.SerializeToString()) for part in rest.meta_graphs]
        return [StoredMeta(part, file) for part in metas]
    except (DecodeError, BrokenModelError):
        raise decode_error(file, name) from None


def _split_nested(name: str, content: ByteSource) -> tuple[Any, list[ByteSource]]:
    """Parse a message without its field 2, and return the bytes of each occurrence of this field separately.

    If the fields cannot be walked, or are too many, the whole message is parsed, and field 2 stays in it.
    """
    # Field 2 is nearly all of the file: weights in its constants, which are never copied into a message.
    data = content.view(0, content.size)
    rest, parts, last = [], [], 0
    try:
        for number, kind, begin, end in wire.fields(data):
            if number == _NESTED and kind == wire.BYTES:
                parts.append(content.part(begin, end))
            else:
                rest.append(bytes(data[last:end]))
            last = end
            if len(rest) + len(parts) > _MOST:
                return message(name).FromString(bytes(data)), []
    except ValueError:
        return message(name).FromString(bytes(data)), []
    return message(name).FromString(b"".join(rest)), parts
