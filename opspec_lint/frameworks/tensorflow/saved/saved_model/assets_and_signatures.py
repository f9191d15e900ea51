"""The checks of assets and signatures of a SavedModel: asset files exist, signatures name tensors of the graph."""

from __future__ import annotations

from itertools import chain

from opspec_lint.frameworks.tensorflow.saved.graphs import describe
from opspec_lint.models.fault import model_fault, not_fetched, not_followed
from opspec_lint.models.files import file_size, is_file, is_pointer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.frameworks.tensorflow.saved.saved_model.folder import SavedModel
    from opspec_lint.spec.fact import Effect, Fact

_TABLES = ("InitializeTableFromTextFile", "InitializeTableFromTextFileV2")
"""The ops that read an asset when the model is loaded: its initializer runs."""
_READERS = ("ReadFile", "TextLineDataset", "TFRecordDataset", "FixedLengthRecordDataset", "LMDBDataset")
"""Ops that read a file when they run. A model without such an op does not notice that an asset is missing."""


def asset_faults(saved: SavedModel, meta: Any) -> Iterator[Fact]:
    """Yield missing assets of a meta graph, and empty ones that initialize a table."""
    for name in dict.fromkeys(asset.file for asset in describe.describe_assets(meta)):
        path = saved.asset_path(name)
        if not saved.has_inside(path):
            yield not_followed(f"the asset '{name}'", "is outside the model's folder, and is not read")
        elif not is_file(path):
            # Loading runs the initializers of tables; other readers open the file when the graph runs.
            if _uses_any(meta.graph_def, _TABLES):
                yield _asset_fault(name, "is not there")
            elif _uses_any(meta.graph_def, _READERS):
                yield _asset_fault(name, "is not there", "fails_at_run")
        elif is_pointer(path):
            yield not_fetched(path)
        elif not file_size(path) and _uses_any(meta.graph_def, _TABLES):
            yield _asset_fault(name, "is empty, but a table is initialized from it")


def _uses_any(graph: Any, ops: tuple[str, ...]) -> bool:
    """Return whether a graph or one of its functions has a node with one of the ops."""
    bodies = chain.from_iterable(function.node_def for function in graph.library.function)
    return any(node.op in ops for node in chain(graph.node.mentioning(ops), bodies))


def _asset_fault(name: str, problem: str, effect: Effect = "refused") -> Fact:
    return model_fault("model_asset", name, effect, "asset", problem=problem)


def missing_signature_fault(key: str, known: Iterator[str] | list[str]) -> Fact:
    """Return the fault that the requested signature does not exist."""
    problem = f"is not there; there are {', '.join(sorted(known)) or 'none'}"
    remedy = "ask for a signature that is there, or export the model with this one"
    return signature_fault(key, problem, "signature", remedy)


def signature_faults(meta: Any, effect: Effect) -> Iterator[Fact]:
    """Yield signatures with tensors of nodes that the main graph lacks."""
    nodes = meta.graph_def.node
    names = {node.name for node in nodes} if nodes.names is None else nodes.names
    for key in sorted(meta.signature_def):
        signature = meta.signature_def[key]
        for side in (signature.inputs, signature.outputs):
            for name_of_argument in sorted(side):
                name = describe.describe_tensor(side[name_of_argument]).name
                if name and name.split(":")[0] not in names:
                    problem = f"names the tensor '{name}', but the graph has no such node"
                    remedy = f"export the model with '{name}' in its graph, or without that signature"
                    yield signature_fault(key, problem, "signature_tensor", remedy, effect)


def signature_fault(key: str, problem: str, reason: str, remedy: str, effect: Effect = "refused") -> Fact:
    """Return a fault of the signature with this key."""
    return model_fault("model_signature", key, effect, reason, problem=problem, remedy=remedy)
