"""Detection of functions that call themselves, directly or through others, so that they cannot be inlined.

Measured: onnx.checker refuses such a model since 1.22, and since 1.23 also if the call is in a nested graph.
InferenceSession crashes on a call of such a function up to 1.24, and refuses the model since 1.27, called or not. The
releases in between are not known.
"""

from __future__ import annotations

from opspec_lint.frameworks.onnx.saved.files.reading import qualified_name
from opspec_lint.frameworks.onnx.saved.judging.faults import model_refused
from opspec_lint.models.fault import not_judged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from opspec_lint.frameworks.onnx.saved.files.reading import GraphFile, OnnxFile
    from opspec_lint.frameworks.onnx.saved.judging.release import Release
    from opspec_lint.frameworks.onnx.saved.judging.resolution import ResolvedNode
    from opspec_lint.spec.fact import Fact

_CHECKED, _CHECKED_INSIDE = (1, 22), (1, 23)
"""The first releases of onnx that refuse a cycle of direct calls, and one through a nested graph."""
_IGNORED, _REFUSED = (1, 24), (1, 27)
"""The last release that ignores functions without calls, and the first that is known to refuse them."""
_MAIN = ""
"""The caller of calls in the main graph."""


class CallGraph:
    """The calls between the functions of a model, in all graphs that have been added."""

    def __init__(self, model: OnnxFile) -> None:
        self._model = model
        self._functions = frozenset(graph.name for graph in model.graphs if graph.opsets is not None)
        self._direct_calls: dict[str, dict[str, None]] = {}
        self._all_calls: dict[str, dict[str, None]] = {}

    def add_graph(self, graph: GraphFile, resolved_nodes: Sequence[ResolvedNode]) -> None:
        """Add the calls of the nodes of a graph, as calls by the function or main graph around it."""
        if not self._functions:
            return
        root = graph
        while root.within is not None:
            root = self._model.graphs[root.within]
        caller = root.name if root.opsets is not None else _MAIN
        called = (
            qualified_name(resolved.node.domain, resolved.node.op, resolved.node.overload)
            for resolved in resolved_nodes
        )
        callees = dict.fromkeys(name for name in called if name in self._functions)
        self._all_calls.setdefault(caller, {}).update(callees)
        if root is graph:
            self._direct_calls.setdefault(caller, {}).update(callees)

    def checker_faults(self, release: Release) -> Iterator[Fact]:
        """Yield a fault for a function that calls itself, if the checker of the release detects that."""
        if not self._functions:
            return
        version = release.major_and_minor()
        if version is None or version >= _CHECKED:
            calls = self._direct_calls if version is not None and version < _CHECKED_INSIDE else self._all_calls
            yield from _cycle_faults(_find_cycle(calls, sorted(self._functions)), is_certain=version is not None)

    def session_faults(self, release: Release) -> Iterator[Fact]:
        """Yield a fault for a function that calls itself, if the session of the release detects that.

        A cycle that no node of the main graph reaches only matters to newer releases.
        """
        if not self._functions:
            return
        version = release.major_and_minor()
        called = _find_cycle(self._all_calls, (_MAIN,))
        if called or (version is not None and version <= _IGNORED):
            yield from _cycle_faults(called, is_certain=True)
        else:
            is_certain = version is not None and version >= _REFUSED
            yield from _cycle_faults(_find_cycle(self._all_calls, sorted(self._functions)), is_certain=is_certain)


def _cycle_faults(cycle: list[str], *, is_certain: bool) -> Iterator[Fact]:
    """Yield the fault of a cycle; with `is_certain` false, it is unknown whether the release refuses it."""
    if cycle:
        name, path = cycle[0], " -> ".join(f"'{function}'" for function in cycle)
        fault = model_refused("model_function_recursive", name, "recursive", path)
        yield fault if is_certain else _unknown_cycle(name, path)


def _unknown_cycle(name: str, path: str) -> Fact:
    """Return the fault that it is unknown whether a release refuses a function that calls itself."""
    problem = f"the function '{name}' calls itself ({path}), and the spec has no version of a release that was tried"
    return not_judged(name, problem, "name an included release (`opspec-lint specs`), or load the model with it")


def _find_cycle(calls: dict[str, dict[str, None]], starts: Iterable[str]) -> list[str]:
    """Return the functions of a cycle reachable from `starts`, with the first one again at the end, or nothing."""
    done: set[str] = set()
    for start in starts:
        # An iterative depth-first search: the keys are the path, the values what is left to visit. Deep call chains of
        # a hostile model cannot overflow the stack.
        path = {start: iter(calls.get(start, ()))}
        while path:
            last = next(reversed(path))
            following = next(path[last], None)
            if following is None:
                done.add(last)
                del path[last]
            elif following in path:
                cycle = list(path)
                return [*cycle[cycle.index(following) :], following]
            elif following not in done:
                path[following] = iter(calls.get(following, ()))
    return []
