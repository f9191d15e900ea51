"""The graphs of a model by their resolved_nodes, and the names that are visible in each."""

from __future__ import annotations

from opspec_lint.frameworks.onnx.saved.files.messages import text
from opspec_lint.frameworks.onnx.saved.judging.faults import node_refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.frameworks.onnx.saved.files.reading import GraphFile, ModelFile
    from opspec_lint.frameworks.onnx.saved.judging.resolution import ResolvedNode
    from opspec_lint.spec.fact import Fact


class GraphIndex:
    """The graphs of a model: its own, those in nodes, and its functions.

    `main` is the index of its own graph among all, None for a model without one. `functions` are the indices of the
    functions by their names; the last of a name counts.
    """

    def __init__(self, model: ModelFile) -> None:
        self.main: int | None = None
        self.functions: dict[str, int] = {}
        self._inner: dict[tuple[int, int], list[int]] = {}
        for number, graph in enumerate(model.graphs):
            if graph.within is not None and graph.node is not None:
                self._inner.setdefault((graph.within, graph.node), []).append(number)
            elif graph.opsets is not None:
                self.functions[graph.name] = number
            elif not graph.name:
                self.main = number

    def inner_graphs(self, graph: int, node: int) -> list[int]:
        """Return the resolved_nodes of the graphs in a node."""
        return self._inner.get((graph, node), [])


class NameScope:
    """The names that are defined in a graph so far, and those of the graphs outer it.

    Args:
        graph: the graph; its inputs and weights are defined from the start.
        outer: the scope of the node that the graph stands in.
    """

    def __init__(self, graph: GraphFile, outer: NameScope | None = None) -> None:
        self.own = {*graph.parameters, *(text(value.name) for value in graph.inputs)}
        self.own |= {weight.name for weight in graph.initializers}
        self._outer = outer

    def knows(self, name: str) -> bool:
        """Tell whether a name is defined in the graph or outer it."""
        return name in self.own or (self._outer is not None and self._outer.knows(name))

    def input_faults(self, resolved: ResolvedNode) -> Iterator[Fact]:
        """Yield the inputs of a node that no node before it defines."""
        for name in resolved.node.inputs:
            if name and not self.knows(name):
                problem = "takes an input that no node before it has as an output"
                yield node_refused(resolved, "model_wiring", "dangling", name, problem=problem)

    def define_outputs(self, resolved: ResolvedNode, *, may_shadow: bool = False) -> Iterator[Fact]:
        """Define the outputs of a node, and yield those whose names are defined already.

        Args:
            resolved: the node.
            may_shadow: whether a name of a graph outer may be defined again.
        """
        for name in resolved.node.outputs:
            if name and (name in self.own if may_shadow else self.knows(name)):
                problem = "has an output of a name that another node, input or weight has"
                yield node_refused(resolved, "model_wiring", "name_twice", name, problem=problem)
            self.own.add(name)
