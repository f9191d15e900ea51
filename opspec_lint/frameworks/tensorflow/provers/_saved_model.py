"""Loads SavedModels: what of the prover `v1.saved_model.loader.load` runs in an interpreter with TensorFlow."""

import os
import tempfile
from importlib import import_module


def start() -> str:
    """Import TensorFlow, and return its version."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
    return str(import_module("tensorflow").__version__)


def load(data: bytes) -> "dict[str, str]":
    """Load a SavedModel into a session, and return the attrs that the node `op` has then."""
    v1 = import_module("tensorflow").compat.v1
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "saved_model.pb"), "wb") as stream:
            stream.write(data)
        with v1.Graph().as_default() as graph, v1.Session(graph=graph) as session:
            v1.saved_model.loader.load(session, ["serve"], folder)
            node = graph.get_operation_by_name("op").node_def
    text_format = import_module("google.protobuf.text_format")
    return {name: str(text_format.MessageToString(value, as_one_line=True)) for name, value in node.attr.items()}
