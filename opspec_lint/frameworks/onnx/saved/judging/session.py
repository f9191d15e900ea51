"""The rules of `onnxruntime.InferenceSession`: versions, names, nodes and types, and a kernel for each node.

It treats `ai.onnx` as the default domain, and assumes the newest version of each domain that a model does not import.
It orders nodes itself, lets the checker of its onnx look at each one, checks types, and inlines functions
(core/graph/model.cc, graph.cc; measured with 1.16.3 to 1.32.0 on the CPU). Conditions on values and shapes that a
kernel or shape inference imposes are in no schema, and not checked here.
"""

from __future__ import annotations

from functools import partial

from opspec_lint.frameworks.onnx.identity import DEFAULT, domain_title, family
from opspec_lint.frameworks.onnx.saved.files.messages import text
from opspec_lint.frameworks.onnx.saved.files.nodes import kind_name
from opspec_lint.frameworks.onnx.saved.files.reading import parse_tensor, qualified_name
from opspec_lint.frameworks.onnx.saved.judging import advice, conformity, weight_checks, well_formed
from opspec_lint.frameworks.onnx.saved.judging.faults import model_refused, node_refused
from opspec_lint.frameworks.onnx.saved.judging.graphs import NameScope
from opspec_lint.frameworks.onnx.saved.judging.kernel_search import KernelSearch, runs_type
from opspec_lint.frameworks.onnx.saved.judging.model_check import ModelCheck
from opspec_lint.frameworks.onnx.saved.judging.preparation import bind_call_attributes, execution_order
from opspec_lint.frameworks.onnx.saved.judging.release import faults_by
from opspec_lint.frameworks.onnx.saved.judging.resolution import Imports, ReleaseSchemas
from opspec_lint.frameworks.onnx.saved.judging.types import TensorTypes, constant_type, type_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from opspec_lint.frameworks.onnx.saved.files.nodes import OnnxNode
    from opspec_lint.frameworks.onnx.saved.files.reading import GraphFile, OnnxFile
    from opspec_lint.frameworks.onnx.saved.judging.release import Release
    from opspec_lint.frameworks.onnx.saved.judging.resolution import ResolvedNode
    from opspec_lint.models.model import Model
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec

_ALIASES = {DEFAULT: ""}
_CONSTANT = "Constant"
_NO_IMPORTS = Imports({})
_NEWEST = 1 << 31
"""A version of a domain above all that exist."""
_RETURNS_GRAPH_OUTPUTS = {"If": 0, "Loop": 1, "Scan": 0}
"""Ops that return the outputs of a nested graph, with the number of leading graph outputs that they do not return."""
_ATTRIBUTES_ONCE_SINCE = 16
"""The first onnx 1.MINOR (in ONNX Runtime 1.18) that refuses two attributes of one name in a node."""
_LATER_TYPES = ("tensor(float8", "tensor(float4", "tensor(int4", "tensor(uint4", "tensor(int2", "tensor(uint2")
"""The beginnings of the types that onnx added after bfloat16."""
_SINGLE_OUTPUT_SINCE = (1, 19)
"""The first release that requires a constant to have one output."""


def find_faults(model: Model[OnnxFile], spec: Spec) -> Iterator[Fact]:
    """Yield the faults that make the session refuse the model. Raises BrokenModelError if a node cannot be decoded."""
    return faults_by(_check, model, spec)


def _check(model: Model[OnnxFile], release: Release) -> Iterator[Fact]:
    return _Session(model, release).faults()


