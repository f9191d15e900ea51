"""The model format GraphDef, binary or text: the nodes and functions of a graph, frozen or not."""

from __future__ import annotations

import os

from opspec_lint.frameworks.tensorflow.saved.graphs import recognition
from opspec_lint.models import wire
from opspec_lint.models.format import ModelFormat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.frameworks.tensorflow.saved.graphs.stored import StoredGraph
    from opspec_lint.models.format import Candidate
    from opspec_lint.models.model import Model

_SAVED_MODEL = "saved_model.pb"


def claims(candidate: Candidate) -> bool:
    """Return whether a file looks like a GraphDef: if it has a node, the first one has an op."""
    if not candidate.is_file:
        return False
    # A SavedModel without a schema version begins with field 2, which is the library of functions in a GraphDef.
    if os.path.basename(candidate.path) == _SAVED_MODEL and wire.first_payload(candidate.view, 1) is None:
        return False
    return recognition.text_message_name(candidate.head) == "GraphDef" or recognition.is_graph(candidate.view)


def read(candidate: Candidate) -> Model[StoredGraph]:
    """Read a GraphDef."""
    from opspec_lint.frameworks.tensorflow.saved.graphs import describe, feeds, sizes
    from opspec_lint.models.model import Details, Model

    graph, whole = _open_graph(candidate)
    meta = describe.describe_graph(graph)
    return Model(
        file=candidate.path,
        meta_graphs=(meta.replace(examine=lambda: Details(signatures=feeds.signatures(graph))),),
        remarks=(describe.BARE_GRAPH_REMARK,),
        find_remarks=lambda: describe.denylist_remarks([meta]),
        measure=lambda: sizes.sizes([graph], whole),
        content=graph,
    )


def _open_graph(candidate: Candidate) -> tuple[StoredGraph, int]:
    """Return the graph in a file, and the size of the file."""
    from opspec_lint.frameworks.tensorflow.saved.graphs.stored import StoredGraph
    from opspec_lint.models.byte_source import ByteSource, FileBytes

    path = candidate.path
    if recognition.text_message_name(candidate.head) == "GraphDef":
        data = candidate.take()
        return StoredGraph(ByteSource(recognition.text_to_binary("GraphDef", data, path)), path), len(data)
    content = FileBytes(path)
    return StoredGraph(content, path), content.size


MODEL_FORMAT = ModelFormat(summary="TensorFlow's GraphDef, binary or text", claims=claims, read=read)
