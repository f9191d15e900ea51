"""What is to be said of a TFLite model, in the words of the model that all frameworks share."""

from __future__ import annotations

from opspec_lint.frameworks.tflite.saved import codes, reading
from opspec_lint.models.model import Graph, MetaGraph, Node, Nodes, Signature, Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from opspec_lint.frameworks.tflite.saved.reading import ModelFile, Subgraph, TensorFile

_NONE = -1
"""The index of a tensor that is not given."""


def of_model(model: ModelFile) -> MetaGraph:
    """Return the description of a model."""
    return MetaGraph(
        written_by=model.description or None,
        producer=model.version,
        graphs=tuple(_graph(model, each, at) for at, each in enumerate(model.subgraphs)),
        signatures=tuple(_signatures(model)),
        variables=tuple(_tensor(each) for graph in model.subgraphs for each in graph.tensors if _is_kept(each)),
        op_versions=dict(sorted((each.name, each.version) for each in model.codes)),
    )


def remarks(model: ModelFile, meta: MetaGraph) -> tuple[str, ...]:
    """Return the remarks for the user of a model who might expect otherwise."""
    said = []
    if model.min_runtime:
        said.append(f"the converter says that the model needs the runtime {model.min_runtime}")
    versions: dict[str, set[int]] = {}
    for each in model.codes:
        versions.setdefault(each.name, set()).add(each.version)
    for name, found in sorted(versions.items()):
        if len(found) > 1:
            said.append(f"{name} is used in the versions {', '.join(map(str, sorted(found)))}")
    used = {op for graph in meta.graphs for op in graph.ops()}
    idle = sorted(f"{each.name} {each.version}" for each in model.codes if each.name not in used)
    if idle:
        said.append(f"no node uses these ops, but a runtime requires them: {', '.join(idle)}")
    return tuple(said)


def _is_kept(tensor: TensorFile) -> bool:
    return tensor.is_variable or tensor.weights > 0


def _graph(model: ModelFile, graph: Subgraph, at: int) -> Graph:
    def op_of(place: int) -> str:
        return _op(model, reading.operator(model.data, place).code)

    def node(place: int, index: int) -> Node:
        found = reading.operator(model.data, place)
        op = _op(model, found.code)
        inputs, outputs = (_names(graph, each) for each in (found.inputs, found.outputs))
        return Node(name=f"{op}#{index}", op=op, inputs=(("", inputs),), outputs=(("", outputs),))

    name = "" if not at else graph.name or f"subgraph {at}"
    return Graph(name=name, nodes=Nodes(graph.operators, node, op_of), state=lambda: _stated(graph))


def _stated(graph: Subgraph) -> dict[str, Tensor]:
    """Return the tensors of a subgraph; of a name that several have which are not alike, nothing but the name."""
    found: dict[str, Tensor] = {}
    for at in range(len(graph.tensors)):
        each = _at(graph, at)
        if found.setdefault(each.name, each) != each:
            found[each.name] = Tensor(name=each.name)
    return found


def _op(model: ModelFile, code: int) -> str:
    return model.codes[code].name if code < len(model.codes) else "?"


def _names(graph: Subgraph, indices: Iterable[int]) -> tuple[str, ...]:
    return tuple("" if at == _NONE else _name(graph.tensors, at) for at in indices)


def _name(tensors: Sequence[TensorFile], at: int) -> str:
    """Return the name of a tensor, its index where it has none."""
    return (tensors[at].name if 0 <= at < len(tensors) else "") or f"%{at}"


def _tensor(found: TensorFile, name: str = "") -> Tensor:
    return Tensor(name=name or found.name, dtype=codes.type_name(found.type), shape=found.shape, code=found.type)


def _signatures(model: ModelFile) -> Iterable[Signature]:
    """Yield the signatures of a model; of one without any, what its first subgraph takes and gives."""
    for each in model.signatures:
        graph = model.subgraphs[each.subgraph] if each.subgraph < len(model.subgraphs) else reading.Subgraph()
        inputs, outputs = ({key: _at(graph, at) for key, at in found} for found in (each.inputs, each.outputs))
        yield Signature(key=each.key, inputs=inputs, outputs=outputs)
    if model.signatures or not model.subgraphs:
        return
    graph = model.subgraphs[0]
    inputs, outputs = (
        {_name(graph.tensors, at): _at(graph, at) for at in found} for found in (graph.inputs, graph.outputs)
    )
    if inputs or outputs:
        yield Signature(key="", inputs=inputs, outputs=outputs)


def _at(graph: Subgraph, at: int) -> Tensor:
    name = _name(graph.tensors, at)
    return _tensor(graph.tensors[at], name) if 0 <= at < len(graph.tensors) else Tensor(name=name)
