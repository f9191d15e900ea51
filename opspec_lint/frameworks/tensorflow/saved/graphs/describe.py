"""Conversion of TensorFlow's graphs and meta graphs to the model that `show` prints for every framework."""

from __future__ import annotations

from functools import lru_cache
from operator import itemgetter

from opspec_lint.frameworks.tensorflow.extract.messages import data_type, python_name
from opspec_lint.frameworks.tensorflow.extract.plain_messages import set_fields
from opspec_lint.frameworks.tensorflow.saved.graph_messages import parse_or_empty
from opspec_lint.frameworks.tensorflow.saved.graphs import attrs, defaults, variables
from opspec_lint.frameworks.tensorflow.saved.graphs.nodes import named_functions
from opspec_lint.frameworks.tensorflow.saved.graphs.variables import shape_sizes
from opspec_lint.models.model import Asset, Details, Graph, MetaGraph, Node, Nodes, Signature, Sketch, Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

_ASSETS = "saved_model_assets"
_DENIED = frozenset(("ReadFile", "WriteFile", "PrintV2"))
"""The ops that `saved_model_cli scan` reports (python/tools/saved_model_cli.py)."""


def _wrap_nodes(nodes: Sequence[Any]) -> Nodes:
    """Wrap NodeDefs, so that each is converted when it is accessed."""
    return Nodes(nodes, _describe_node, _op_name, _Sketches().sketch)


class _Sketches:
    """Makes sketches of the nodes of one graph: name, inputs, and called functions."""

    def __init__(self) -> None:
        # Parsing attrs is the slow part: the first node of an op decides whether nodes of this op name functions.
        self._calls: dict[str, bool] = {}

    def sketch(self, node: Any, _: int) -> Sketch:
        """Return the sketch of a node; the index of the node is not needed."""
        calls = self._called_functions(node) if self._calls.get(node.op, True) else ()
        return Sketch(name=node.name, takes=tuple(node.input), calls=calls)

    def _called_functions(self, node: Any) -> tuple[str, ...]:
        # A protobuf map has no order: two writers of one graph may store its entries differently.
        values = attrs.read(attrs.strip_tensors(node.attr))
        functions = tuple(named_functions({name: values[name] for name in sorted(values)}))
        self._calls.setdefault(node.op, bool(functions))
        return functions


def _op_name(node: Any) -> str:
    name: str = node.op
    return name


def _describe_node(node: Any, _: int) -> Node:
    """Return a NodeDef as a node of the common model."""
    return Node(
        name=node.name,
        op=node.op,
        inputs=(("", tuple(node.input)),),
        attrs=dict(sorted(map(_parse_attr, attrs.strip_tensors(node.attr)), key=itemgetter(0))),
        device=node.device,
    )


# Most nodes have attrs with the same bytes as many others, such as `T` of floats.
@lru_cache(maxsize=1 << 12)
def _parse_attr(entry: bytes) -> tuple[str, dict[str, Any]]:
    """Return name and plain value of an attr entry."""
    ((name, value),) = attrs.read((entry,)).items()
    return name, set_fields(value)


def describe_graph(graph: Any) -> MetaGraph:
    """Return a GraphDef as a meta graph without tags and signatures; its library functions are further graphs."""
    functions = (
        Graph(name=function.signature.name, nodes=_wrap_nodes(function.node_def)) for function in graph.library.function
    )
    has_versions = graph.HasField("versions")
    return MetaGraph(
        producer=graph.versions.producer if has_versions else graph.version,
        min_consumer=graph.versions.min_consumer if has_versions else None,
        graphs=(Graph(name="", nodes=_wrap_nodes(graph.node)), *functions),
    )


def describe_details(meta: Any) -> Details:
    """Return saver and strippable attrs of a meta graph; the caller adds what its object graph says."""
    return Details(
        saver=variables.describe_saver(meta),
        strippable=defaults.strippable(meta.graph_def, meta.meta_info_def.stripped_op_list.op),
    )


def describe_meta_graph(meta: Any) -> MetaGraph:
    """Return a MetaGraphDef as a meta graph of the common model."""
    info = meta.meta_info_def
    return describe_graph(meta.graph_def).replace(
        tags=tuple(sorted(info.tags)),
        written_by=info.tensorflow_version or None,
        strips_defaults=info.stripped_default_attrs,
        listed_ops=tuple(sorted(op.name for op in info.stripped_op_list.op)),
        signatures=tuple(_describe_signature(key, meta.signature_def[key]) for key in sorted(meta.signature_def)),
        variables=tuple(variables.list_variables(meta)),
        assets=tuple(describe_assets(meta)),
        collections={name: _collection_size(meta.collection_def[name]) for name in sorted(meta.collection_def)},
        examine=lambda: describe_details(meta),
    )


BARE_GRAPH_REMARK = "a bare graph has no collections and no saver: it can be run, but not trained further"
"""The remark on a GraphDef that no meta graph contains."""


def denylist_remarks(metas: Iterable[MetaGraph]) -> tuple[str, ...]:
    """Return a remark for each set of ops that `saved_model_cli scan` reports, without repetitions."""
    denied_ops = [sorted({op for graph in meta.graphs for op in graph.distinct_ops()} & _DENIED) for meta in metas]
    ops = dict.fromkeys(", ".join(names) for names in denied_ops if names)
    return tuple(f"saved_model_cli scan denies {names}, which read or write files or print" for names in ops)


def _collection_size(collection: Any) -> int:
    which = collection.WhichOneof("kind")
    return 0 if which is None else len(getattr(collection, which).value)


def _describe_signature(key: str, signature: Any) -> Signature:
    """Return a SignatureDef as a signature of the common model."""
    return Signature(
        key=key,
        inputs=_tensors(signature.inputs),
        outputs=_tensors(signature.outputs),
        method=signature.method_name,
        defaults=_defaults(signature) if signature.defaults else {},
    )


def _defaults(signature: Any) -> dict[str, str]:
    from opspec_lint.frameworks.tensorflow.saved.graphs.constants import python_text

    return {key: python_text(signature.defaults[key]) for key in sorted(signature.defaults)}


def _tensors(infos: Mapping[str, Any]) -> dict[str, Tensor]:
    return {key: describe_tensor(infos[key]) for key in sorted(infos)}


def describe_tensor(info: Any) -> Tensor:
    """Return a TensorInfo as a tensor; a sparse tensor has the name of the tensor of its values."""
    which = info.WhichOneof("encoding")
    name = info.name  # "" for a composite tensor
    if which == "coo_sparse":
        name = info.coo_sparse.values_tensor_name
    return Tensor(
        name=name,
        dtype=python_name(data_type(info.dtype)),
        shape=shape_sizes(info.tensor_shape),
        encoding=which or "name",
        code=info.dtype,
    )


def describe_assets(meta: Any) -> list[Asset]:
    """Return the asset files that a meta graph lists, in its field `asset_file_def` or in a collection."""
    return [_describe_asset(asset) for asset in meta.asset_file_def] or _collected_assets(meta)


def _describe_asset(asset: Any, *, is_collected: bool = False) -> Asset:
    return Asset(file=asset.filename, tensor=asset.tensor_info.name, is_collected=is_collected)


def _collected_assets(meta: Any) -> list[Asset]:
    """Return the assets in the collection `saved_model_assets`, where SavedModels of TensorFlow 1 have them."""
    if _ASSETS not in meta.collection_def:
        return []
    # The collection holds Any messages, whose value is a serialized AssetFileDef.
    kept = meta.collection_def[_ASSETS].any_list.value
    return [_describe_asset(parse_or_empty("AssetFileDef", value.value), is_collected=True) for value in kept]
