"""The rules of `onnx.checker.check_model` without `full_check`: versions, names, conformity of nodes to schemas.

It does not look at types, and for an opset that it does not know it takes the newest schema that it has
(onnx/checker.cc; measured with 1.12.0 to 1.23.2). It does not look up ops of a domain that is neither ONNX's own nor
known to it.
"""

from __future__ import annotations

from opspec_lint.frameworks.onnx.identity import domain_title
from opspec_lint.frameworks.onnx.saved.judging import advice, conformity, well_formed
from opspec_lint.frameworks.onnx.saved.judging.faults import model_refused, node_refused
from opspec_lint.frameworks.onnx.saved.judging.graphs import NameScope
from opspec_lint.frameworks.onnx.saved.judging.model_check import ModelCheck
from opspec_lint.frameworks.onnx.saved.judging.release import faults_by
from opspec_lint.frameworks.onnx.saved.judging.repeats import RepeatedNodes
from opspec_lint.frameworks.onnx.saved.judging.resolution import ReleaseSchemas

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.frameworks.onnx.saved.files.reading import GraphFile, OnnxFile
    from opspec_lint.frameworks.onnx.saved.judging.release import Release
    from opspec_lint.frameworks.onnx.saved.judging.resolution import Imports, ResolvedNode
    from opspec_lint.models.model import Model
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec

_DEFAULT = ("", "ai.onnx")
"""The names of the default domain."""
_STANDARD = (*_DEFAULT, "ai.onnx.ml", "ai.onnx.training")
"""The domains whose ops the checker must know."""
_EXPERIMENTAL = (
    *("ATen", "Affine", "ConstantFill", "Crop", "DynamicSlice", "GRUUnit", "GivenTensorFill", "ImageScaler"),
    *("ParametricSoftplus", "Scale", "ScaledTanh"),
)
"""Ops that were never published, which the checker skips."""
_IMPORTS_SINCE = 3
"""The first IR version in which models import opsets."""
_FUNCTIONS_SINCE = 8
"""The first IR version in which the checker looks at functions."""
_NO_LIMIT = 1 << 31
"""The checker accepts every opset."""
_OUTPUTS_DEFINED_SINCE = 17
"""The first onnx 1.MINOR that requires the outputs of a graph to be defined."""
_SIZES_SINCE = 22
"""The first onnx 1.MINOR that checks the size of `raw_data`."""


def find_faults(model: Model[OnnxFile], spec: Spec) -> Iterator[Fact]:
    """Yield the faults that the checker refuses. Raises BrokenModelError if a node cannot be decoded."""
    return faults_by(_check, model, spec)


def _check(model: Model[OnnxFile], release: Release) -> Iterator[Fact]:
    return _Checker(model, release).faults()