class _Session(ModelCheck):
    """The check of one model in the order of the session: header, functions, then the main graph with inlined calls."""

    def __init__(self, model: Model[OnnxFile], release: Release) -> None:
        def assumed(domain: str) -> int | None:
            return release.newest_opset(domain_title(domain))

        super().__init__(model, release, ReleaseSchemas(release, _ALIASES, assumed if model.content.opsets else None))
        self._kernels = KernelSearch()
        self._call_path: list[str] = []

    def faults(self) -> Iterator[Fact]:
        """Yield all faults of the model."""
        yield from self._header_faults()
        # All graphs first, because a cycle of calls may lead through graphs that are checked later.
        for graph in self._model.graphs:
            self._calls.add_graph(graph, self._resolve(graph, self._imports))
        for number in self._graphs.functions.values():
            yield from self._function_header_faults(self._model.graphs[number])
        yield from self._calls.session_faults(self._release)
        if self._graphs.main is not None and self._model.opsets:
            main = self._model.graphs[self._graphs.main]
            yield from self._main_graph_faults(main)
            yield from self._graph_faults(self._graphs.main, self._imports, None, TensorTypes(main))

    def _header_faults(self) -> Iterator[Fact]:
        """Yield the faults of the model's own fields."""
        if self._graphs.main is None:
            yield model_refused("model_header", "graph", "parse", "it has no graph")
        if not self._model.opsets:
            yield model_refused("model_header", "opset_import", "opset", "it imports no opset", advice.add_import(""))
        version, most = self._ir_version, self._release.newest_ir_version_below(self._ir_version)
        if self._model.ir_version is None:
            yield model_refused(
                "model_graph_version", "ir_version", "ir_version", "has no IR version", advice.state_ir_version()
            )
        elif most is not None:
            newest = self._release.newest_opset(DEFAULT)
            yield advice.ir_version_too_high(self._model, version, most, _NEWEST if newest is None else newest)
        yield from self._opset_limit_faults(self._model.opsets, "imports")

    def _opset_limit_faults(self, opsets: tuple[tuple[str, int], ...], verb: str) -> Iterator[Fact]:
        """Yield the imports of versions that the release does not take."""
        for domain, opset in dict.fromkeys((_ALIASES.get(domain, domain), version) for domain, version in opsets):
            limit = self._release.newest_opset_below(domain_title(domain), opset)
            if limit is not None:
                yield advice.opset_too_high(self._model, domain_title(domain), opset, limit, verb)

    def _function_header_faults(self, function: GraphFile) -> Iterator[Fact]:
        """Yield the faults of the schema that the session makes of each function, called or not (function_utils.cc)."""
        label = f"the function '{function.name}'"
        yield from self._opset_limit_faults(function.opsets or (), f"has {label}, which imports")
        imports = self._schemas.imports(function.opsets or ())
        resolved_nodes = self._resolve(function, imports)
        own = {_ALIASES.get(domain, domain) for domain, _ in function.opsets or ()}
        for resolved in resolved_nodes:
            domain = _ALIASES.get(resolved.node.domain, resolved.node.domain)
            if domain not in own and self._called_function(resolved.node) is None:
                problem = f"{label} uses the domain {domain_title(domain)}, and does not import it"
                yield model_refused("model_header", domain_title(domain), "opset", problem, advice.add_import(domain))
                return
        yield from (fault for resolved in resolved_nodes for fault in _input_count_faults(resolved))
        made = {name for resolved in resolved_nodes for name in (*resolved.node.inputs, *resolved.node.outputs)}
        for name in function.results:
            if name not in made:
                problem = f"no node of {label} has its output '{name}'"
                yield model_refused("model_header", name, "dangling", problem)

    def _called_function(self, node: OnnxNode) -> int | None:
        """Return the index of the function that a node calls, None for an op."""
        domain = _ALIASES.get(node.domain, node.domain)
        return self._graphs.functions.get(qualified_name(domain, node.op, node.overload))

    def _main_graph_faults(self, graph: GraphFile) -> Iterator[Fact]:
        """Yield the faults in the inputs, weights and names of the main graph."""
        weights = {weight.name: weight for weight in graph.initializers}
        for weight in graph.initializers:
            problem = weight_checks.find_problem(weight, self._ir_version)
            if problem:
                yield model_refused("model_header", weight.name, "tensor", f"the weight '{weight.name}' {problem}")
        seen: set[str] = set()
        for value in graph.inputs:
            name, stated_type = text(value.name), type_text(value.type)
            if stated_type is not None and "complex" in stated_type:
                problem = f"the input '{name}' is {stated_type}, and the release has no complex types"
                yield model_refused("model_header", name, "type", problem, "use two real tensors instead of it")
            if not value.HasField("name") and "" not in weights:
                problem = "an input has no name"
                yield model_refused("model_header", "input", "name", problem, "give the input a name, or remove it")
            if name in seen and name not in weights:
                yield model_refused("model_header", name, "name_twice", f"the input '{name}' is stated twice")
            seen.add(name)
            if name in weights:
                yield from weight_checks.input_faults(value, weights[name])
            elif stated_type is None:
                yield model_refused("model_header", name, "type", f"the input '{name}' has no type", advice.EXPORT)
        for value in (*graph.inputs, *graph.outputs, *graph.values):
            kind = value.type.tensor_type
            if value.type.HasField("tensor_type") and not kind.elem_type:
                problem = f"'{text(value.name)}' has no type of elements"
                yield model_refused("model_header", text(value.name), "type", problem)

    def _graph_faults(
        self, number: int, imports: Imports, outer: NameScope | None, types: TensorTypes
    ) -> Iterator[Fact]:
        """Yield the faults of a graph; a graph that is nested in a node is checked in the scope of that node."""
        graph = self._model.graphs[number]
        is_nested = outer is not None and graph.opsets is None
        if is_nested:
            yield from well_formed.graph_faults(graph, self._ir_version, is_main=False)
        scope = NameScope(graph, outer if is_nested else None)
        resolved_nodes = self._resolve(graph, imports)
        yield from _duplicate_name_faults(resolved_nodes)
        # Nested graphs keep the order of the file, in which the checker looks at them.
        ordered: Iterable[ResolvedNode] = resolved_nodes
        if not is_nested:
            ordered = execution_order(resolved_nodes, scope, partial(self._names_in_nested_graphs, number))
        for resolved in ordered:
            yield from scope.input_faults(resolved)
            yield from self._node_faults(resolved, number, imports, scope, types)
            if resolved.node.op == _CONSTANT:
                yield from scope.define_constant(resolved, {text(value.name) for value in graph.inputs})
            else:
                yield from scope.define_outputs(resolved)
        if graph.opsets is None:
            yield from well_formed.undefined_output_faults(graph, scope.own)

    def _names_in_nested_graphs(self, graph_number: int, node_number: int) -> list[str]:
        """Return the names of the tensors that the graphs nested in a node use, at any depth."""
        names: list[str] = []
        for nested_number in self._graphs.inner_graphs(graph_number, node_number):
            nested = self._model.graphs[nested_number]
            for resolved in self._resolve(nested, _NO_IMPORTS):  # names need no imported opsets
                names += resolved.node.inputs
                names += self._names_in_nested_graphs(nested_number, resolved.number)
            names += (text(value.name) for value in nested.outputs)
        return names

    def _node_faults(
        self, resolved: ResolvedNode, number: int, imports: Imports, scope: NameScope, types: TensorTypes
    ) -> Iterator[Fact]:
        """Yield the faults of a node: a constant, a call of a function, or an op."""
        node = resolved.node
        if node.op == _CONSTANT:
            yield from self._constant_faults(resolved, number, scope, types)
            return
        if resolved.imported is None:
            yield advice.not_imported(resolved)
            return
        called = self._called_function(node)
        if called is not None and resolved.schema is None:
            yield from self._call_faults(resolved, called, imports, types)
            return
        if resolved.schema is None:
            yield advice.op_missing(self._model, resolved, self._schemas.versions(node))
            return
        if resolved.schema.get("deprecated") is True:
            yield advice.deprecated(self._model, resolved)
            return
        allows_duplicates = not self._release.makes_checks_of(_ATTRIBUTES_ONCE_SINCE)
        faults = [
            *conformity.schema_independent_faults(resolved, allows_duplicates=allows_duplicates),
            *well_formed.attribute_faults(resolved),
        ]
        for inner in self._graphs.inner_graphs(number, resolved.number):
            faults += self._inner_graph_faults(resolved, inner, imports, scope, types)
        faults += conformity.find_faults(resolved, resolved.schema, self._release)
        bound, misfits = types.bind(resolved, resolved.schema)
        faults += misfits
        yield from faults
        if not any(fault.effect == "refused" for fault in faults):
            yield from self._kernels.find_faults(resolved, resolved.schema, bound, self._kernel_fault)

    def _kernel_fault(self, resolved: ResolvedNode, types: str, bound: Mapping[str, str]) -> Fact:
        """Return the fault of a node without a kernel, with the opsets in which a kernel runs it."""
        running = [
            since
            for since in self._schemas.versions(resolved.node)
            if self._kernels.runs(self._schemas.schema(f"{family(resolved.op)}@{since}"), bound)
        ]
        return advice.kernel_missing(self._model, resolved, types, running, self._release.newest_opset(DEFAULT) or 0)

    def _inner_graph_faults(
        self, resolved: ResolvedNode, number: int, imports: Imports, scope: NameScope, types: TensorTypes
    ) -> list[Fact]:
        """Return the faults of a nested graph, and infer the types of the node's outputs from its outputs."""
        graph = self._model.graphs[number]
        inner = TensorTypes(graph, types)
        faults = list(self._graph_faults(number, imports, scope, inner))
        if resolved.node.op in _RETURNS_GRAPH_OUTPUTS:
            results = [inner.type_of(text(value.name)) for value in graph.outputs]
            types.add_inferred(resolved.node.outputs, results[_RETURNS_GRAPH_OUTPUTS[resolved.node.op] :])
        return faults

    def _constant_faults(
        self, resolved: ResolvedNode, number: int, scope: NameScope, types: TensorTypes
    ) -> Iterator[Fact]:
        """Yield the faults of a constant. It becomes a weight before any schema is looked up, in every opset."""
        node = resolved.node
        first = node.attributes[0] if node.attributes else None
        kind = None if first is None else constant_type(first)
        if first is None or not self._accepts_outputs(node):
            problem = "has no value" if first is None else f"has {len(node.outputs)} outputs"
            yield node_refused(resolved, "model_wiring", "attr_missing", problem=problem, remedy=advice.EXPORT)
            return
        if kind is None:
            declared = " or ".join(("TENSOR", "FLOAT", "INT", "STRING", "FLOATS", "INTS", "STRINGS"))
            given = kind_name(first.kind)
            yield node_refused(resolved, "model_attr_type", "attr_type", first.name, declared=declared, given=given)
            return
        if first.value.t and not parse_tensor(memoryview(first.value.t)).data_type:
            problem = "has a value without a type"
            yield node_refused(resolved, "model_wiring", "tensor", problem=problem, remedy=advice.EXPORT)
            return
        since = self._schemas.since("", _CONSTANT, _NEWEST)
        newest = None if since is None else self._schemas.schema(f"{_CONSTANT}@{since}")
        if newest is not None and not runs_type(newest, kind):
            yield advice.kernel_missing(self._model, resolved, kind, (), 0)
            return
        name = node.outputs[0]
        earlier = types.type_of(name) if name in scope.weights else None
        if earlier is not None and earlier != kind:
            problem = f"has the output '{name}' of type {kind}, which is also a weight or constant of type {earlier}"
            yield node_refused(resolved, "model_wiring", "type", name, problem=problem)
        for value in self._model.graphs[number].inputs:
            if first.value.t and text(value.name) == name:
                yield from weight_checks.input_faults(value, parse_tensor(memoryview(first.value.t)).replace(name=name))
        types.set_type(name, kind)

    def _accepts_outputs(self, node: OnnxNode) -> bool:
        """Return True if the release accepts the outputs of a constant; older releases use the first of several."""
        if len(node.outputs) < 2:
            return bool(node.outputs)
        version = self._release.major_and_minor()
        return version is not None and version < _SINGLE_OUTPUT_SINCE

    def _call_faults(self, resolved: ResolvedNode, number: int, imports: Imports, types: TensorTypes) -> Iterator[Fact]:
        """Yield the faults of a function body that is inlined with the types and attributes of a call."""
        function = self._model.graphs[number]
        call = resolved.node
        if len(call.inputs) > len(function.parameters):
            expected, given = f"at most {len(function.parameters)}", len(call.inputs)
            yield node_refused(resolved, "model_input_count", "input_count", expected=expected, given=given)
            return
        if len(call.outputs) > len(function.results):
            expected, given = f"at most {len(function.results)}", len(call.outputs)
            yield node_refused(resolved, "model_output_count", "output_count", expected=expected, given=given)
            return
        # A function that calls itself is reported by the call graph; inlining it would not end.
        if function.name in self._call_path:
            return
        input_types: dict[str, str] = {}
        for parameter, name in zip(function.parameters, call.inputs, strict=False):
            kind = types.type_of(name) if name else None
            if kind is not None:
                input_types[parameter] = kind
        types_in_body = TensorTypes(function, given=input_types)
        # Under the function's own imports, its nodes must take the types of the arguments.
        own_imports = self._schemas.imports(function.opsets or ())
        for node in self._resolve(function, own_imports):
            yield from types_in_body.input_type_faults(node, function.parameters)
            if node.schema is None and self._called_function(node.node) is None:
                yield from _untyped_input_faults(node, input_types)
        self._call_path.append(function.name)
        # An inlined body is resolved under the imports of the caller; those of the function only add domains.
        merged = imports.completed_by(own_imports)
        body = [bind_call_attributes(node, call, function) for node in self._resolve(function, merged)]
        yield from self._body_faults(number, body, imports, types_in_body, call)
        self._call_path.pop()
        result_types = [types_in_body.type_of(name) for name in function.results]
        for name, given_type, stated in types.contradictions(call.outputs, result_types):
            declared = f"an output that is declared as {stated}"
            yield node_refused(resolved, "model_input_type", "type", name, expected=given_type, given=declared)
        types.add_inferred(call.outputs, result_types)

    def _body_faults(
        self,
        number: int,
        resolved_nodes: Sequence[ResolvedNode],
        imports: Imports,
        types: TensorTypes,
        call: OnnxNode,
    ) -> Iterator[Fact]:
        """Yield the faults of the nodes of an inlined function body."""
        graph = self._model.graphs[number]
        scope = NameScope(graph)
        missing = set(graph.parameters[len(call.inputs) :])
        for resolved in execution_order(resolved_nodes, scope, partial(self._names_in_nested_graphs, number)):
            # An input that the call omits is absent in the body, which a node writes as an empty name.
            kept = resolved.replace(
                node=resolved.node.replace(
                    inputs=tuple("" if name in missing else name for name in resolved.node.inputs)
                )
            )
            yield from scope.input_faults(kept)
            yield from self._node_faults(kept, number, imports, scope, types)
            if kept.node.op == _CONSTANT:
                yield from scope.define_constant(kept)
            else:
                yield from scope.define_outputs(kept)


