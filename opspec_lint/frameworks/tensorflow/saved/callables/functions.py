"""The functions in the object graph of a SavedModel, with their traces, and the traces behind its signatures."""

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
_MAX_PARTS = 200_000
"""Limit of the parts of all structures together: many functions can share a large trace, which is printed for each."""


class ObjectGraph:
    """Reads the callables of one SavedObjectGraph."""

    def __init__(self, graph: Any) -> None:
        self._nodes = graph.nodes
        self._concrete = graph.concrete_functions
        self._bare = {
            node.bare_concrete_function.concrete_function_name: node.bare_concrete_function
            for node in graph.nodes
            if node.WhichOneof("kind") == _BARE
        }
        self._parts_left = _MAX_PARTS
        self._sized_traces: dict[str, tuple[Trace, int]] = {}

    def functions(self) -> tuple[Function, ...]:
        """Return the functions that can be reached from the root, by their shortest path, such as "layer.call"."""
        functions = []
        for name, node in self._walk():
            kind = node.WhichOneof("kind")
            if kind == _FUNCTION:
                traces = tuple(
                    self._limited_trace(name_of_trace)
                    for name_of_trace in dict.fromkeys(node.function.concrete_functions)
                )
                spec = node.function.function_spec
                functions.append(
                    Function(
                        name=name,
                        traces=traces,
                        parameters=tuple(_parameters(spec)),
                        is_restricted=_is_restricted(spec),
                    )
                )
            elif kind == _BARE:
                trace = self._limited_trace(node.bare_concrete_function.concrete_function_name)
                functions.append(Function(name=name, traces=(trace,), is_bare=True))
        return tuple(sorted(functions, key=lambda function: function.name))

    def signatures(self) -> Mapping[str, Trace]:
        """Return the trace of each signature, by signature key."""
        return {
            key: trace for key, at in sorted(self._children(self._signature_map())) for trace in self._first_trace(at)
        }

    def _first_trace(self, at: int) -> Iterator[Trace]:
        """Yield the first trace of the object with this index, if it is a function."""
        node = self._nodes[at]
        kind = node.WhichOneof("kind")
        if kind == _BARE:
            yield self._limited_trace(node.bare_concrete_function.concrete_function_name)
        elif kind == _FUNCTION:
            yield from map(self._limited_trace, node.function.concrete_functions[:1])

    def _signature_map(self) -> int:
        """Return the index of the object `signatures` of the root, -1 for none."""
        return dict(self._children(0)).get(_SIGNATURES, -1)

    def _children(self, at: int) -> list[tuple[str, int]]:
        """Return name and index of the children of an object; children that do not exist are left out."""
        if not 0 <= at < len(self._nodes):
            return []
        known = range(len(self._nodes))
        return [(child.local_name, child.node_id) for child in self._nodes[at].children if child.node_id in known]

    def _walk(self) -> Iterator[tuple[str, Any]]:
        """Yield path and object breadth first, each object once; children of functions are not entered."""
        # Signatures are reported separately, so their map counts as seen.
        seen, level = {0, self._signature_map()}, [("", 0)]
        while level:
            following = []
            for path, at in level:
                node = self._nodes[at] if at < len(self._nodes) else None
                if node is None:
                    continue
                yield path, node
                if node.WhichOneof("kind") in (_FUNCTION, _BARE):
                    continue
                for name, child in sorted(self._children(at)):
                    if child not in seen:
                        seen.add(child)
                        following.append((_join_path(path, name), child))
            level = following

    def _limited_trace(self, name: str) -> Trace:
        """Return the trace of a concrete function, without structures once their limit is reached."""
        if name not in self._sized_traces:
            trace = self._read_trace(name)
            self._sized_traces[name] = trace, sum(map(_count_parts, (trace.inputs, trace.outputs)))
        trace, size = self._sized_traces[name]
        self._parts_left -= size + 1
        return trace if self._parts_left > 0 else trace.replace(inputs=None, outputs=None)

    def _read_trace(self, name: str) -> Trace:
        """Return the trace of a concrete function, with the arguments of a bare one by name."""
        bare = self._bare.get(name)
        concrete = self._concrete.get(name)
        return Trace(
            inputs=None if concrete is None else structures.parse_structure(concrete.canonicalized_input_signature),
            outputs=None if concrete is None else structures.parse_structure(concrete.output_signature),
            keywords=None if bare is None else tuple(bare.argument_keywords),
            positional=None if bare is None else bare.allowed_positional_arguments,
        )


def _count_parts(structure: Structure | None) -> int:
    """Return the number of nodes of a structure."""
    return 0 if structure is None else 1 + sum(_count_parts(part) for part in structures.items(structure))


_MAX_PATH = 400
"""Characters of the path of an object; a longer path is cut in its middle."""


def _join_path(path: str, name: str) -> str:
    whole = f"{path}.{name}" if path else name
    return whole if len(whole) <= _MAX_PATH else f"{whole[: _MAX_PATH // 2]}...{whole[-_MAX_PATH // 2 :]}"


def _is_restricted(spec: Any) -> bool:
    """Return whether `tf.function` was given an input_signature, so that it is never retraced."""
    return spec.input_signature.WhichOneof("kind") not in (None, "none_value")


def _parameters(spec: Any) -> Iterator[Parameter]:
    """Yield the parameters of a FunctionSpec from `fullargspec`, the result of Python's `inspect.getfullargspec`."""
    parts = structures.by_key(structures.parse_structure(spec.fullargspec))
    names = structures.strings(parts.get("args"))
    defaults: list[Structure | None] = [*structures.items(parts.get("defaults"))]
    # As in Python, defaults belong to the last parameters; a method's `self` is skipped.
    padded = [None] * (len(names) - len(defaults)) + defaults
    for name, default in zip(names[spec.is_method :], padded[spec.is_method :], strict=False):
        yield Parameter(name=name, default=default)
    yield from _variadic("varargs", parts)
    by_name = structures.by_key(parts.get("kwonlydefaults"))
    for name in structures.strings(parts.get("kwonlyargs")):
        yield Parameter(name=name, kind="keyword", default=by_name.get(name))
    yield from _variadic("varkw", parts)


def _variadic(kind: str, parts: Mapping[str, Structure]) -> Iterator[Parameter]:
    """Yield the parameter for further arguments, "varargs" or "varkw", if there is one."""
    name = parts[kind].facts.get("value") if kind in parts else None
    if isinstance(name, str):
        yield Parameter(name=name, kind=kind)
