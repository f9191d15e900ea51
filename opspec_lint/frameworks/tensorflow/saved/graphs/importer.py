"""A graph checked against the ops of a release, as `tf.import_graph_def` does: versions, functions, nodes, wiring.

All that is wrong is named, in the order of the importer's own passes; TensorFlow stops at the first.
"""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract import op_defs
from opspec_lint.frameworks.tensorflow.saved.graphs import attrs, devices, nodes, remedies, versions, wiring
from opspec_lint.frameworks.tensorflow.saved.graphs.inert_attrs import INERT
from opspec_lint.frameworks.tensorflow.saved.graphs.kinds import Kind
from opspec_lint.frameworks.tensorflow.saved.graphs.known_ops import library_of
from opspec_lint.frameworks.tensorflow.saved.graphs.survey import Survey
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import shorten
from opspec_lint.models.fault import model_fault, new_fault, not_judged, op_fault
from opspec_lint.spec import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator
    from typing import Any

    from opspec_lint.frameworks.tensorflow.saved.graphs.known_ops import KnownOps
    from opspec_lint.frameworks.tensorflow.saved.graphs.nodes import Checked
    from opspec_lint.frameworks.tensorflow.saved.graphs.release import Release
    from opspec_lint.frameworks.tensorflow.saved.graphs.stored import StoredGraph
    from opspec_lint.spec.fact import Effect, Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Op, Spec

_PART = r"[A-Za-z0-9.][A-Za-z0-9_./-]*"
_NODE_NAMES = (pattern(_PART), pattern(rf"{_PART}(?:>{_PART})*"))
"""The names of nodes in a release that takes no part behind a >, and in one that does."""
_MOST_CHECKS = 20_000
"""Checks of nodes that are kept."""
_CALLS = frozenset(("PartitionedCall", "StatefulPartitionedCall", "SymbolicGradient"))
"""The ops whose shape function enters the body of the function that they call."""


class Options(Record):
    """How a graph is imported.

    `producer_ops` are the declarations by which unknown attrs at their defaults are stripped from the main graph,
    `saved_by` those that say which defaults its saver had, and `writer_ops` those that the saver wrote into the model,
    None where there are none. `in_functions` is what an attr that an op has not leads to in a function that is reached;
    None for what it leads to in the main graph. `known` are the ops of all releases, None if no release is included.
    """

    producer_ops: Spec | None = None
    saved_by: Spec | None = None
    writer_ops: Spec | None = None
    in_functions: Effect | None = None
    known: KnownOps | None = None


