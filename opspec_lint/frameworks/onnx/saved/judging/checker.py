"""`onnx.checker.check_model`, without `full_check`: versions, names, and whether each node is as its schema says.

It looks at no types, and takes the newest schema that it has for an opset that it does not know (onnx/checker.cc;
measured with 1.12.0 to 1.23.2). An op of a domain that is neither ONNX's nor known to it is not looked up.
"""

from __future__ import annotations

from opspec_lint.frameworks.onnx.identity import shown
from opspec_lint.frameworks.onnx.saved.judging import advice, conformity, well_formed
from opspec_lint.frameworks.onnx.saved.judging.faults import of_model, of_node
from opspec_lint.frameworks.onnx.saved.judging.graphs import Graphs, Scope
from opspec_lint.frameworks.onnx.saved.judging.place import Release, embedded_onnx
from opspec_lint.frameworks.onnx.saved.judging.recursion import Calls
from opspec_lint.models.files import BrokenModelError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.frameworks.onnx.saved.files.reading import GraphFile, ModelFile
    from opspec_lint.frameworks.onnx.saved.judging.place import Place
    from opspec_lint.models.model import Model
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec

_STANDARD = ("", "ai.onnx", "ai.onnx.ml", "ai.onnx.training")
"""The domains whose ops have to be known."""
_EXPERIMENTAL = (
    *("ATen", "Affine", "ConstantFill", "Crop", "DynamicSlice", "GRUUnit", "GivenTensorFill", "ImageScaler"),
    *("ParametricSoftplus", "Scale", "ScaledTanh"),
)
"""Ops that were never published, and that are passed over."""
_IMPORTS_SINCE = 3
"""The IR version from which on models import opsets."""
_FUNCTIONS_SINCE = 8
"""The IR version from which on the checker looks at functions."""
_NO_LIMIT = 1 << 31
"""The checker takes each opset."""
_RESULTS_SINCE = 17
"""The onnx 1.MINOR from which on the outputs of a graph have to be defined."""
_SIZES_SINCE = 22
"""The onnx 1.MINOR from which on the size of `raw_data` is checked."""


def faults_of(model: Model[ModelFile], spec: Spec) -> Iterator[Fact]:
    """Yield what the checker refuses.

    Raises:
        BrokenModelError: a node cannot be decoded.
    """
    yield from _Checker(model.content, spec, model.file).faults()


