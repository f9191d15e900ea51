"""Index of the graphs of a model, and the scope of tensor names in each graph."""

from __future__ import annotations

from opspec_lint.frameworks.onnx.saved.files.messages import text
from opspec_lint.frameworks.onnx.saved.judging.faults import node_refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from opspec_lint.frameworks.onnx.saved.files.reading import GraphFile, OnnxFile
    from opspec_lint.frameworks.onnx.saved.judging.resolution import ResolvedNode
    from opspec_lint.spec.fact import Fact


class GraphIndex:
    """An index of the graphs of a model: the main graph, nested graphs and functions.

    `main` is the index of the main graph, None for a model without one. `functions` are the indices of functions by
    their names; a later function replaces an earlier one of the same name.
    """

    def __init__(self, model: OnnxFile) -> None:
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
        """Return the indices of the graphs that are nested in a node."""
        return self._inner.get((graph, node), [])


class NameScope:
    """The tensor names that are defined in a graph so far, and the names of the enclosing scopes."""

    def __init__(self, graph: GraphFile, outer: NameScope | None = None) -> None:
        self.own = {*graph.parameters, *(text(value.name) for value in graph.inputs)}
        self.weights = {weight.name for weight in graph.initializers}
        """The weights, and the outputs of constants that became weights (`define_constant`)."""
        self.own |= self.weights
        self._outer = outer

    def knows(self, name: str) -> bool:
        """Return True if a name is defined in the graph or an enclosing one."""
        return name in self.own or (self._outer is not None and self._outer.knows(name))

    def input_faults(self, resolved: ResolvedNode) -> Iterator[Fact]:
        """Yield a fault for each input of a node that is not defined yet."""
        for name in resolved.node.inputs:
            if name and not self.knows(name):
                problem = "takes an input that no node before it has as an output"
                yield node_refused(resolved, "model_wiring", "dangling", name, problem=problem)

    def define_outputs(self, resolved: ResolvedNode, *, may_shadow: bool = False) -> Iterator[Fact]:
        """Define the outputs of a node, and yield a fault for each name that is defined already.

        With `may_shadow`, a name of an enclosing graph may be defined again.
        """
        for name in resolved.node.outputs:
            if name and (name in self.own if may_shadow else self.knows(name)):
                problem = "has an output of a name that another node, input or weight has"
                yield node_refused(resolved, "model_wiring", "name_twice", name, problem=problem)
            self.own.add(name)

    def define_constant(self, resolved: ResolvedNode, inputs: Collection[str] = ()) -> Iterator[Fact]:
        """Define the first output of a constant that is made a weight before nodes are looked at.

        A weight may be stated again, and replaces the earlier one; it may also be the default value of one of `inputs`.
        """
        first = resolved.node.replace(outputs=resolved.node.outputs[:1])
        for name in first.outputs:
            if name not in self.weights and name not in inputs:
                yield from self.define_outputs(resolved.replace(node=first))
            self.weights.add(name)
