"""`onnxruntime.InferenceSession`: versions, names, nodes and types, and a kernel for each node.

It takes `ai.onnx` for the default domain, and the newest version of a domain that it knows and that a model does not
import. It orders nodes itself, has the checker of its onnx look at each one, checks types, and puts the body of a
function in the place of each call (core/graph/model.cc, graph.cc; measured with 1.16.3 to 1.32.0 on the CPU). What a
kernel says to values and shapes when it is made, and shape inference, is not part of any schema.
"""

from __future__ import annotations

from math import prod

from opspec_lint.frameworks.onnx.identity import DEFAULT, family, shown
from opspec_lint.frameworks.onnx.saved.files.messages import text
from opspec_lint.frameworks.onnx.saved.files.nodes import kind_name
from opspec_lint.frameworks.onnx.saved.files.reading import RAW_DATA, qualified, tensor
from opspec_lint.frameworks.onnx.saved.judging import advice, conformity, well_formed
from opspec_lint.frameworks.onnx.saved.judging.calls import bound_to_call, order
from opspec_lint.frameworks.onnx.saved.judging.faults import of_model, of_node
from opspec_lint.frameworks.onnx.saved.judging.graphs import Graphs, Scope
from opspec_lint.frameworks.onnx.saved.judging.place import Release, embedded_onnx, release_version
from opspec_lint.frameworks.onnx.saved.judging.recursion import Calls
from opspec_lint.frameworks.onnx.saved.judging.running import Kernels, runs
from opspec_lint.frameworks.onnx.saved.judging.types import Types, constant_type, stored_type, type_text
from opspec_lint.models.files import BrokenModelError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from opspec_lint.frameworks.onnx.saved.files.nodes import OnnxNode
    from opspec_lint.frameworks.onnx.saved.files.reading import GraphFile, Initializer, ModelFile
    from opspec_lint.frameworks.onnx.saved.judging.place import Place
    from opspec_lint.models.model import Model
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec

_SAME = {DEFAULT: ""}
_CONSTANT = "Constant"
_NEWEST = 1 << 31
"""A version of a domain that stands for the newest."""
_GRAPHS_RETURN = {"If": 0, "Loop": 1, "Scan": 0}
"""Ops that return what the graphs in them return, each with the outputs of these that come before."""
_ATTRIBUTES_ONCE_SINCE = 16
"""The onnx 1.MINOR of the releases (1.18) from which on a node may not state an attribute twice."""
_SINGLE_OUTPUT_SINCE = (1, 19)
"""The release from which on a constant has one output."""


def faults_of(model: Model[ModelFile], spec: Spec) -> Iterator[Fact]:
    """Yield what stops the model.

    Raises:
        BrokenModelError: a node cannot be decoded.
    """
    yield from _Session(model.content, spec, model.file).faults()


