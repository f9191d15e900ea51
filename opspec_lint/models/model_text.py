"""A description of a saved model as text for people: signatures, ops, variables, functions."""

from __future__ import annotations

from opspec_lint.kit.text import plural, shorten, wrap
from opspec_lint.models.format import MODEL_FORMATS
from opspec_lint.models.summary import op_counts, structure_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.models.model import Details, Function, MetaGraph, Model, Parameter, Signature, Tensor

_WIDTH = 110
_MAX_LISTED = 40
"""Tensors or traces of one kind that are listed; `--format json` lists all."""
_MAX_TEXT = 600
"""Characters of a text that comes from the model."""


def model_lines(model: Model) -> Iterator[str]:
    """Yield the description of a model as lines, which may contain control characters from names in the model.

    Raises:
        InputError: a part of the model cannot be read.
    """
    yield f"{model.file}: {MODEL_FORMATS.load(model.format).summary}"
    sizes = model.sizes()
    if sizes:
        named = ", ".join(f"{kind.replace('_', ' ')} {count:,}" for kind, count in sizes.items())
        yield from wrap(f"bytes: {named}", width=_WIDTH, indent="  ")
    for meta in model.meta_graphs:
        yield from _meta_graph_lines(meta)
    if model.checkpoint is not None:
        yield from _tensor_lines("checkpoint", model.checkpoint)
        yield from _fact_lines("    ", model.checkpoint_facts)
    for remark in model.all_remarks():
        yield from wrap(f"note: {remark}", width=_WIDTH, indent="  ")


def _meta_graph_lines(meta: MetaGraph) -> Iterator[str]:
    """Yield the description of one meta graph."""
    if meta.tags:
        yield f"  tags: {', '.join(meta.tags)}"
    if meta.written_by is not None:
        yield f"  written by: {meta.written_by}"
    if meta.producer is not None:
        least = "" if meta.min_consumer is None else f", for consumers of version {meta.min_consumer} or later"
        yield shorten(f"  graph version: {meta.producer}{least}", _MAX_TEXT)
    if meta.opsets:
        named = ", ".join(f"{name} {version}" for name, version in meta.opsets.items())
        yield from wrap(f"operator sets: {named}", width=_WIDTH, indent="  ")
    if meta.strips_defaults is not None:
        yield f"  attrs at their defaults: {'left out' if meta.strips_defaults else 'written'}"
    yield from _graph_lines(meta)
    for signature in meta.signatures:
        yield from _signature_lines(signature)
    yield from _tensor_lines("variables", meta.variables)
    if meta.assets:
        yield from wrap(f"assets: {', '.join(asset.file for asset in meta.assets)}", width=_WIDTH, indent="  ")
    if meta.collections:
        named = ", ".join(f"{name} ({count})" for name, count in meta.collections.items())
        yield from wrap(f"collections: {named}", width=_WIDTH, indent="  ")
    yield from _details_lines(meta.details())


def _details_lines(details: Details) -> Iterator[str]:
    """Yield the functions, the saver and the strippable attrs of a meta graph."""
    for function in details.functions:
        yield from _function_lines(function)
    if details.saver:
        yield "  saver:"
        yield from _fact_lines("    ", details.saver)
    if details.strippable:
        named = (f"{strippable.op}.{strippable.attr} {strippable.nodes}" for strippable in details.strippable)
        yield from wrap(f"attrs equal to their defaults: {', '.join(named)}", width=_WIDTH, indent="  ")


def _function_lines(function: Function) -> Iterator[str]:
    """Yield the signature and the traces of a function that callers can call."""
    parameters = ", ".join(map(_parameter_text, function.parameters))
    declared = f"({parameters})" if function.parameters else ""
    count = len(function.traces)
    count_text = plural(count, "trace") if count else "not traced, so it cannot be called"
    yield shorten(f"  function: {function.name}{declared}: {count_text}", _MAX_TEXT)
    for trace in function.traces[:_MAX_LISTED]:
        structures = structure_text(trace.inputs), structure_text(trace.outputs)
        yield from wrap(
            " -> ".join(shorten(structure, _MAX_TEXT) for structure in structures), width=_WIDTH, indent="    "
        )
    if count > _MAX_LISTED:
        yield f"    and {count - _MAX_LISTED} more"


def _parameter_text(parameter: Parameter) -> str:
    """Return a parameter as Python writes it, such as `x=1` or `*args`."""
    star = {"varargs": "*", "varkw": "**"}.get(parameter.kind, "")
    default = "" if parameter.default is None else f"={structure_text(parameter.default)}"
    return f"{star}{parameter.name}{default}"


def _fact_lines(indent: str, facts: Mapping[str, object]) -> Iterator[str]:
    """Yield named values, one per line; nested mappings are flattened."""
    for name, value in facts.items():
        if isinstance(value, dict):
            yield from _fact_lines(indent, value)
        elif value not in ("", None):
            text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            yield from wrap(f"{name.replace('_', ' ')}: {shorten(text, _MAX_TEXT)}", width=_WIDTH, indent=indent)


def _graph_lines(meta: MetaGraph) -> Iterator[str]:
    """Yield the number of nodes and of each op in a meta graph."""
    sizes = [len(graph.nodes) for graph in meta.graphs]
    inner = f", and {sum(sizes[1:])} in {plural(len(sizes) - 1, 'function or block')}" if len(sizes) > 1 else ""
    yield f"  nodes: {sizes[0] if sizes else 0}{inner}"
    counts = sorted(op_counts(meta).items(), key=lambda item: (-item[1], item[0]))
    named = (f"{op}{_version_suffix(meta, op)} {count}" for op, count in counts)
    yield from wrap(f"ops: {', '.join(named)}", width=_WIDTH, indent="  ")


def _version_suffix(meta: MetaGraph, op: str) -> str:
    """Return the version of an op as `@3`, or "" if the file states none."""
    return f"@{meta.op_versions[op]}" if op in meta.op_versions else ""


def _signature_lines(signature: Signature) -> Iterator[str]:
    """Yield the inputs and outputs of a signature with their types and defaults."""
    method = f" ({signature.method})" if signature.method else ""
    yield f"  signature: {signature.key}{method}" if signature.key else "  signature:"
    for side, tensors in (("in ", signature.inputs), ("out", signature.outputs)):
        for key, tensor in tensors.items():
            own = "" if tensor.name == key else f"  {tensor.name}"
            default = signature.defaults.get(key) if tensors is signature.inputs else None
            behind = "" if default is None else f" = {default}"
            yield f"    {side} {key}: {_type_text(tensor)}{behind}{own}"


def _tensor_lines(title: str, tensors: tuple[Tensor, ...]) -> Iterator[str]:
    """Yield the number and the types of named tensors."""
    if not tensors:
        return
    yield f"  {title}: {plural(len(tensors), 'tensor')}"
    for tensor in tensors[:_MAX_LISTED]:
        yield f"    {tensor.name}: {_type_text(tensor)}"
    if len(tensors) > _MAX_LISTED:
        yield f"    and {len(tensors) - _MAX_LISTED} more"


def _type_text(tensor: Tensor) -> str:
    """Return dtype and shape of a tensor as text."""
    shape = "of unknown rank" if tensor.shape is None else shorten(str(list(tensor.shape)), _MAX_TEXT)
    return f"{tensor.dtype} {shape}" if tensor.dtype is not None else "unknown"
