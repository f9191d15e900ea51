"""What a model says of itself, as text for a person."""

from __future__ import annotations

from opspec_lint.kit.text import plural, shorten, wrap
from opspec_lint.models.format import MODEL_FORMATS
from opspec_lint.models.summary import op_counts, structure_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.models.model import Details, Function, MetaGraph, Model, Parameter, Signature, Tensor

_WIDTH = 110
_MOST = 40
"""Tensors or traces of one kind that are listed; `--format json` has all."""
_LONGEST = 600
"""Characters of a text that comes from the model."""


def lines(model: Model) -> Iterator[str]:
    """Yield what a model says of itself, as lines; names in them may have anything that a name can have.

    Raises:
        InputError: a part of it cannot be read.
    """
    yield f"{model.file}: {MODEL_FORMATS.load(model.format).summary}"
    sizes = model.sizes()
    if sizes:
        named = ", ".join(f"{kind.replace('_', ' ')} {count:,}" for kind, count in sizes.items())
        yield from wrap(f"bytes: {named}", width=_WIDTH, indent="  ")
    for meta in model.meta_graphs:
        yield from _meta_graph(meta)
    if model.checkpoint is not None:
        yield from _tensors("checkpoint", model.checkpoint)
        yield from _facts("    ", model.checkpoint_facts)
    for remark in model.all_remarks():
        yield from wrap(f"note: {remark}", width=_WIDTH, indent="  ")


def _meta_graph(meta: MetaGraph) -> Iterator[str]:
    if meta.tags:
        yield f"  tags: {', '.join(meta.tags)}"
    if meta.written_by is not None:
        yield f"  written by: {meta.written_by}"
    if meta.producer is not None:
        least = "" if meta.min_consumer is None else f", for consumers of version {meta.min_consumer} or later"
        yield shorten(f"  graph version: {meta.producer}{least}", _LONGEST)
    if meta.opsets:
        named = ", ".join(f"{name} {version}" for name, version in meta.opsets.items())
        yield from wrap(f"operator sets: {named}", width=_WIDTH, indent="  ")
    if meta.strips_defaults is not None:
        yield f"  attrs at their defaults: {'left out' if meta.strips_defaults else 'written'}"
    yield from _graphs(meta)
    for signature in meta.signatures:
        yield from _signature(signature)
    yield from _tensors("variables", meta.variables)
    if meta.assets:
        yield from wrap(f"assets: {', '.join(each.file for each in meta.assets)}", width=_WIDTH, indent="  ")
    if meta.collections:
        named = ", ".join(f"{name} ({count})" for name, count in meta.collections.items())
        yield from wrap(f"collections: {named}", width=_WIDTH, indent="  ")
    yield from _details(meta.details())


def _details(details: Details) -> Iterator[str]:
    for function in details.functions:
        yield from _function(function)
    if details.saver:
        yield "  saver:"
        yield from _facts("    ", details.saver)
    if details.strippable:
        named = (f"{each.op}.{each.attr} {each.nodes}" for each in details.strippable)
        yield from wrap(f"attrs equal to their defaults: {', '.join(named)}", width=_WIDTH, indent="  ")


def _function(function: Function) -> Iterator[str]:
    parameters = ", ".join(map(_parameter, function.parameters))
    declared = f"({parameters})" if function.parameters else ""
    count = len(function.traces)
    said = plural(count, "trace") if count else "not traced, so it cannot be called"
    yield shorten(f"  function: {function.name}{declared}: {said}", _LONGEST)
    for trace in function.traces[:_MOST]:
        words = structure_words(trace.inputs), structure_words(trace.outputs)
        yield from wrap(" -> ".join(shorten(each, _LONGEST) for each in words), width=_WIDTH, indent="    ")
    if count > _MOST:
        yield f"    and {count - _MOST} more"


def _parameter(parameter: Parameter) -> str:
    star = {"varargs": "*", "varkw": "**"}.get(parameter.kind, "")
    default = "" if parameter.default is None else f"={structure_words(parameter.default)}"
    return f"{star}{parameter.name}{default}"


def _facts(indent: str, facts: Mapping[str, object]) -> Iterator[str]:
    for name, value in facts.items():
        if isinstance(value, dict):
            yield from _facts(indent, value)
        elif value not in ("", None):
            words = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            yield from wrap(f"{name.replace('_', ' ')}: {shorten(words, _LONGEST)}", width=_WIDTH, indent=indent)


def _graphs(meta: MetaGraph) -> Iterator[str]:
    sizes = [len(graph.nodes) for graph in meta.graphs]
    inner = f", and {sum(sizes[1:])} in {plural(len(sizes) - 1, 'function or block')}" if len(sizes) > 1 else ""
    yield f"  nodes: {sizes[0] if sizes else 0}{inner}"
    counts = sorted(op_counts(meta).items(), key=lambda each: (-each[1], each[0]))
    named = (f"{op}{_version(meta, op)} {count}" for op, count in counts)
    yield from wrap(f"ops: {', '.join(named)}", width=_WIDTH, indent="  ")


def _version(meta: MetaGraph, op: str) -> str:
    return f"@{meta.op_versions[op]}" if op in meta.op_versions else ""


def _signature(signature: Signature) -> Iterator[str]:
    method = f" ({signature.method})" if signature.method else ""
    yield f"  signature: {signature.key}{method}" if signature.key else "  signature:"
    for word, tensors in (("in ", signature.inputs), ("out", signature.outputs)):
        for key, each in tensors.items():
            own = "" if each.name == key else f"  {each.name}"
            default = signature.defaults.get(key) if tensors is signature.inputs else None
            behind = "" if default is None else f" = {default}"
            yield f"    {word} {key}: {_type(each)}{behind}{own}"


def _tensors(what: str, tensors: tuple[Tensor, ...]) -> Iterator[str]:
    if not tensors:
        return
    yield f"  {what}: {plural(len(tensors), 'tensor')}"
    for each in tensors[:_MOST]:
        yield f"    {each.name}: {_type(each)}"
    if len(tensors) > _MOST:
        yield f"    and {len(tensors) - _MOST} more"


def _type(tensor: Tensor) -> str:
    shape = "of unknown rank" if tensor.shape is None else shorten(str(list(tensor.shape)), _LONGEST)
    return f"{tensor.dtype} {shape}" if tensor.dtype is not None else "unknown"
