"""Descriptions of models as JSON for programs; the schema is `documents/schemas/show.schema.json`."""

from __future__ import annotations

import json

from opspec_lint.models.summary import op_counts
from opspec_lint.models.view import View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from opspec_lint.models.model import Details, Function, MetaGraph, Model, Parameter, Structure, Tensor, Trace
    from opspec_lint.models.view import ShownModel

VERSION = 1


def render(models: Iterable[ShownModel]) -> str:
    """Return descriptions of models as JSON text."""
    return json.dumps({"version": VERSION, "models": [_model(shown.model) for shown in models]}, indent=1) + "\n"


def _model(model: Model) -> dict[str, object]:
    """Return a model as a JSON object."""
    metas = [(meta, meta.details()) for meta in model.meta_graphs]
    return {
        "model": model.file,
        "framework": model.framework,
        "format": model.format,
        "meta_graphs": [_meta_graph(meta, details, model.framework) for meta, details in metas],
        "signatures": {key: _trace(trace) for _, details in metas for key, trace in details.traces.items()},
        "functions": {function.name: _function(function) for _, details in metas for function in details.functions},
        "checkpoint": None
        if model.checkpoint is None
        else [[tensor.name, _shape(tensor), tensor.dtype] for tensor in model.checkpoint],
        "checkpoint_facts": dict(model.checkpoint_facts) or None,
        "bytes": dict(model.sizes()),
        "remarks": list(model.all_remarks()),
    }


def _meta_graph(meta: MetaGraph, details: Details, framework: str) -> dict[str, object]:
    """Return a meta graph as a JSON object."""
    counts = op_counts(meta)
    # The keys are the field names of TensorFlow's MetaGraphDef, which programs that read this output depend on.
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
            signature.key: {
                "inputs": _tensors(signature.inputs),
                "outputs": _tensors(signature.outputs),
                "method_name": signature.method,
                **({"defaults": dict(signature.defaults)} if signature.defaults else {}),
            }
            for signature in meta.signatures
        },
        "variables": [[variable.name, _shape(variable), variable.dtype] for variable in meta.variables],
        "assets": [[asset.tensor, asset.file] for asset in meta.assets if not asset.is_collected],
        "collected_assets": [[asset.tensor, asset.file] for asset in meta.assets if asset.is_collected],
        "collections": list(meta.collections),
        "collection_sizes": dict(meta.collections),
        "saver_def": details.saver,
        "strippable_attrs": None
        if details.strippable is None
        else [{"op": attr.op, "attr": attr.attr, "nodes": attr.nodes} for attr in details.strippable],
    }


def _function(function: Function) -> dict[str, object]:
    """Return a callable function as a JSON object."""
    bare = {"bare": True} if function.is_bare else {}
    return {
        **bare,
        "parameters": [_parameter(parameter) for parameter in function.parameters],
        "concrete_functions": [_trace(trace) for trace in function.traces],
    }


def _parameter(parameter: Parameter) -> dict[str, object]:
    """Return a parameter of a function as a JSON object."""
    return {
        "name": parameter.name,
        "kind": parameter.kind,
        "default": None if parameter.default is None else _structure(parameter.default),
    }


def _trace(trace: Trace) -> dict[str, object]:
    """Return a trace as a JSON object."""
    return {
        "arg_keywords": None if trace.keywords is None else list(trace.keywords),
        "num_positional_args": trace.positional,
        "inputs": None if trace.inputs is None else _structure(trace.inputs),
        "outputs": None if trace.outputs is None else _structure(trace.outputs),
    }


def _structure(structure: Structure) -> dict[str, object]:
    """Return a structure as a JSON object; the items of a tuple or list have no keys."""
    record = {"kind": structure.kind, **structure.facts}
    if structure.items is None:
        return record
    if structure.kind in ("dict", "named_tuple"):
        return {**record, "items": {key: _structure(item) for key, item in structure.items}}
    return {**record, "items": [_structure(item) for _, item in structure.items]}


def _tensors(tensors: Mapping[str, Tensor]) -> dict[str, object]:
    """Return named tensors as a JSON object."""
    return {
        key: {
            "name": tensor.name,
            "dtype": tensor.code,
            "type": tensor.dtype,
            "shape": _shape(tensor),
            "encoding": tensor.encoding,
        }
        for key, tensor in tensors.items()
    }


def _shape(tensor: Tensor) -> list[int] | None:
    """Return the shape of a tensor as a list, None if its rank is unknown."""
    return None if tensor.shape is None else list(tensor.shape)


VIEW = View(render=render)