class Importer:
    """The import of one GraphDef.

    Args:
        graph: the graph.
        release: the release that imports it.
        options: how.
    """

    def __init__(self, graph: StoredGraph, release: Release, options: Options) -> None:
        self.graph = graph
        self.nodes = graph.node
        self.release = release
        self.options = options
        self.functions = {each.signature.name: each for each in graph.library.function}
        self._declared: dict[str, Op] = {}
        self._own: dict[tuple[str, tuple[bytes, ...]], Checked] = {}
        """The checks of nodes whose ops are functions of the library."""
        self._main: list[Kind] = []  # the kinds of the main graph's nodes
        self._faults: dict[int | str, tuple[Fact, ...]] = {}
        self._listed: dict[str, None] | None = None
        versions_of = graph.versions if graph.HasField("versions") else None
        self.producer = versions_of.producer if versions_of is not None else graph.version

    def faults(self) -> Iterator[Fact]:
        """Yield all that is wrong with the main graph and the functions that it reaches."""
        yield from versions.faults(self.graph, self.release)
        yield from self.library_faults()
        yield from self.main_faults()
        entered, run = self.reached()
        for name in entered:
            yield from self.body_faults(name, is_entered=True)
        for name in run:
            yield from self.body_faults(name, is_entered=False)

    # The library

    def library_faults(self) -> Iterator[Fact]:
        """Yield what keeps the functions of the library from being registered."""
        seen: dict[str, bytes] = {}
        for each in self.graph.library.function:
            name, data = each.signature.name, each.SerializeToString(deterministic=True)
            if name in self.release.ops:
                yield _function(name, "has the same name as an op of the release", "model_function_conflict")
            elif seen.setdefault(name, data) != data:  # the same definition may come again
                yield _function(name, "is defined twice, differently", "model_function_conflict")

    def reached(self) -> tuple[list[str], list[str]]:
        """Return the functions whose bodies the import enters, and those that only a run can reach."""
        if not self.functions:
            return [], []
        entered = self._closure(only_calls=True)
        every = self._closure(only_calls=False)
        return list(entered), [name for name in every if name not in entered]

    def _closure(self, *, only_calls: bool) -> dict[str, None]:
        return self._reached_from(((kind.op, kind.checked) for kind in self._main), only_calls=only_calls)

    def _reached_from(self, callers: Iterable[tuple[str, Checked | None]], *, only_calls: bool) -> dict[str, None]:
        found: dict[str, None] = {}
        waiting = [callers]
        while waiting:
            for op, checked in waiting.pop():
                for name in self._called(op, checked, only_calls=only_calls):
                    if name not in found and name in self.functions:
                        found[name] = None
                        waiting.append((node.op, self.check(node)) for node in self.functions[name].node_def)
        return found

    def _called(self, op: str, checked: Checked | None, *, only_calls: bool) -> tuple[str, ...]:
        if op in self.functions:
            return (op,)
        return () if checked is None or (only_calls and op not in _CALLS) else checked.functions

    # Nodes

    def declared(self, op: str) -> Op | None:
        """Return the declaration of an op: that of the release, or else of a function of the library."""
        if op not in self.functions:
            return self.release.ops.get(op)
        if op not in self._declared:
            self._declared[op] = op_defs.read(self.functions[op].signature.SerializeToString())
        return self._declared[op]

    def check(self, node: Any) -> Checked | None:
        """Return the check of a node by itself, None where nothing declares its op."""
        return self._check(node.op, attrs.short(node.attr))

    def _check(self, name: str, entries: tuple[bytes, ...]) -> Checked | None:
        op = self.declared(name)
        if op is None:
            return None
        memo = self._own if name in self.functions else self.release.checked
        key = name, entries
        found = memo.get(key)
        if found is None:
            if len(memo) >= _MOST_CHECKS:
                memo.clear()
            memo[key] = found = nodes.check(op, entries, self.release)
        return found

    def main_faults(self) -> Iterator[Fact]:
        """Yield what is wrong with the nodes of the main graph and how they are wired."""
        graph = self.nodes
        survey = Survey(graph, self._kind)
        graph.ops, graph.names = survey.ops(), survey.distinct
        self._main = list(dict.fromkeys(survey.kinds))
        if not survey.has_good_names:
            yield from _name_faults(graph, _NODE_NAMES[self.release.takes_names_in_parts])
        for place in survey.odd:
            name, kind = survey.names[place], survey.kinds[place]
            for fault in kind.faults:
                yield fault.replace(node=name)
            if kind.device:
                yield from _device_faults(name, kind)
            yield from _colocation_faults(name, survey.astray.get(place, ()))
        for place in survey.odd:
            checked = survey.kinds[place].checked
            if checked is not None and checked.functions:
                yield from self._named_functions(graph[place], checked)
        yield from wiring.faults(graph, survey)

    def _kind(self, key: bytes) -> Kind:
        """Return the kind of a node by its bytes."""
        node = self.nodes.node(key)
        op = node.op
        checked = self._check(op, attrs.short(node.attr))
        by = op if checked is None else id(checked)  # it is kept, so that no other one has its id
        if by not in self._faults:
            self._faults[by] = tuple(self._node_faults(op, checked))
        return Kind(op, checked, self._faults[by], node.device)

    def _node_faults(
        self, name: str, checked: Checked | None, *, function: str | None = None, effect: Effect = "refused"
    ) -> Iterator[Fact]:
        """Yield the faults of a node by itself.

        Args:
            name: the op of the node.
            checked: the check of the node.
            function: the function that has the node, None for the main graph.
            effect: what a fault leads to.
        """
        op, is_main = self.declared(name), function is None
        if op is None or checked is None:
            yield self._unknown_op(name, function, effect)
            return
        if is_main and op.deprecation_version and name not in self.functions:
            yield from self._deprecation(op, effect)
        yield from self._unknown_attrs(op, checked, is_main=is_main, effect=effect)
        for each in checked.missing:
            yield op_fault("model_attr_missing", name, effect, "missing_attr", kind="attr", name=each)
        for problem in checked.problems:
            yield op_fault(
                problem.event, name, effect, problem.reason, kind="attr", name=problem.name, **dict(problem.facts)
            ).replace(old=problem.old, new=problem.new)
        yield from self._defaults(name, checked)
        if name == "Const":
            yield from _const_faults(checked)

    def _unknown_op(self, name: str, function: str | None, effect: Effect) -> Fact:
        """Return the fault of a node whose op the release lacks: refused, unless a library may register the op."""
        known, module = self.options.known, library_of(name)
        first = None if known is None else known.first_op(name)
        may_be_registered = known is not None and first is None and known.has_releases
        if module is None and (not may_be_registered or self._writer_lacks(name, function)):
            remedy = remedies.for_op(name, None if first is None else first[0])
            facts = {"remedy": remedy}
            return new_fault(
                event="model_op_unknown", kind="op", op=name, name=name, effect=effect, reason="unknown_op", facts=facts
            )
        problem, remedy = remedies.for_library(name, module)
        return not_judged(name, problem, remedy, op=name).replace(reason="op_of_library")

    def _writer_lacks(self, op: str, function: str | None) -> bool:
        """Tell whether the writer of the model did not have an op either: its op list covers the node, and lacks it."""
        written = self.options.writer_ops
        return written is not None and op not in written.ops and (function is None or function in self._in_op_list())

    def _in_op_list(self) -> dict[str, None]:
        """Return the functions whose ops are in the op list of a meta graph: those that its main graph calls."""
        if self._listed is None:
            callers = ((node.op, self.check(node)) for node in self.nodes.with_any(_CALLS) if node.op in _CALLS)
            self._listed = self._reached_from(callers, only_calls=True)
        return self._listed

    def _deprecation(self, op: Op, effect: Effect) -> Iterator[Fact]:
        since = op.deprecation_version if isinstance(op.deprecation_version, int) else 0
        is_gone = self.producer >= since
        yield op_fault(
            "model_op_deprecated",
            op.name,
            effect if is_gone else "loads",
            "deprecated_op" if is_gone else None,
            since=since,
            producer=self.producer,
            explanation=str(op.deprecation or ""),
        )

    def _unknown_attrs(self, op: Op, checked: Checked, *, is_main: bool, effect: Effect) -> Iterator[Fact]:
        if op.name in self.functions:
            return
        stripping = self.options.producer_ops if is_main else None
        producer = None if stripping is None else stripping.ops.get(op.name)
        outcome = self.release.at_unknown_attr
        if outcome == "refused" and not is_main:
            outcome = self.options.in_functions or effect
        for name, value in checked.unknown:
            if not nodes.stripped(name, value, producer):
                yield self._unknown_attr(op.name, name, value, outcome)

    def _unknown_attr(self, op: str, name: str, value: Any, outcome: Effect) -> Fact:
        """Return the fault of an attr that the op of the release lacks; `outcome` is what an importer does with it."""
        if outcome == "cannot_tell":
            problem = f"'{op}' has no attr '{name}', which TensorFlow up to 2.4 refuses and later ignores"
            return self.release.not_judged(name, problem, op=op).replace(kind="attr", reason="graph_version_unknown")
        saver = self.options.saved_by or self.options.writer_ops
        declared = None if saver is None or op not in saver.ops else nodes.attr_of(saver.ops[op], name)
        first = None if self.options.known is None else self.options.known.first_attr(op, name)
        declared = declared or (None if first is None else first[1])
        is_default = None if declared is None else nodes.is_default(declared, value)
        effect, reason = outcome, "unknown_attr" if outcome in ("refused", "fails_at_run") else None
        if outcome == "loads" and is_default is False and name not in INERT:
            effect, reason = "changed", "attr_ignored"
        remedy = remedies.for_attr(op, name, None if first is None else first[0], is_default=is_default)
        return op_fault("model_attr_unknown", op, effect, reason, kind="attr", name=name, remedy=remedy)

    def _defaults(self, name: str, checked: Checked) -> Iterator[Fact]:
        saver = self.options.saved_by or self.options.producer_ops
        if saver is None or not checked.filled:
            return
        for attr, before in nodes.changed_defaults(checked, saver.ops.get(name)):
            old, new = values.thaw(before), values.thaw(attr.default_value)
            facts = {"saved": shorten(values.show(old), 200), "filled": shorten(values.show(new), 200)}
            yield op_fault("model_attr_default_differs", name, "changed", kind="attr", name=attr.name, **facts).replace(
                old=old, new=new
            )

    def _named_functions(self, node: Any, checked: Checked) -> Iterator[Fact]:
        for name in checked.functions:
            if name and name not in self.functions and name not in self.release.ops:
                yield _function(name, "is not in the library", "model_function_missing", "fails_at_run", node)

    # Functions

    def body_faults(self, name: str, *, is_entered: bool) -> Iterator[Fact]:
        """Yield what is wrong with the nodes of a function.

        Args:
            name: the function.
            is_entered: whether the import enters its body; else what is wrong shows when it is run.
        """
        effect: Effect = "refused" if is_entered else "fails_at_run"
        judged: dict[int | str, tuple[Checked | None, list[Fact]]] = {}
        for node in self.functions[name].node_def:
            checked = self.check(node)
            key = node.op if checked is None else id(checked)
            if key not in judged:
                faults = list(self._node_faults(node.op, checked, function=name, effect=effect))
                judged[key] = checked, faults  # kept, so that no other check has its id
            yield from (each.replace(graph=name, node=node.name) for each in judged[key][1])
            if checked is not None and checked.functions:
                for fault in self._named_functions(node, checked):
                    yield fault.replace(graph=name)


