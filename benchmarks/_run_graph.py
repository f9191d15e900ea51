"""Imports a graph and runs its node: what of `drawn_models --run` runs in an interpreter with TensorFlow."""

import os
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SHAPE = (2, 3)


def start() -> str:
    """Import TensorFlow, and return its version."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
    return str(import_module("tensorflow").__version__)


def load(data: bytes) -> "dict[str, str]":
    """Import a graph, feed ones to its placeholders, and return what the outputs of the node `op` are."""
    tf, numpy = import_module("tensorflow"), import_module("numpy")
    v1 = tf.compat.v1
    graph_def = v1.GraphDef()
    graph_def.ParseFromString(data)
    with v1.Graph().as_default() as graph:
        v1.import_graph_def(graph_def, name="")
        outputs = graph.get_operation_by_name("op").outputs
        told = {}
        try:
            feeds = {
                node.outputs[0]: fed(numpy, node.outputs[0].dtype)
                for node in graph.get_operations()
                if node.type == "Placeholder"
            }
            wanted = [output for output in outputs if output.dtype.name not in ("resource", "variant", "string")]
            with v1.Session(graph=graph) as session:
                first, second = (session.run(wanted or graph.get_operation_by_name("op"), feeds) for _ in range(2))
            for number, result in enumerate(first or []):
                said = text(numpy, result)
                if said == text(numpy, second[number]):  # or it is drawn, or memory that nobody wrote to
                    told[str(number)] = said
        except Exception as error:  # a kernel that does not run is the same on both sides, or is told
            told = {"error": type(error).__name__}
    return told


def fed(numpy: "Any", kind: "Any") -> "Any":
    """Return ones of a type; what cannot be fed is an error."""
    if kind.name == "string":
        return numpy.full(SHAPE, b"a", dtype=object)
    return numpy.ones(SHAPE, dtype=kind.as_numpy_dtype)


def text(numpy: "Any", result: "Any") -> str:
    """Return a result as text: its type, its shape and its elements."""
    array = numpy.asarray(result)
    elements = array.ravel().view(array.real.dtype) if array.dtype.kind == "c" else array.ravel()
    return " ".join([str(array.dtype), str(array.shape).replace(" ", ""), *map(str, elements.tolist()[:200])])
