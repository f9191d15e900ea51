"""What a model says of itself as JSON for programs; `specs/show.schema.json` is its schema."""

from __future__ import annotations

import json

from opspec_lint.models.summary import op_counts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from opspec_lint.models.model import MetaGraph, Model, Tensor

VERSION = 1


def render(models: Iterable[Model]) -> str:
    """Return models as JSON text."""
    return json.dumps({"version": VERSION, "models": [_model(each) for each in models]}, indent=1) + "\n"


def _model(model: Model) -> dict[str, Any]:
    return {
        "model": model.file,
        "framework": model.framework,
        "format": model.format,
        "meta_graphs": [_meta_graph(each, model.framework) for each in model.meta_graphs],
        "checkpoint": None
        if model.checkpoint is None
        else [[each.name, _shape(each), each.dtype] for each in model.checkpoint],
        "remarks": list(model.remarks),
    }


def _meta_graph(meta: MetaGraph, framework: str) -> dict[str, Any]:
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
        "signature_def": {
            each.key: {
                "inputs": _tensors(each.inputs),
                "outputs": _tensors(each.outputs),
                "method_name": each.method,
            }
            for each in meta.signatures
        },
        "variables": [[each.name, _shape(each), each.dtype] for each in meta.variables],
        "assets": [[each.tensor, each.file] for each in meta.assets if not each.is_collected],
        "collected_assets": [[each.tensor, each.file] for each in meta.assets if each.is_collected],
        "collections": list(meta.collections),
    }


def _tensors(tensors: Mapping[str, Tensor]) -> dict[str, Any]:
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
