"""Imports and runs GraphDefs: what of the prover `import_graph_def` an interpreter with TensorFlow executes."""

import os
from contextlib import contextmanager
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

SHAPE = (2, 3)
MOST = 200
"""Elements of a result that are compared."""


def start() -> str:
    """Import TensorFlow, and return its version."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
    return str(import_module("tensorflow").__version__)


def load(data: bytes) -> "dict[str, str]":
    """Load a model, and return the attrs that its node `op` has then."""
    text_format = import_module("google.protobuf.text_format")
    with opened(data) as session:
        node = session.graph.get_operation_by_name("op").node_def
    return {name: str(text_format.MessageToString(value, as_one_line=True)) for name, value in node.attr.items()}


def run(data: bytes) -> "dict[str, str]":
    """Run the node `op` of a model twice, and return those of its results that are the same."""
    with opened(data) as session:
        operations = session.graph.get_operations()
        feeds = {each.outputs[0]: fed(each.outputs[0].dtype) for each in operations if each.type == "Placeholder"}
        node = session.graph.get_operation_by_name("op")
        wanted = [each for each in node.outputs if each.dtype.name not in ("resource", "variant", "string")]
        first, second = ([text(each) for each in session.run(wanted, feeds)] for _ in range(2))
        if not wanted:
            session.run(node, feeds)
    return {str(number): one for number, one in enumerate(first) if one == second[number]}


@contextmanager
def opened(data: bytes) -> "Iterator[Any]":
    """Yield a session whose graph was imported."""
    v1 = import_module("tensorflow").compat.v1
    graph_def = v1.GraphDef()
    graph_def.ParseFromString(data)
    with v1.Graph().as_default() as graph:
        v1.import_graph_def(graph_def, name="")
        with v1.Session(graph=graph) as session:
            yield session


def fed(kind: "Any") -> "Any":
    """Return values of a type for an input; what cannot be fed is an error."""
    numpy = import_module("numpy")
    if kind.name == "string":
        return numpy.full(SHAPE, b"a", dtype=object)
    if kind.name in ("resource", "variant"):
        raise TypeError(f"an input of type {kind.name} cannot be fed")
    return numpy.ones(SHAPE, dtype=kind.as_numpy_dtype)


def text(result: "Any") -> str:
    """Return a result as text: its type, its shape and its elements."""
    array = import_module("numpy").asarray(result)
    elements = array.ravel().view(array.real.dtype) if array.dtype.kind == "c" else array.ravel()
    return " ".join([str(array.dtype), str(array.shape).replace(" ", ""), *map(str, elements.tolist()[:MOST])])