class _Checker:
    def __init__(self, model: ModelFile, spec: Spec, file: str) -> None:
        self._model = model
        self._spec = spec
        self._file = file
        self._ir_version = model.ir_version or 0
        self._onnx = embedded_onnx(spec)
        self._release = Release(spec)
        self._imports = self._release.imports(model.opsets)
        self._graphs = Graphs(model)
        self._calls = Calls(model)

    def faults(self) -> Iterator[Fact]:
        yield from self._header()
        if self._graphs.main is not None:
            yield from self._graph(self._graphs.main, self._imports, None)
        if self._ir_version >= _FUNCTIONS_SINCE:
            merged = dict(self._imports)
            for number in self._graphs.functions.values():
                for domain, version in self._release.imports(self._model.graphs[number].opsets or ()).items():
                    merged.setdefault(domain, version)
            for number in self._graphs.functions.values():
                yield from self._function(number, merged)
            yield from self._calls.refused_by_checker(self._spec)

    def _header(self) -> Iterator[Fact]:
        version, most = self._ir_version, self._spec.loading.get("ir_version")
        if not version:
            yield of_model(
                "model_graph_version", "ir_version", "ir_version", "has no IR version", advice.state_ir_version()
            )
        elif type(most) is int and version > most:
            yield advice.ir_version_too_high(self._model, version, most, _NO_LIMIT)
        if len(set(self._model.metadata)) < len(self._model.metadata):
            problem = "it states a key of its metadata twice"
            yield of_model("model_header", "metadata_props", "name_twice", problem, "remove one of the entries")
        if self._graphs.main is None:
            yield of_model("model_header", "graph", "graph_name", "it has no graph")
        if version >= _IMPORTS_SINCE and not self._model.opsets:
            yield of_model("model_header", "opset_import", "opset", "it imports no opset", advice.add_import(""))
        elif 0 < version < _IMPORTS_SINCE and self._model.opsets:
            problem = f"it imports an opset, which models of IR version {version} do not"
            remedy = f"set ir_version to {_IMPORTS_SINCE} or later"
            yield of_model("model_header", "opset_import", "opset", problem, remedy)

    def _places(self, graph: GraphFile, imports: Mapping[str, int]) -> list[Place]:
        try:
            places = list(self._release.places(graph, imports))
        except ValueError as error:
            raise BrokenModelError(self._file, str(error), advice="is it complete?") from None
        self._calls.enter(graph, places)
        return places

    def _graph(self, number: int, imports: Mapping[str, int], around: Scope | None) -> Iterator[Fact]:
        graph = self._model.graphs[number]
        yield from well_formed.graph_faults(graph, self._ir_version, is_main=around is None)
        for weight in graph.initializers if self._onnx is None or self._onnx >= _SIZES_SINCE else ():
            yield from well_formed.size_faults(weight)
        scope = Scope(graph, around)
        for place in self._places(graph, imports):
            yield from scope.input_faults(place)
            yield from self._node(place, number, imports, scope)
            yield from scope.define_outputs(place)
        if self._onnx is None or self._onnx >= _RESULTS_SINCE:
            yield from well_formed.result_faults(graph, scope.own)

    def _function(self, number: int, model_imports: Mapping[str, int]) -> Iterator[Fact]:
        graph = self._model.graphs[number]
        if not graph.own_name or graph.domain is None:
            field = "domain" if graph.own_name else "name"
            yield of_model("model_header", field, "function", f"the function '{graph.name}' has no {field}")
        yield from well_formed.function_faults(graph)
        imports = self._release.imports(graph.opsets or ())
        scope = Scope(graph)
        for place in self._places(graph, imports):
            yield from scope.input_faults(place)
            yield from self._incompatible(place, imports, model_imports)
            yield from self._node(place, number, imports, scope)
            yield from scope.define_outputs(place)

    def _incompatible(
        self, place: Place, imports: Mapping[str, int], model_imports: Mapping[str, int]
    ) -> Iterator[Fact]:
        """Yield that the imports of function and model mean different versions of an op."""
        domain, op = place.node.domain, place.node.op
        own, other = imports.get(domain), model_imports.get(domain)
        if own is None or other is None or own == other:
            return
        if self._release.since(domain, op, own) != self._release.since(domain, op, other):
            problem = f"means another version by opset {own} of {shown(domain)}, which the function imports, than by "
            problem += f"opset {other} of the model"
            yield of_node(place, "model_wiring", "opset", problem=problem, remedy="import the same opset in both")

    def _node(self, place: Place, number: int, imports: Mapping[str, int], scope: Scope) -> Iterator[Fact]:
        node = place.node
        if not node.op:
            yield of_node(place, "model_wiring", "unknown_op", problem="names no op", remedy=advice.EXPORT)
        if place.imported is None and self._model.opsets:
            yield advice.not_imported(place)
        yield from conformity.own_faults(place)
        yield from well_formed.attribute_faults(place)
        for inner in self._graphs.inside(number, place.number):
            yield from self._graph(inner, imports, scope)
        if place.imported is None or (node.domain in _STANDARD[:2] and node.op in _EXPERIMENTAL):
            return
        if place.schema is None:
            if node.domain in _STANDARD:
                yield advice.op_missing(self._model, place, self._release.versions(node))
        elif place.schema.get("deprecated") is True:
            yield advice.deprecated(self._model, place)
        else:
            yield from conformity.faults_of(place, place.schema, self._onnx)
