"""The graphs, signatures and weights of a TFLite model, in the form that all frameworks share."""

from __future__ import annotations

from functools import partial

from opspec_lint.frameworks.tflite.saved import arguments, codes, reading, usage
from opspec_lint.models.model import Graph, MetaGraph, Node, Nodes, Signature, Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from opspec_lint.frameworks.tflite.saved.reading import ModelFile, Subgraph, TensorFile

_NONE = -1
"""The index in place of an omitted optional tensor."""


def describe_model(model: ModelFile) -> MetaGraph:
    """Return the graphs, signatures, weights and op versions of a model."""
    return MetaGraph(
        written_by=model.description or None,
        producer=model.version,
        graphs=tuple(_graph(model, graph, at) for at, graph in enumerate(model.subgraphs)),
        signatures=tuple(_signatures(model)),
        variables=tuple(_tensor(tensor) for graph in model.subgraphs for tensor in graph.tensors if _is_weight(tensor)),
        # Sorted, so that the greatest version of an op with several versions is kept.
        op_versions=dict(sorted((code.name, code.version) for code in model.codes)),
    )


def remarks(model: ModelFile, meta: MetaGraph) -> tuple[str, ...]:
    """Return remarks about a model: the runtime that it needs, ops in several versions, and unused ops."""
    texts = []
    if model.min_runtime:
        texts.append(f"the converter says that the model needs the runtime {model.min_runtime}")
    versions: dict[str, set[int]] = {}
    for code in model.codes:
        versions.setdefault(code.name, set()).add(code.version)
    for name, used_versions in sorted(versions.items()):
        if len(used_versions) > 1:
            texts.append(f"{name} is used in the versions {', '.join(map(str, sorted(used_versions)))}")
    used = {op for graph in meta.graphs for op in graph.ops()}
    # The loader looks up each op code of the list, used or not, so an unused one can stop the model.
    idle = sorted(f"{code.name} {code.version}" for code in model.codes if code.name not in used)
    if idle:
        texts.append(f"no node uses these ops, but a runtime requires them: {', '.join(idle)}")
    return tuple(texts)


def _is_weight(tensor: TensorFile) -> bool:
    """Return whether a tensor has stored data, or is a variable that keeps its value between runs."""
    return tensor.is_variable or tensor.weights > 0


def _graph(model: ModelFile, graph: Subgraph, at: int) -> Graph:
    """Return a subgraph, whose nodes are read from the file when they are used; `at` is its index in the model."""
    nodes = Nodes(graph.operators, partial(_node, model, graph), partial(_op_of_node, model))
    return Graph(name=_graph_name(graph, at), nodes=nodes, state=lambda: _named_tensors(graph))


def _op_of_node(model: ModelFile, place: int) -> str:
    """Return the op of the node at an offset of the file."""
    return _op_name(model, reading.operator(model.data, place).code)


def _node(model: ModelFile, graph: Subgraph, place: int, index: int) -> Node:
    """Return the node at an offset of the file; `index` is its number in the subgraph, which has no names of nodes."""
    operator = reading.operator(model.data, place)
    op = _op_name(model, operator.code)
    run = usage.run_subgraphs(model, operator)
    return Node(
        name=f"{op}#{index}",
        op=op,
        inputs=arguments.named_inputs(op, _tensor_names(graph, operator.inputs)),
        outputs=(("", _tensor_names(graph, operator.outputs)),),
        attrs=arguments.Options(model.data, place),
        calls=tuple(_graph_name(model.subgraphs[number], number) for number in run if number < len(model.subgraphs)),
    )


def _graph_name(graph: Subgraph, at: int) -> str:
    """Return the name of a subgraph: the first one is the model itself; IF, WHILE and signatures run the others."""
    return "" if not at else graph.name or f"subgraph {at}"


def _named_tensors(graph: Subgraph) -> dict[str, Tensor]:
    """Return the tensors of a subgraph by name; of different tensors with one name, a tensor with the name only."""
    tensors: dict[str, Tensor] = {}
    for at in range(len(graph.tensors)):
        tensor = _tensor_at(graph, at)
        # A file refers to tensors by index. Their names are for debugging only (schema.fbs), and need not differ.
        if tensors.setdefault(tensor.name, tensor) != tensor:
            tensors[tensor.name] = Tensor(name=tensor.name)
    return tensors


def _op_name(model: ModelFile, code: int) -> str:
    """Return the name of an op by the index of its code, "?" for one out of range."""
    return model.codes[code].name if code < len(model.codes) else "?"


def _tensor_names(graph: Subgraph, indices: Iterable[int]) -> tuple[str, ...]:
    """Return the names of tensors by index, "" for an omitted one."""
    return tuple("" if at == _NONE else _tensor_name(graph.tensors, at) for at in indices)


def _tensor_name(tensors: Sequence[TensorFile], at: int) -> str:
    """Return the name of a tensor, or `%INDEX` if it has none."""
    return (tensors[at].name if 0 <= at < len(tensors) else "") or f"%{at}"


def _tensor(tensor: TensorFile, name: str = "") -> Tensor:
    """Return a tensor in the shared form."""
    return Tensor(name=name or tensor.name, dtype=codes.type_name(tensor.type), shape=tensor.shape, code=tensor.type)


def _signatures(model: ModelFile) -> Iterable[Signature]:
    """Yield the signatures of a model; without any, the inputs and outputs of its first subgraph."""
    for signature in model.signatures:
        graph = model.subgraphs[signature.subgraph] if signature.subgraph < len(model.subgraphs) else reading.Subgraph()
        inputs, outputs = (
            {key: _tensor_at(graph, at) for key, at in names} for names in (signature.inputs, signature.outputs)
        )
        yield Signature(key=signature.key, inputs=inputs, outputs=outputs)
    if model.signatures or not model.subgraphs:
        return
    graph = model.subgraphs[0]
    inputs, outputs = (
        {_tensor_name(graph.tensors, at): _tensor_at(graph, at) for at in indices}
        for indices in (graph.inputs, graph.outputs)
    )
    if inputs or outputs:
        yield Signature(key="", inputs=inputs, outputs=outputs)


def _tensor_at(graph: Subgraph, at: int) -> Tensor:
    """Return the tensor of an index; of one out of range, only its name."""
    name = _tensor_name(graph.tensors, at)
    return _tensor(graph.tensors[at], name) if 0 <= at < len(graph.tensors) else Tensor(name=name)
