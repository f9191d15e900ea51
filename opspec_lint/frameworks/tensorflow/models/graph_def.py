"""A GraphDef, binary or text: the nodes and functions of a graph, frozen or not."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.graphs import describe, reading, sizes
from opspec_lint.models.format import ModelFormat
from opspec_lint.models.model import Model

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.models.format import Candidate

NAME = "graph_def"


def claims(candidate: Candidate) -> bool:
    """Tell whether a file holds a GraphDef: its first node has a name and an op."""
    if not candidate.is_file:
        return False
    return reading.text_kind(candidate.head) == "GraphDef" or reading.is_graph(candidate.view)


def read(candidate: Candidate) -> Model:
    """Return the model of a GraphDef.

    Raises:
        InputError: it cannot be read.
    """
    data = candidate.take()
    graph, whole = reading.read("GraphDef", data, candidate.path), len(data)
    meta = describe.of_graph(graph)
    return Model(
        file=candidate.path,
        framework="tensorflow",
        format=NAME,
        meta_graphs=(meta,),
        remarks=describe.remarks(meta, is_bare=True),
        measure=lambda: sizes.sizes([graph], whole),
        content=graph,
    )


MODEL_FORMAT = ModelFormat(name=NAME, summary="TensorFlow's GraphDef, binary or text", claims=claims, read=read)
