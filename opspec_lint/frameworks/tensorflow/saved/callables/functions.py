"""The functions of a SavedModel's graph of objects, with their traces, and what stands behind its signatures."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.saved.callables import structures
from opspec_lint.models.model import Function, Parameter, Trace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from opspec_lint.models.model import Structure

_SIGNATURES = "signatures"
_FUNCTION, _BARE = "function", "bare_concrete_function"
_MOST_PARTS = 200_000
"""Parts of all structures together: many functions can name the same trace, and a large one with every name."""


class Objects:
    """The graph of objects of a meta graph.

    Args:
        graph: the SavedObjectGraph.
    """

    def __init__(self, graph: Any) -> None:
        self._nodes = graph.nodes
        self._concrete = graph.concrete_functions
        self._bare = {
            each.bare_concrete_function.concrete_function_name: each.bare_concrete_function
            for each in graph.nodes
            if each.WhichOneof("kind") == _BARE
        }
        self._left = _MOST_PARTS
        self._sized: dict[str, tuple[Trace, int]] = {}

    def functions(self) -> tuple[Function, ...]:
        """Return the functions that can be reached from the root, each by its shortest way."""
        found = []
        for name, node in self._ways():
            kind = node.WhichOneof("kind")
            if kind == _FUNCTION:
                traces = tuple(self._trace(each) for each in dict.fromkeys(node.function.concrete_functions))
                spec = node.function.function_spec
                found.append(
                    Function(
                        name=name,
                        traces=traces,
                        parameters=tuple(_parameters(spec)),
                        is_restricted=_is_restricted(spec),
                    )
                )
            elif kind == _BARE:
                trace = self._trace(node.bare_concrete_function.concrete_function_name)
                found.append(Function(name=name, traces=(trace,), is_bare=True))
        return tuple(sorted(found, key=lambda each: each.name))

    def signatures(self) -> Mapping[str, Trace]:
        """Return the traces behind the signatures, by their keys."""
        return {key: trace for key, at in sorted(self._children(self._signature_map())) for trace in self._first(at)}

    def _first(self, at: int) -> Iterator[Trace]:
        node = self._nodes[at]
        kind = node.WhichOneof("kind")
        if kind == _BARE:
            yield self._trace(node.bare_concrete_function.concrete_function_name)
        elif kind == _FUNCTION:
            yield from map(self._trace, node.function.concrete_functions[:1])

    def _signature_map(self) -> int:
        return dict(self._children(0)).get(_SIGNATURES, -1)

    def _children(self, at: int) -> list[tuple[str, int]]:
        if not 0 <= at < len(self._nodes):
            return []
        known = range(len(self._nodes))
        return [(each.local_name, each.node_id) for each in self._nodes[at].children if each.node_id in known]

    def _ways(self) -> Iterator[tuple[str, Any]]:
        """Yield each object once, with the names that lead to it; what only belongs to a function is left out."""
        seen, level = {0, self._signature_map()}, [("", 0)]
        while level:
            following = []
            for way, at in level:
                node = self._nodes[at] if at < len(self._nodes) else None
                if node is None:
                    continue
                yield way, node
                if node.WhichOneof("kind") in (_FUNCTION, _BARE):
                    continue
                for name, child in sorted(self._children(at)):
                    if child not in seen:
                        seen.add(child)
                        following.append((_joined(way, name), child))
            level = following

    def _trace(self, name: str) -> Trace:
        """Return the trace of a concrete function; without its structures where there are too many of them."""
        if name not in self._sized:
            trace = self._read(name)
            self._sized[name] = trace, sum(map(_size, (trace.inputs, trace.outputs)))
        trace, size = self._sized[name]
        self._left -= size + 1
        return trace if self._left > 0 else trace.replace(inputs=None, outputs=None)

    def _read(self, name: str) -> Trace:
        bare = self._bare.get(name)
        concrete = self._concrete.get(name)
        return Trace(
            inputs=None if concrete is None else structures.structure(concrete.canonicalized_input_signature),
            outputs=None if concrete is None else structures.structure(concrete.output_signature),
            keywords=None if bare is None else tuple(bare.argument_keywords),
            positional=None if bare is None else bare.allowed_positional_arguments,
        )


def _size(found: Structure | None) -> int:
    return 0 if found is None else 1 + sum(_size(each) for each in structures.items(found))


_LONGEST = 400
"""Characters of the way to an object; a longer one is cut in its middle."""


def _joined(way: str, name: str) -> str:
    whole = f"{way}.{name}" if way else name
    return whole if len(whole) <= _LONGEST else f"{whole[: _LONGEST // 2]}...{whole[-_LONGEST // 2 :]}"


def _is_restricted(spec: Any) -> bool:
    return spec.input_signature.WhichOneof("kind") not in (None, "none_value")


def _parameters(spec: Any) -> Iterator[Parameter]:
    """Yield the parameters of a FunctionSpec, whose `fullargspec` is that of Python's `inspect`."""
    parts = structures.by_key(structures.structure(spec.fullargspec))
    names = structures.strings(parts.get("args"))
    defaults: list[Structure | None] = [*structures.items(parts.get("defaults"))]
    padded = [None] * (len(names) - len(defaults)) + defaults
    for name, default in zip(names[spec.is_method :], padded[spec.is_method :], strict=False):
        yield Parameter(name=name, default=default)
    yield from _rest("varargs", parts)
    by_name = structures.by_key(parts.get("kwonlydefaults"))
    for name in structures.strings(parts.get("kwonlyargs")):
        yield Parameter(name=name, kind="keyword", default=by_name.get(name))
    yield from _rest("varkw", parts)


def _rest(kind: str, parts: Mapping[str, Structure]) -> Iterator[Parameter]:
    name = parts[kind].facts.get("value") if kind in parts else None
    if isinstance(name, str):
        yield Parameter(name=name, kind=kind)
