"""The program that verifiers run in an interpreter with TensorFlow: a function per loader that loads a whole model.

A verifier appends the line `load_path = FUNCTION` to this text.
"""

import os
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def start() -> str:
    """Import TensorFlow, and return its version."""
    # No log lines, and no GPU: a verdict must not depend on the hardware.
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
    return str(import_module("tensorflow").__version__)


def tensorflow() -> "Any":
    """Return the imported framework."""
    return import_module("tensorflow")


def import_graph_def(path: str) -> "dict[str, str]":
    """Import a GraphDef, binary or text."""
    v1 = tensorflow().compat.v1
    graph_def = v1.GraphDef()
    with open(path, "rb") as stream:
        data = stream.read()
    if path.endswith(".pbtxt"):
        import_module("google.protobuf.text_format").Parse(data, graph_def)
    else:
        graph_def.ParseFromString(data)
    with v1.Graph().as_default():
        v1.import_graph_def(graph_def, name="")
    return {}


def saved_model__load(path: str) -> "dict[str, str]":
    """Load a SavedModel as objects."""
    tensorflow().saved_model.load(model_folder(path))
    return {}


def v1__saved_model__loader__load(path: str) -> "dict[str, str]":
    """Load the only meta graph of a SavedModel into a session, or the one with the tag "serve"."""
    v1 = tensorflow().compat.v1
    metas = [list(meta.meta_info_def.tags) for meta in parse_saved_model(model_folder(path)).meta_graphs]
    tags = metas[0] if len(metas) == 1 else ["serve"]
    with v1.Graph().as_default() as graph, v1.Session(graph=graph) as session:
        v1.saved_model.loader.load(session, tags, model_folder(path))
    return {}


def parse_saved_model(path: str) -> "Any":
    """Parse the SavedModel in a folder, binary or text."""
    message = import_module("tensorflow.core.protobuf.saved_model_pb2").SavedModel()
    file = os.path.join(path, "saved_model.pb")
    if os.path.exists(file):
        with open(file, "rb") as stream:
            message.ParseFromString(stream.read())
    else:
        with open(file + "txt", encoding="utf-8") as stream:
            import_module("google.protobuf.text_format").Parse(stream.read(), message)
    return message


def v1__train__import_meta_graph(path: str) -> "dict[str, str]":
    """Import a MetaGraphDef, and restore the checkpoint with the same name, if there is one."""
    v1 = tensorflow().compat.v1
    prefix = path[: -len(".meta")] if path.endswith(".meta") else path
    with v1.Graph().as_default() as graph:
        saver = v1.train.import_meta_graph(path)
        if saver is not None and os.path.exists(prefix + ".index"):
            with v1.Session(graph=graph) as session:
                saver.restore(session, prefix)
    return {}


def train__load_checkpoint(path: str) -> "dict[str, str]":
    """Read all tensors of a checkpoint."""
    prefix = path[: -len(".index")] if path.endswith(".index") else path
    reader = tensorflow().train.load_checkpoint(prefix)
    for name in reader.get_variable_to_shape_map():
        reader.get_tensor(name)
    return {}


def keras__models__load_model(path: str) -> "dict[str, str]":
    """Load a SavedModel with Keras."""
    tensorflow().keras.models.load_model(model_folder(path))
    return {}


def model_folder(path: str) -> str:
    """Return the folder of a SavedModel, which may be given by its file."""
    return path if os.path.isdir(path) else os.path.dirname(path)
