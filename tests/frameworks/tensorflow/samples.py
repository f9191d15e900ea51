"""Samples of TensorFlow for the tests of all frameworks (`tests/support/per_framework.py`)."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.support.models import tensorflow_models, tensorflow_texts
from tests.support.released_specs import released
from tests.support.trees import tensorflow_trees

FOREIGN = "dispensable|duplicable|extra|quant|intermediate|op versions?|checkpoints?|variables?|Paddle|slim"
WRITERS = {
    "tensorflow@2.12.1": ("graph_def", "import_graph_def"),
    "tensorflow@2.18.1": ("saved_model", "v1.saved_model.loader.load"),
}
WRITTEN = {
    "graph.pb": tensorflow_texts.graph_def,
    "saved_model.pb": tensorflow_texts.saved_model,
    ".index": tensorflow_texts.checkpoint,
}


def kinds():
    return {"tensorflow": (released("tensorflow-1.15.0"), released("tensorflow-2.18.1"))}


def models():
    x = tensorflow_models.placeholder()
    graph = tensorflow_models.graph(x, tensorflow_models.node("y", "Pool", "x", T=tensorflow_models.FLOAT, k=2))
    meta = tensorflow_models.meta_graph(graph, "serve", restores=["w"])
    weights = [("w", tensorflow_models.FLOAT, [2], bytes(8))]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        tensorflow_models.saved_model(place / "saved", meta)
        tensorflow_models.bundle(place / "saved" / "variables" / "variables", weights)
        files = {str(path.relative_to(place)): path.read_bytes() for path in place.rglob("*") if path.is_file()}
    return {
        "graph_def": ("m.pb", {"m.pb": graph.SerializeToString()}),
        "meta_graph": ("m.meta", {"m.meta": meta.SerializeToString()}),
        "saved_model": ("saved", _beginning_with(".pb", files)),
        "tensorflow_checkpoint": ("saved/variables/variables", _beginning_with(".index", files)),
    }


def _beginning_with(suffix, files):
    return dict(sorted(files.items(), key=lambda item: not item[0].endswith(suffix)))


def tree(parts):
    files = tensorflow_trees.of_parts(parts)
    return None if files is None else ("tensorflow-source", files)


def release():
    return tensorflow_models.release()