class _Checker(ModelCheck):
    """The check of one model, in the order in which the checker goes through it: header, main graph, functions."""

    def __init__(self, model: Model[OnnxFile], release: Release) -> None:
        super().__init__(model, release, ReleaseSchemas(release))

    def faults(self) -> Iterator[Fact]:
        """Yield all faults of the model."""
        yield from self._header_faults()
        if self._graphs.main is not None:
            yield from self._graph_faults(self._graphs.main, self._imports, None)
        if self._ir_version >= _FUNCTIONS_SINCE:
            # As check_model_local_functions of onnx/checker.cc does: the imports of the model take precedence.
            functions = (self._model.graphs[number] for number in self._graphs.functions.values())
            merged = self._imports.completed_by(*(self._schemas.imports(graph.opsets or ()) for graph in functions))
            for number in self._graphs.functions.values():
                yield from self._function_faults(number, merged)
            yield from self._calls.checker_faults(self._release)

    def _header_faults(self) -> Iterator[Fact]:
        """Yield the faults of the model's own fields."""
        version, most = self._ir_version, self._release.newest_ir_version_below(self._ir_version)
        if not version:
            yield model_refused(
                "model_graph_version", "ir_version", "ir_version", "has no IR version", advice.state_ir_version()
            )
        elif most is not None:
            yield advice.ir_version_too_high(self._model, version, most, _NO_LIMIT)
        if len(set(self._model.metadata)) < len(self._model.metadata):
            problem = "it states a key of its metadata twice"
            yield model_refused("model_header", "metadata_props", "name_twice", problem, "remove one of the entries")
        if self._graphs.main is None:
            yield model_refused("model_header", "graph", "graph_name", "it has no graph")
        if version >= _IMPORTS_SINCE and not self._model.opsets:
            yield model_refused("model_header", "opset_import", "opset", "it imports no opset", advice.add_import(""))
        elif 0 < version < _IMPORTS_SINCE and self._model.opsets:
            problem = f"it imports an opset, which models of IR version {version} do not"
            remedy = f"set ir_version to {_IMPORTS_SINCE} or later"
            yield model_refused("model_header", "opset_import", "opset", problem, remedy)

    def _resolve(self, graph: GraphFile, imports: Imports) -> list[ResolvedNode]:
        """Return the nodes of a graph with their schemas, and add their calls to the call graph."""
        resolved_nodes = super()._resolve(graph, imports)
        self._calls.add_graph(graph, resolved_nodes)
        return resolved_nodes

    def _graph_faults(self, number: int, imports: Imports, outer: NameScope | None) -> Iterator[Fact]:
        """Yield the faults of a graph and of the graphs nested in it."""
        graph = self._model.graphs[number]
        yield from well_formed.graph_faults(graph, self._ir_version, is_main=outer is None)
        if self._release.makes_checks_of(_SIZES_SINCE):
            for weight in graph.initializers:
                yield from well_formed.size_faults(weight)
        scope = NameScope(graph, outer)
        repeated = RepeatedNodes()
        for resolved in self._resolve(graph, imports):
            node = resolved.node
            if node.inputs:
                yield from scope.input_faults(resolved)
            faults = self._node_faults(resolved, number, imports, scope)
            has_graphs = self._graphs.inner_graphs(number, resolved.number)
            # The faults of nested graphs depend on the nodes before.
            yield from faults if has_graphs else repeated.faults(node, faults)
            if node.outputs:
                yield from scope.define_outputs(resolved)
        yield from repeated.counted()
        if self._release.makes_checks_of(_OUTPUTS_DEFINED_SINCE):
            yield from well_formed.undefined_output_faults(graph, scope.own)

    def _function_faults(self, number: int, model_imports: Imports) -> Iterator[Fact]:
        """Yield the faults of a function; `model_imports` are the imports of the model and all functions together."""
        graph = self._model.graphs[number]
        if not graph.own_name or graph.domain is None:
            field = "domain" if graph.own_name else "name"
            yield model_refused("model_header", field, "function", f"the function '{graph.name}' has no {field}")
        yield from well_formed.function_faults(graph)
        imports = self._schemas.imports(graph.opsets or ())
        scope = NameScope(graph)
        for resolved in self._resolve(graph, imports):
            yield from scope.input_faults(resolved)
            yield from self._import_faults(resolved, imports, model_imports)
            yield from self._node_faults(resolved, number, imports, scope)
            yield from scope.define_outputs(resolved)

    def _import_faults(self, resolved: ResolvedNode, imports: Imports, model_imports: Imports) -> Iterator[Fact]:
        """Yield a fault if the imports of a function and of the model select different versions of an op."""
        domain, op = resolved.node.domain, resolved.node.op
        function_version, model_version = imports.get(domain), model_imports.get(domain)
        if function_version is None or model_version is None or function_version == model_version:
            return
        if self._schemas.since(domain, op, function_version) != self._schemas.since(domain, op, model_version):
            problem = f"means another version by opset {function_version} of {domain_title(domain)}, which the "
            problem += f"function imports, than by opset {model_version} of the model"
            yield node_refused(
                resolved, "model_wiring", "opset", problem=problem, remedy="import the same opset in both"
            )

    def _node_faults(self, resolved: ResolvedNode, number: int, imports: Imports, scope: NameScope) -> Iterator[Fact]:
        """Yield the faults of a node."""
        node = resolved.node
        if not node.op:
            yield node_refused(resolved, "model_wiring", "unknown_op", problem="names no op", remedy=advice.EXPORT)
        if resolved.imported is None and self._model.opsets:
            yield advice.not_imported(resolved)
        yield from conformity.schema_independent_faults(resolved)
        yield from well_formed.attribute_faults(resolved)
        for inner in self._graphs.inner_graphs(number, resolved.number):
            yield from self._graph_faults(inner, imports, scope)
        if resolved.imported is None or (node.domain in _DEFAULT and node.op in _EXPERIMENTAL):
            return
        if resolved.schema is None:
            if node.domain in _STANDARD:
                yield advice.op_missing(self._model, resolved, self._schemas.versions(node))
        elif resolved.schema.get("deprecated") is True:
            yield advice.deprecated(self._model, resolved)
        else:
            yield from conformity.find_faults(resolved, resolved.schema, self._release)