class _Session:
    def __init__(self, model: ModelFile, spec: Spec, file: str) -> None:
        self._model = model
        self._spec = spec
        self._file = file
        self._ir_version = model.ir_version or 0
        self._onnx = embedded_onnx(spec)
        self._limits = _limits(spec)
        assumed = {"" if domain == DEFAULT else domain: version for domain, version in self._limits.items()}
        self._release = Release(spec, _SAME, assumed if model.opsets else None)
        self._imports = self._release.imports(model.opsets)
        self._graphs = Graphs(model)
        self._calls = Calls(model)
        self._kernels = Kernels()
        self._path: list[str] = []

    def faults(self) -> Iterator[Fact]:
        yield from self._header()
        for graph in self._model.graphs:
            self._calls.enter(graph, self._places(graph, self._imports))
        for number in self._graphs.functions.values():
            yield from self._function_header(self._model.graphs[number])
        yield from self._calls.refused_by_session(self._spec)
        if self._graphs.main is not None and self._model.opsets:
            main = self._model.graphs[self._graphs.main]
            yield from self._main(main)
            yield from self._graph(self._graphs.main, self._imports, None, Types(main))

    def _header(self) -> Iterator[Fact]:
        if self._graphs.main is None:
            yield of_model("model_header", "graph", "parse", "it has no graph")
        if not self._model.opsets:
            yield of_model("model_header", "opset_import", "opset", "it imports no opset", advice.add_import(""))
        version, most = self._ir_version, self._spec.loading.get("ir_version")
        if self._model.ir_version is None:
            yield of_model(
                "model_graph_version", "ir_version", "ir_version", "has no IR version", advice.state_ir_version()
            )
        elif type(most) is int and version > most:
            yield advice.ir_version_too_high(self._model, version, most, self._limits.get(DEFAULT, _NEWEST))
        yield from self._over_limit(self._model.opsets, "imports")

    def _over_limit(self, opsets: tuple[tuple[str, int], ...], verb: str) -> Iterator[Fact]:
        """Yield the imports of versions that the release does not take."""
        for domain, opset in dict.fromkeys((_SAME.get(domain, domain), version) for domain, version in opsets):
            limit = self._limits.get(shown(domain))
            if limit is not None and opset > limit:
                yield advice.opset_too_high(self._model, shown(domain), opset, limit, verb)

    def _function_header(self, function: GraphFile) -> Iterator[Fact]:
        """Yield what the schema refuses that is made of each function, called or not (function_utils.cc)."""
        label = f"the function '{function.name}'"
        yield from self._over_limit(function.opsets or (), f"has {label}, which imports")
        imports = self._release.imports(function.opsets or ())
        places = self._places(function, imports)
        own = {_SAME.get(domain, domain) for domain, _ in function.opsets or ()}
        for place in places:
            domain = _SAME.get(place.node.domain, place.node.domain)
            if domain not in own and self._called(place.node) is None:
                problem = f"{label} uses the domain {shown(domain)}, and does not import it"
                yield of_model("model_header", shown(domain), "opset", problem, advice.add_import(domain))
                return
        yield from (fault for place in places for fault in _too_many_inputs(place))
        made = {name for place in places for name in (*place.node.inputs, *place.node.outputs)}
        for name in function.results:
            if name not in made:
                problem = f"no node of {label} has its output '{name}'"
                yield of_model("model_header", name, "dangling", problem)

    def _called(self, node: OnnxNode) -> int | None:
        """Return the place of the function that a node calls, None for an op."""
        domain = _SAME.get(node.domain, node.domain)
        return self._graphs.functions.get(qualified(domain, node.op, node.overload))

    def _places(self, graph: GraphFile, imports: Mapping[str, int]) -> list[Place]:
        try:
            return list(self._release.places(graph, imports))
        except ValueError as error:
            raise BrokenModelError(self._file, str(error), advice="is it complete?") from None

    def _main(self, graph: GraphFile) -> Iterator[Fact]:
        """Yield what is wrong with the inputs, weights and names of the model's own graph."""
        weights = {weight.name: weight for weight in graph.initializers}
        for weight in graph.initializers:
            problem = _weight_problem(weight, self._ir_version)
            if problem:
                yield of_model("model_header", weight.name, "tensor", f"the weight '{weight.name}' {problem}")
        names: set[str] = set()
        for value in graph.inputs:
            name, stated = text(value.name), type_text(value.type)
            if stated is not None and "complex" in stated:
                problem = f"the input '{name}' is {stated}, and the release has no complex types"
                yield of_model("model_header", name, "type", problem, "use two real tensors instead of it")
            if name in names and name not in weights:
                yield of_model("model_header", name, "name_twice", f"the input '{name}' is stated twice")
            names.add(name)
            own = weights.get(name)
            if stated is None and own is None:
                yield of_model("model_header", name, "type", f"the input '{name}' has no type", advice.EXPORT)
            elif own is not None and own.data_type and stated not in (None, stored_type(own)):
                problem = f"the weight '{name}' is {stored_type(own)}, and the input of that name {stated}"
                yield of_model("model_header", name, "type", problem)
            elif own is not None and not _fits(value.type, own.dims):
                problem = f"the weight '{name}' has the shape {list(own.dims)}, and the input of that name another one"
                yield of_model("model_header", name, "shape", problem)
        for value in (*graph.inputs, *graph.outputs, *graph.values):
            kind = value.type.tensor_type
            if value.type.HasField("tensor_type") and not kind.elem_type:
                problem = f"'{text(value.name)}' has no type of elements"
                yield of_model("model_header", text(value.name), "type", problem)

    def _graph(self, number: int, imports: Mapping[str, int], around: Scope | None, types: Types) -> Iterator[Fact]:
        """Yield the faults of a graph, which the checker looks at where it stands in a node."""
        graph = self._model.graphs[number]
        is_ordered = around is None or graph.opsets is not None
        if around is not None and not is_ordered:
            yield from well_formed.graph_faults(graph, self._ir_version, is_main=False)
        scope = Scope(graph, None if is_ordered else around)
        places = self._places(graph, imports)
        yield from _same_names(places)
        for place in order(places, scope, self._inner_names(number)) if is_ordered else places:
            yield from scope.input_faults(place)
            yield from self._node(place, number, imports, scope, types)
            yield from scope.define_outputs(place)
        if graph.opsets is None:
            yield from well_formed.result_faults(graph, scope.own)

    def _inner_names(self, number: int) -> Callable[[int], list[str]]:
        """Return the function that returns the names which the graphs in a node of a graph use."""

        def names(node: int) -> list[str]:
            used: list[str] = []
            for inner in self._graphs.inside(number, node):
                graph = self._model.graphs[inner]
                for place in self._places(graph, {}):
                    used += place.node.inputs
                    used += self._inner_names(inner)(place.number)
                used += (text(value.name) for value in graph.outputs)
            return used

        return names

    def _node(
        self, place: Place, number: int, imports: Mapping[str, int], scope: Scope, types: Types
    ) -> Iterator[Fact]:
        node = place.node
        if node.op == _CONSTANT:
            yield from self._constant(place, types)
            return
        if place.imported is None:
            yield advice.not_imported(place)
            return
        called = self._called(node)
        if called is not None and place.schema is None:
            yield from self._call(place, called, imports, types)
            return
        if place.schema is None:
            yield advice.op_missing(self._model, place, self._release.versions(node))
            return
        if place.schema.get("deprecated") is True:
            yield advice.deprecated(self._model, place)
            return
        takes_twice = self._onnx is not None and self._onnx < _ATTRIBUTES_ONCE_SINCE
        faults = [*conformity.own_faults(place, takes_twice=takes_twice), *well_formed.attribute_faults(place)]
        for inner in self._graphs.inside(number, place.number):
            faults += self._inner(place, inner, imports, scope, types)
        faults += conformity.faults_of(place, place.schema, self._onnx)
        bound, misfits = types.bind(place, place.schema)
        faults += misfits
        yield from faults
        if not any(fault.effect == "refused" for fault in faults):
            yield from self._kernels.faults_of(place, place.schema, bound, self._missing)

    def _missing(self, place: Place, types: str, bound: Mapping[str, str]) -> Fact:
        """Return that no kernel runs a node, with the opsets in which one does."""
        running = [
            since
            for since in self._release.versions(place.node)
            if self._kernels.run(self._release.schema(f"{family(place.op)}@{since}"), bound)
        ]
        return advice.kernel_missing(self._model, place, types, running, self._limits.get(DEFAULT, 0))

    def _inner(self, place: Place, number: int, imports: Mapping[str, int], scope: Scope, types: Types) -> list[Fact]:
        """Return the faults of a graph in a node, and take the types of the node's outputs from those of the graph."""
        graph = self._model.graphs[number]
        inner = Types(graph, types)
        faults = list(self._graph(number, imports, scope, inner))
        if place.node.op in _GRAPHS_RETURN:
            results = [inner.of(text(value.name)) for value in graph.outputs]
            types.learn(place.node.outputs, results[_GRAPHS_RETURN[place.node.op] :])
        return faults

    def _constant(self, place: Place, types: Types) -> Iterator[Fact]:
        """Yield what is wrong with a constant: it is made a weight before any schema is looked at, in any opset."""
        node = place.node
        first = node.attributes[0] if node.attributes else None
        kind = None if first is None else constant_type(first)
        if first is None or not self._takes_outputs(node):
            problem = "has no value" if first is None else f"has {len(node.outputs)} outputs"
            yield of_node(place, "model_wiring", "attr_missing", problem=problem, remedy=advice.EXPORT)
            return
        if kind is None:
            declared = " or ".join(("TENSOR", "FLOAT", "INT", "STRING", "FLOATS", "INTS", "STRINGS"))
            given = kind_name(first.kind)
            yield of_node(place, "model_attr_type", "attr_type", first.name, declared=declared, given=given)
            return
        if first.value.t and not tensor(memoryview(first.value.t)).data_type:
            problem = "has a value without a type"
            yield of_node(place, "model_wiring", "tensor", problem=problem, remedy=advice.EXPORT)
            return
        since = self._release.since("", _CONSTANT, _NEWEST)
        newest = None if since is None else self._release.schema(f"{_CONSTANT}@{since}")
        if newest is not None and not runs(newest, kind):
            yield advice.kernel_missing(self._model, place, kind, (), 0)
            return
        types.define(node.outputs[0], kind)

    def _takes_outputs(self, node: OnnxNode) -> bool:
        """Tell whether a constant has as many outputs as the release takes: of several, older ones use the first."""
        version = release_version(self._spec)
        return len(node.outputs) == 1 or (
            len(node.outputs) > 1 and version is not None and version < _SINGLE_OUTPUT_SINCE
        )

    def _call(self, place: Place, number: int, imports: Mapping[str, int], types: Types) -> Iterator[Fact]:
        """Yield the faults of the body of a function with the types and attributes of a call."""
        function = self._model.graphs[number]
        node = place.node
        for given, formal, event in (
            (node.inputs, function.parameters, "model_input_count"),
            (node.outputs, function.results, "model_output_count"),
        ):
            if len(given) > len(formal):
                reason = event.removeprefix("model_")
                yield of_node(place, event, reason, expected=f"at most {len(formal)}", given=len(given))  # type: ignore[arg-type]
                return
        if function.name in self._path:
            return
        kinds = {
            name: kind
            for name, given in zip(function.parameters, node.inputs, strict=False)
            if given and (kind := types.of(given)) is not None
        }
        inner = Types(function, given=kinds)
        own = self._places(function, self._release.imports(function.opsets or ()))
        yield from (fault for part in own for fault in inner.input_misfits(part, function.parameters))
        self._path.append(function.name)
        merged = {**self._release.imports(function.opsets or ()), **imports}
        places = [bound_to_call(part, node, function) for part in self._places(function, merged)]
        yield from self._body(number, places, imports, inner, node)
        self._path.pop()
        results = [inner.of(name) for name in function.results]
        for name, kind, stated in types.contradicted(node.outputs, results):
            declared = f"an output that is declared as {stated}"
            yield of_node(place, "model_input_type", "type", name, expected=kind, given=declared)
        types.learn(node.outputs, results)

    def _body(
        self, number: int, places: Sequence[Place], imports: Mapping[str, int], types: Types, call: OnnxNode
    ) -> Iterator[Fact]:
        graph = self._model.graphs[number]
        scope = Scope(graph)
        missing = set(graph.parameters[len(call.inputs) :])
        for place in order(places, scope, self._inner_names(number)):
            kept = place.replace(
                node=place.node.replace(inputs=tuple("" if name in missing else name for name in place.node.inputs))
            )
            yield from scope.input_faults(kept)
            yield from self._node(kept, number, imports, scope, types)
            yield from scope.define_outputs(kept)


