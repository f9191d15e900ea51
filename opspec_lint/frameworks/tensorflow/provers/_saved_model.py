"""The end of the program of a prover: appended to `_import_graph_def`, its `open_session` loads a SavedModel."""

import os
import tempfile
from contextlib import contextmanager
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


@contextmanager
def open_session(data: bytes) -> "Iterator[Any]":
    """Yield a session into which a SavedModel was loaded."""
    v1 = import_module("tensorflow").compat.v1
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "saved_model.pb"), "wb") as stream:
            stream.write(data)
        with v1.Graph().as_default() as graph, v1.Session(graph=graph) as session:
            v1.saved_model.loader.load(session, ["serve"], folder)
            yield session
