"""The program of the prover `import_graph_def`, which imports and runs GraphDefs in an interpreter with TensorFlow."""

import os
from contextlib import contextmanager
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

SHAPE = (2, 3)
MOST = 200
"""Elements of a result up to which it is compared."""


def start() -> str:
    """Import TensorFlow, and return its version."""
    # No log lines, and no GPU: a result must not depend on the hardware.
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
    return str(import_module("tensorflow").__version__)


def load(data: bytes) -> "dict[str, str]":
    """Import a model, and return the attrs of its node `op` as TensorFlow filled them in."""
    text_format = import_module("google.protobuf.text_format")
    with open_session(data) as session:
        node = session.graph.get_operation_by_name("op").node_def
    return {name: str(text_format.MessageToString(value, as_one_line=True)) for name, value in node.attr.items()}


def run(data: bytes) -> "dict[str, str]":
    """Run the node `op` of a model twice, and return the results that are equal, by output number."""
    with open_session(data) as session:
        operations = session.graph.get_operations()
        feeds = {
            operation.outputs[0]: test_tensor(operation.outputs[0].dtype)
            for operation in operations
            if operation.type == "Placeholder"
        }
        node = session.graph.get_operation_by_name("op")
        results = [output for output in node.outputs if output.dtype.name not in ("resource", "variant", "string")]
        # A result that differs between two runs is random, and says nothing about the op.
        first, second = ([result_text(output) for output in session.run(results, feeds)] for _ in range(2))
        if not results:
            session.run(node, feeds)
    return {str(number): result for number, result in enumerate(first) if result == second[number]}


@contextmanager
def open_session(data: bytes) -> "Iterator[Any]":
    """Yield a session with the imported graph."""
    v1 = import_module("tensorflow").compat.v1
    graph_def = v1.GraphDef()
    graph_def.ParseFromString(data)
    with v1.Graph().as_default() as graph:
        v1.import_graph_def(graph_def, name="")
        with v1.Session(graph=graph) as session:
            yield session


def test_tensor(kind: "Any") -> "Any":
    """Return a tensor of dtype `kind` to feed; raises TypeError for resource and variant dtypes."""
    numpy = import_module("numpy")
    if kind.name == "string":
        return numpy.full(SHAPE, b"a", dtype=object)
    if kind.name in ("resource", "variant"):
        raise TypeError(f"an input of type {kind.name} cannot be fed")
    return numpy.ones(SHAPE, dtype=kind.as_numpy_dtype)


def result_text(result: "Any") -> str:
    """Return a result as text: dtype, shape and the first 200 elements."""
    array = import_module("numpy").asarray(result)
    elements = array.ravel().view(array.real.dtype) if array.dtype.kind == "c" else array.ravel()
    return " ".join([str(array.dtype), str(array.shape).replace(" ", ""), *map(str, elements.tolist()[:MOST])])
