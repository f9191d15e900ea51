"""What is to be said of a graph or a meta graph, in the words of the model that all frameworks share."""

from __future__ import annotations

from functools import lru_cache

from opspec_lint.frameworks.tensorflow.extract.messages import data_type, python_name
from opspec_lint.frameworks.tensorflow.extract.plain_messages import set_fields
from opspec_lint.frameworks.tensorflow.saved.graph_messages import decoded
from opspec_lint.frameworks.tensorflow.saved.graphs import attrs, defaults, variables
from opspec_lint.frameworks.tensorflow.saved.graphs.nodes import functions_named
from opspec_lint.frameworks.tensorflow.saved.graphs.variables import shape
from opspec_lint.models.model import Asset, Details, Graph, MetaGraph, Node, Nodes, Signature, Sketch, Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

_ASSETS = "saved_model_assets"
_DENIED = frozenset(("ReadFile", "WriteFile", "PrintV2"))
"""The ops that `saved_model_cli scan` looks for."""


def _nodes(found: Sequence[Any]) -> Nodes:
    return Nodes(found, _node, _op, _Sketches().sketch)


class _Sketches:
    """The sketches of the nodes of a graph. Attrs are read of ops only that have any whose value is a function."""

    def __init__(self) -> None:
        self._calls: dict[str, bool] = {}

    def sketch(self, node: Any, _: int) -> Sketch:
        calls = self._called(node) if self._calls.get(node.op, True) else ()
        return Sketch(name=node.name, takes=tuple(node.input), calls=calls)

    def _called(self, node: Any) -> tuple[str, ...]:
        found = tuple(functions_named(attrs.read(attrs.short(node.attr))))
        self._calls.setdefault(node.op, bool(found))
        return found


def _op(node: Any) -> str:
    name: str = node.op
    return name


def _node(node: Any, _: int) -> Node:
    return Node(
        name=node.name,
        op=node.op,
        inputs=(("", tuple(node.input)),),
        attrs=dict(map(_attr, attrs.short(node.attr))),
        device=node.device,
    )


@lru_cache(maxsize=1 << 12)
def _attr(entry: bytes) -> tuple[str, dict[str, Any]]:
    """Return an attr as plain values: most nodes have some that many others have, such as `T` of floats."""
    ((name, value),) = attrs.read((entry,)).items()
    return name, set_fields(value)


def of_graph(graph: Any) -> MetaGraph:
    """Return the description of a graph."""
    functions = (Graph(name=each.signature.name, nodes=_nodes(each.node_def)) for each in graph.library.function)
    has_versions = graph.HasField("versions")
    return MetaGraph(
        producer=graph.versions.producer if has_versions else graph.version,
        min_consumer=graph.versions.min_consumer if has_versions else None,
        graphs=(Graph(name="", nodes=_nodes(graph.node)), *functions),
    )


def details(meta: Any) -> Details:
    """Return the details of a meta graph, but for its graph of objects."""
    return Details(
        saver=variables.saver(meta),
        strippable=defaults.strippable(meta.graph_def, meta.meta_info_def.stripped_op_list.op),
    )


def of_meta_graph(meta: Any) -> MetaGraph:
    """Return the description of a meta graph."""
    info = meta.meta_info_def
    return of_graph(meta.graph_def).replace(
        tags=tuple(sorted(info.tags)),
        written_by=info.tensorflow_version or None,
        strips_defaults=info.stripped_default_attrs,
        listed_ops=tuple(sorted(each.name for each in info.stripped_op_list.op)),
        signatures=tuple(_signature(key, meta.signature_def[key]) for key in sorted(meta.signature_def)),
        variables=tuple(variables.listed(meta)),
        assets=tuple(assets(meta)),
        collections={name: _size(meta.collection_def[name]) for name in sorted(meta.collection_def)},
        examine=lambda: details(meta),
    )


BARE = "a bare graph has no collections and no saver: it can be run, but not trained further"
"""What the user of a graph might not expect of one that is all that there is."""


def denied(metas: Iterable[MetaGraph]) -> tuple[str, ...]:
    """Return the remarks on the ops of graphs that their user might not expect, each sentence once."""
    found = [sorted({op for graph in meta.graphs for op in graph.distinct_ops()} & _DENIED) for meta in metas]
    ops = dict.fromkeys(", ".join(each) for each in found if each)
    return tuple(f"saved_model_cli scan denies {each}, which read or write files or print" for each in ops)


def _size(collection: Any) -> int:
    which = collection.WhichOneof("kind")
    return 0 if which is None else len(getattr(collection, which).value)


def _signature(key: str, found: Any) -> Signature:
    return Signature(
        key=key,
        inputs=_tensors(found.inputs),
        outputs=_tensors(found.outputs),
        method=found.method_name,
        defaults=_defaults(found) if found.defaults else {},
    )


def _defaults(found: Any) -> dict[str, str]:
    from opspec_lint.frameworks.tensorflow.saved.graphs.constants import python_text

    return {key: python_text(found.defaults[key]) for key in sorted(found.defaults)}


def _tensors(found: Mapping[str, Any]) -> dict[str, Tensor]:
    return {key: tensor(found[key]) for key in sorted(found)}


def tensor(info: Any) -> Tensor:
    """Return the tensor of a TensorInfo; of a composite one, the name of its first part."""
    which = info.WhichOneof("encoding")
    name = info.name
    if which == "coo_sparse":
        name = info.coo_sparse.values_tensor_name
    return Tensor(
        name=name,
        dtype=python_name(data_type(info.dtype)),
        shape=shape(info.tensor_shape),
        encoding=which or "name",
        code=info.dtype,
    )


def assets(meta: Any) -> list[Asset]:
    """Return the files that a meta graph says are its assets: in its own field, or as TensorFlow 1 in a collection."""
    return [_asset(each) for each in meta.asset_file_def] or _collected_assets(meta)


def _asset(found: Any, *, is_collected: bool = False) -> Asset:
    return Asset(file=found.filename, tensor=found.tensor_info.name, is_collected=is_collected)


def _collected_assets(meta: Any) -> list[Asset]:
    if _ASSETS not in meta.collection_def:
        return []
    kept = meta.collection_def[_ASSETS].any_list.value
    return [_asset(decoded("AssetFileDef", each.value), is_collected=True) for each in kept]