def _too_many_inputs(place: Place) -> Iterator[Fact]:
    """Yield that a node of a function has more inputs than the schema by the function's own imports."""
    if place.schema is None:
        return
    most = conformity.bounds(place.schema.inputs, 1)[1]
    if most is not None and len(place.node.inputs) > most:
        yield of_node(
            place, "model_input_count", "input_count", expected=f"at most {most}", given=len(place.node.inputs)
        )


def _limits(spec: Spec) -> dict[str, int]:
    """Return the newest version of each domain that a release takes."""
    opsets = spec.loading.get("opsets")
    stated = opsets if isinstance(opsets, dict) else {}
    return {str(domain): version for domain, version in stated.items() if type(version) is int}


def _fits(kind: object, dims: tuple[int, ...]) -> bool:
    """Tell whether a weight has the shape that the input of its name states."""
    tensor_type = kind.tensor_type  # type: ignore[attr-defined]
    if not tensor_type.HasField("shape"):
        return True
    stated = tensor_type.shape.dim
    return len(stated) == len(dims) and all(
        size.WhichOneof("value") != "dim_value" or size.dim_value == own for size, own in zip(stated, dims, strict=True)
    )


def _weight_problem(weight: Initializer, ir_version: int) -> str | None:
    """Return what is wrong with a weight, None where nothing is; as in the checker, values are not read."""
    if not weight.data_type:
        return "has no type"
    if not weight.name and ir_version <= well_formed.WEIGHTS_ARE_INPUTS:
        return "has no name"
    if weight.is_sparse or weight.file is not None:
        return None
    if prod(weight.dims) and not weight.stored:
        return "has no values"
    if RAW_DATA in weight.stored and weight.raw_size != well_formed.raw_bytes(weight):
        return f"has {weight.raw_size} bytes of values, and needs {well_formed.raw_bytes(weight)}"
    return None


def _same_names(places: Sequence[Place]) -> Iterator[Fact]:
    """Yield the nodes of a graph that have the name of another."""
    seen: set[str] = set()
    for place in places:
        if place.node.op == _CONSTANT or not place.node.is_named:
            continue
        if place.node.name in seen:
            problem, remedy = "has the name of another node", "give each node a name of its own, or none"
            yield of_node(place, "model_wiring", "name_twice", place.node.name, problem=problem, remedy=remedy)
        seen.add(place.node.name)
