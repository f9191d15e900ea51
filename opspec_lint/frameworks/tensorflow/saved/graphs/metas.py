"""Meta graphs and saved models whose graphs stay where they are stored; the rest of them is decoded."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.saved.graph_messages import message
from opspec_lint.frameworks.tensorflow.saved.graphs.stored import StoredGraph, broken
from opspec_lint.models import wire
from opspec_lint.models.byte_source import ByteSource
from opspec_lint.models.files import BrokenModelError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from opspec_lint.spec.fact import Fact


_NESTED = 2
"""The field of a SavedModel that its meta graphs are in, and that of a MetaGraphDef that its graph is in."""
_MOST = 10_000
"""Fields of a message that are looked at one by one; one that has more is left to protobuf."""


class StoredMeta:
    """A MetaGraphDef with the fields of a RawMetaGraphDef.

    Args:
        content: its bytes.
        file: what an error calls the file.

    Raises:
        DecodeError: the bytes are no MetaGraphDef.
        BrokenModelError: its graph is none.
    """

    def __init__(self, content: ByteSource, file: str) -> None:
        self._rest, graphs = _parted("RawMetaGraphDef", content)
        if self._rest.HasField("graph_def"):
            graphs = [ByteSource(self._rest.graph_def.SerializeToString())]
            self._rest.ClearField("graph_def")
        # a field that occurs several times is one message, of the bytes of all
        one = graphs[0] if len(graphs) == 1 else ByteSource(b"".join(each.read(0, each.size) for each in graphs))
        self.graph_def = StoredGraph(one, file, decodes_nodes=True)
        self.meta_info_def = self._rest.meta_info_def
        self.saver_def = self._rest.saver_def
        self.collection_def = self._rest.collection_def
        self.signature_def = self._rest.signature_def
        self.asset_file_def = self._rest.asset_file_def
        self.object_graph_def = self._rest.object_graph_def
        self.imported: tuple[tuple[Any, ...], Sequence[Fact]] | None = None
        """What the last import of its graph stumbled over, behind what it depends on."""

    def HasField(self, name: str) -> bool:  # noqa: N802 - the name that messages have for it
        """Tell whether it says anything under a name, other than its graph."""
        return bool(self._rest.HasField(name))


def meta_graph(content: ByteSource, file: str) -> StoredMeta:
    """Return a MetaGraphDef.

    Raises:
        BrokenModelError: the bytes are no MetaGraphDef.
    """
    return _guarded("MetaGraphDef", content, file)[0]


def meta_graphs(content: ByteSource, file: str) -> list[StoredMeta]:
    """Return the meta graphs of a SavedModel.

    Raises:
        BrokenModelError: the bytes are no SavedModel.
    """
    return _guarded("SavedModel", content, file)


def _guarded(name: str, content: ByteSource, file: str) -> list[StoredMeta]:
    from google.protobuf.message import DecodeError

    try:
        if name == "MetaGraphDef":
            return [StoredMeta(content, file)]
        rest, metas = _parted("RawSavedModel", content)
        metas += [ByteSource(each.SerializeToString()) for each in rest.meta_graphs]
        return [StoredMeta(each, file) for each in metas]
    except (DecodeError, BrokenModelError):
        raise broken(file, name) from None


def _parted(name: str, content: ByteSource) -> tuple[Any, list[ByteSource]]:
    """Return a message without what stands in its field 2, and that; the whole message where protobuf has to tell.

    Raises:
        DecodeError: the bytes are no such message.
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