def _untyped_input_faults(resolved: ResolvedNode, types: Mapping[str, str]) -> Iterator[Fact]:
    """Yield the arguments of a function with a type that it does not take for an op that its own opset lacks.

    It takes `all_tensor_types_with_bfloat` of onnx for such an op (function_utils.cc): no type of 8 bits or less that
    came later.
    """
    for name in dict.fromkeys(resolved.node.inputs):
        kind = types.get(name)
        if kind is not None and kind.startswith(_LATER_TYPES):
            expected = f"a type that functions take for '{resolved.node.op}', which their opset lacks"
            yield node_refused(resolved, "model_input_type", "type", name, expected=expected, given=kind)


def _input_count_faults(resolved: ResolvedNode) -> Iterator[Fact]:
    """Yield a fault if a node of a function has more inputs than the schema for the function's own imports."""
    if resolved.schema is None:
        return
    _, most = conformity.count_limits(resolved.schema.inputs, 1)
    if most is not None and len(resolved.node.inputs) > most:
        yield node_refused(
            resolved, "model_input_count", "input_count", expected=f"at most {most}", given=len(resolved.node.inputs)
        )


def _duplicate_name_faults(resolved_nodes: Sequence[ResolvedNode]) -> Iterator[Fact]:
    """Yield a fault for each node with the name of an earlier node."""
    seen: set[str] = set()
    for resolved in resolved_nodes:
        if resolved.node.op == _CONSTANT or not resolved.node.name:
            continue
        if resolved.node.name in seen:
            problem, remedy = "has the name of another node", "give each node a name of its own, or none"
            yield node_refused(
                resolved, "model_wiring", "name_twice", resolved.node.name, problem=problem, remedy=remedy
            )
        seen.add(resolved.node.name)
