"""Whether the names of a graph fit together: each is defined once, and before it is used (check_graph of ONNX)."""

from __future__ import annotations

from opspec_lint.frameworks.onnx.saved.files.messages import text
from opspec_lint.frameworks.onnx.saved.judging.faults import of_model, of_node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.frameworks.onnx.saved.files.reading import GraphFile, ModelFile
    from opspec_lint.frameworks.onnx.saved.judging.place import Place
    from opspec_lint.spec.fact import Fact


class Names:
    """The names of the graphs of a model, as far as they have been gone through.

    A graph in a node comes after the graph around it, so that it may use whatever that defines.
    """

    def __init__(self, model: ModelFile) -> None:
        self._model = model
        self._defined: list[set[str]] = []

    def faults_of(self, graph: GraphFile, places: Sequence[Place]) -> Iterator[Fact]:
        """Yield the names of the next graph that are used before they are defined, or defined twice."""
        defined = {*graph.parameters, *(text(each.name) for each in graph.inputs)}
        defined |= {each.name for each in graph.initializers}
        self._defined.append(defined)
        around = self._around(graph)
        for place in places:
            for name in place.node.inputs:
                if name and name not in defined and not any(name in each for each in around):
                    problem = "takes an input that no node before it has as an output"
                    yield of_node(place, "model_wiring", "dangling", name, problem=problem)
            for name in place.node.outputs:
                if name and name in defined:
                    problem = "has an output of a name that another node, input or weight has"
                    yield of_node(place, "model_wiring", "name_twice", name, problem=problem)
                defined.add(name)
        for each in graph.outputs:
            if text(each.name) not in defined:
                problem = f"its output '{text(each.name)}' is not an output of any node"
                yield of_model("model_header", text(each.name), "dangling", problem)

    def _around(self, graph: GraphFile) -> list[set[str]]:
        found = []
        while graph.within is not None:
            found.append(self._defined[graph.within])
            graph = self._model.graphs[graph.within]
        return found
