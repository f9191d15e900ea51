"""Imports GraphDefs: what of the prover `import_graph_def` runs in an interpreter with TensorFlow."""

import os
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def start() -> str:
    """Import TensorFlow, and return its version."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
    return str(import_module("tensorflow").__version__)


def load(data: bytes) -> "dict[str, str]":
    """Import a graph, and return the attrs that its nodes have then, those of the node `op`."""
    v1 = import_module("tensorflow").compat.v1
    graph_def = v1.GraphDef()
    graph_def.ParseFromString(data)
    with v1.Graph().as_default() as graph:
        v1.import_graph_def(graph_def, name="")
        node = graph.get_operation_by_name("op").node_def
    return {name: text(value) for name, value in node.attr.items()}


def text(value: "Any") -> str:
    """Return an attr's value as text, the same for the same value."""
    from google.protobuf import text_format

    return str(text_format.MessageToString(value, as_one_line=True))
