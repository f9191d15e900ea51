"""What a model says of itself as JSON for programs; `documents/schemas/show.schema.json` is its schema."""

from __future__ import annotations

import json

from opspec_lint.models.summary import op_counts
from opspec_lint.models.view import View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from opspec_lint.models.model import Details, Function, MetaGraph, Model, Parameter, Structure, Tensor, Trace
    from opspec_lint.models.view import Seen

VERSION = 1


def render(models: Iterable[Seen]) -> str:
    """Return models as JSON text."""
    return json.dumps({"version": VERSION, "models": [_model(each.model) for each in models]}, indent=1) + "\n"


def _model(model: Model) -> dict[str, object]:
    metas = [(each, each.details()) for each in model.meta_graphs]
    return {
        "model": model.file,
        "framework": model.framework,
        "format": model.format,
        "meta_graphs": [_meta_graph(each, details, model.framework) for each, details in metas],
        "signatures": {key: _trace(each) for _, details in metas for key, each in details.traces.items()},
        "functions": {each.name: _function(each) for _, details in metas for each in details.functions},
        "checkpoint": None
        if model.checkpoint is None
        else [[each.name, _shape(each), each.dtype] for each in model.checkpoint],
        "checkpoint_facts": dict(model.checkpoint_facts) or None,
        "bytes": dict(model.sizes()),
        "remarks": list(model.all_remarks()),
    }


def _meta_graph(meta: MetaGraph, details: Details, framework: str) -> dict[str, object]:
    counts = op_counts(meta)
    return {
        "tags": list(meta.tags),
        f"{framework}_version": meta.written_by,
        "producer": meta.producer,
        "min_consumer": meta.min_consumer,
        "stripped_default_attrs": meta.strips_defaults,
        "stripped_op_list": list(meta.listed_ops),
        "nodes": len(meta.graphs[0].nodes) if meta.graphs else 0,
        "functions": max(0, len(meta.graphs) - 1),
        "ops": sorted(counts),
        "op_counts": dict(sorted(counts.items())),
        "op_versions": dict(meta.op_versions),
        "opsets": dict(meta.opsets),
        "signature_def": {
            each.key: {
                "inputs": _tensors(each.inputs),
                "outputs": _tensors(each.outputs),
                "method_name": each.method,
                **({"defaults": dict(each.defaults)} if each.defaults else {}),
            }
            for each in meta.signatures
        },
        "variables": [[each.name, _shape(each), each.dtype] for each in meta.variables],
        "assets": [[each.tensor, each.file] for each in meta.assets if not each.is_collected],
        "collected_assets": [[each.tensor, each.file] for each in meta.assets if each.is_collected],
        "collections": list(meta.collections),
        "collection_sizes": dict(meta.collections),
        "saver_def": details.saver,
        "strippable_attrs": None
        if details.strippable is None
        else [{"op": each.op, "attr": each.attr, "nodes": each.nodes} for each in details.strippable],
    }


def _function(function: Function) -> dict[str, object]:
    bare = {"bare": True} if function.is_bare else {}
    return {
        **bare,
        "parameters": [_parameter(each) for each in function.parameters],
        "concrete_functions": [_trace(each) for each in function.traces],
    }


def _parameter(parameter: Parameter) -> dict[str, object]:
    return {
        "name": parameter.name,
        "kind": parameter.kind,
        "default": None if parameter.default is None else _structure(parameter.default),
    }


def _trace(trace: Trace) -> dict[str, object]:
    return {
        "arg_keywords": None if trace.keywords is None else list(trace.keywords),
        "num_positional_args": trace.positional,
        "inputs": None if trace.inputs is None else _structure(trace.inputs),
        "outputs": None if trace.outputs is None else _structure(trace.outputs),
    }


def _structure(found: Structure) -> dict[str, object]:
    said = {"kind": found.kind, **found.facts}
    if found.items is None:
        return said
    if found.kind in ("dict", "named_tuple"):
        return {**said, "items": {key: _structure(each) for key, each in found.items}}
    return {**said, "items": [_structure(each) for _, each in found.items]}


def _tensors(tensors: Mapping[str, Tensor]) -> dict[str, object]:
    return {
        key: {
            "name": each.name,
            "dtype": each.code,
            "type": each.dtype,
            "shape": _shape(each),
            "encoding": each.encoding,
        }
        for key, each in tensors.items()
    }


def _shape(tensor: Tensor) -> list[int] | None:
    return None if tensor.shape is None else list(tensor.shape)


VIEW = View(render=render)
