"""A GraphDef, binary or text: the nodes and functions of a graph, frozen or not."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.saved.graphs import reading
from opspec_lint.models.format import ModelFormat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.frameworks.tensorflow.saved.graphs.stored import StoredGraph
    from opspec_lint.models.format import Candidate
    from opspec_lint.models.model import Model


def claims(candidate: Candidate) -> bool:
    """Tell whether a file holds a GraphDef: its first node has a name and an op."""
    if not candidate.is_file:
        return False
    return reading.text_kind(candidate.head) == "GraphDef" or reading.is_graph(candidate.view)


def read(candidate: Candidate) -> Model[StoredGraph]:
    """Return the model of a GraphDef.

    Raises:
        InputError: the file cannot be read.
    """
    from opspec_lint.frameworks.tensorflow.saved.graphs import describe, feeds, sizes
    from opspec_lint.models.model import Details, Model

    graph, whole = _stored(candidate)
    meta = describe.of_graph(graph)
    return Model(
        file=candidate.path,
        meta_graphs=(meta.replace(examine=lambda: Details(signatures=feeds.signatures(graph))),),
        remarks=(describe.BARE,),
        look=lambda: describe.denied([meta]),
        measure=lambda: sizes.sizes([graph], whole),
        content=graph,
    )


def _stored(candidate: Candidate) -> tuple[StoredGraph, int]:
    """Return a graph and how many bytes its file has."""
    from opspec_lint.frameworks.tensorflow.saved.graphs.stored import StoredGraph
    from opspec_lint.models.byte_source import ByteSource, FileBytes

    path = candidate.path
    if reading.text_kind(candidate.head) == "GraphDef":
        data = candidate.take()
        return StoredGraph(ByteSource(reading.as_bytes("GraphDef", data, path)), path), len(data)
    content = FileBytes(path)
    return StoredGraph(content, path), content.size


MODEL_FORMAT = ModelFormat(summary="TensorFlow's GraphDef, binary or text", claims=claims, read=read)