def _name_faults(graph: Iterable[Any], taken: re.Pattern[str]) -> Iterator[Fact]:
    seen: set[str] = set()
    for node in graph:
        name = node.name
        if name in seen:
            yield _name(node, "is the name of two nodes", "duplicate_node")
        seen.add(name)
        if taken.fullmatch(name) is None:
            yield _name(node, "has characters that a name may not have", "node_name")


def _name(node: Any, problem: str, reason: str) -> Fact:
    facts = {"problem": problem}
    return model_fault("model_node_name", node.name, "refused", reason, **facts).replace(node=node.name, op=node.op)


def _device_faults(node: str, kind: Kind) -> Iterator[Fact]:
    problem = devices.problem(kind.device)
    if problem is None:
        return
    is_malformed = problem == "malformed"
    yield model_fault(
        "model_device",
        kind.device,
        "refused" if is_malformed else "fails_at_run",
        "device",
        problem="is not the name of a device" if is_malformed else "names a job that a single process does not have",
    ).replace(node=node, op=kind.op)


def _colocation_faults(node: str, astray: Iterable[str]) -> Iterator[Fact]:
    for other in astray:
        yield model_fault(
            "model_device",
            other,
            "refused",
            "colocation",
            problem="is not a node, but this node must be colocated with it",
        ).replace(node=node)


def _const_faults(checked: Checked) -> Iterator[Fact]:
    value, dtype = checked.attrs.get("value"), checked.attrs.get("dtype")
    if value is None or dtype is None or value.WhichOneof("value") != "tensor":
        return
    given, declared = attrs.dtype_of(value), attrs.dtype_of(dtype)
    if declared is not None and given != declared:
        facts = {"given": given or "nothing", "declared": declared}
        yield op_fault("model_const_type", "Const", "fails_at_run", "const", kind="attr", name="value", **facts)


def _function(name: str, problem: str, event: EventId, effect: Effect = "refused", node: Any = None) -> Fact:
    return model_fault(event, name, effect, event.removeprefix("model_"), problem=problem).replace(
        node=None if node is None else node.name, op=None if node is None else node.op
    )
