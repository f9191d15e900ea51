"""The state that the checks of a whole model share: the model, the release, the imports, and the calls of functions."""

from __future__ import annotations

from opspec_lint.frameworks.onnx.saved.judging.graphs import GraphIndex
from opspec_lint.frameworks.onnx.saved.judging.recursion import CallGraph
from opspec_lint.models.files import BrokenModelError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.frameworks.onnx.saved.files.reading import GraphFile, OnnxFile
    from opspec_lint.frameworks.onnx.saved.judging.release import Release
    from opspec_lint.frameworks.onnx.saved.judging.resolution import Imports, ReleaseSchemas, ResolvedNode
    from opspec_lint.models.model import Model


class ModelCheck:
    """The base class of the check of one model by one loader of a release, whose schemas are `schemas`."""

    def __init__(self, model: Model[OnnxFile], release: Release, schemas: ReleaseSchemas) -> None:
        self._model = model.content
        self._release = release
        self._file = model.file
        self._ir_version = model.content.ir_version or 0
        self._schemas = schemas
        self._imports = schemas.imports(model.content.opsets)
        self._graphs = GraphIndex(model.content)
        self._calls = CallGraph(model.content)
        self._resolved: dict[int, list[ResolvedNode]] = {}

    def _resolve(self, graph: GraphFile, imports: Imports) -> list[ResolvedNode]:
        """Return the nodes of a graph with their schemas. Raises BrokenModelError if one cannot be decoded."""
        # Kept under the model's own imports only: a graph is resolved for its calls, and again for its faults.
        if imports is self._imports and id(graph) in self._resolved:
            return self._resolved[id(graph)]
        try:
            nodes = list(self._schemas.resolve_all(graph, imports))
        except ValueError as error:
            raise BrokenModelError(self._file, str(error), advice="it may be truncated: copy it again") from None
        if imports is self._imports:
            self._resolved[id(graph)] = nodes
        return nodes
