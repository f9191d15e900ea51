"""The check of a GraphDef against the ops of a release, as `tf.import_graph_def` makes it.

TensorFlow's importer makes the same passes in this order: graph versions, functions of the library, nodes of the main
graph, their inputs, and the bodies of the functions that are reached. TensorFlow stops at the first fault; this check
yields all.
"""

from __future__ import annotations

from itertools import chain

from opspec_lint.frameworks.tensorflow.extract import op_defs
from opspec_lint.frameworks.tensorflow.saved.graphs import (
    attrs,
    devices,
    kernels,
    node_names,
    nodes,
    ranks,
    remedies,
    versions,
    wiring,
)
from opspec_lint.frameworks.tensorflow.saved.graphs.bulk_check import BulkCheck
from opspec_lint.frameworks.tensorflow.saved.graphs.inert_attrs import INERT
from opspec_lint.frameworks.tensorflow.saved.graphs.kinds import NodeKind
from opspec_lint.frameworks.tensorflow.saved.graphs.known_ops import library_of
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import shorten
from opspec_lint.models.fault import model_fault, new_fault, not_judged, op_fault
from opspec_lint.spec import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from opspec_lint.frameworks.tensorflow.saved.graphs.known_ops import KnownOps
    from opspec_lint.frameworks.tensorflow.saved.graphs.nodes import CheckedNode
    from opspec_lint.frameworks.tensorflow.saved.graphs.release import TargetRelease
    from opspec_lint.frameworks.tensorflow.saved.graphs.stored import StoredGraph
    from opspec_lint.spec.fact import Effect, Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Op, Spec

_MAX_CHECKS = 20_000
"""Node checks that are cached; a full cache is emptied."""
_CALLS = frozenset(("PartitionedCall", "StatefulPartitionedCall", "SymbolicGradient"))
"""The ops whose shape function enters the body of the function that they call, so that an import checks it."""


class ImportOptions(Record):
    """Arguments of an import. Each spec is None if it is not known.

    - `producer_ops`: ops with the defaults at which unknown attrs are stripped from the main graph (the argument of
      this name of `tf.import_graph_def`)
    - `saved_by`: ops of the release that saved the model, whose defaults its nodes mean
    - `writer_ops`: the op list that the saver stored in the model
    - `in_functions`: effect of an unknown attr in a function that is reached; None for the effect in the main graph
    - `known`: the ops of all included releases
    """

    producer_ops: Spec | None = None
    saved_by: Spec | None = None
    writer_ops: Spec | None = None
    in_functions: Effect | None = None
    known: KnownOps | None = None


class Importer:
    """The import of one GraphDef into a release."""

    def __init__(self, graph: StoredGraph, release: TargetRelease, options: ImportOptions) -> None:
        self.graph = graph
        self.nodes = graph.node
        self.release = release
        self.options = options
        self.functions = {function.signature.name: function for function in graph.library.function}
        self._function_ops: dict[str, Op] = {}
        self._function_call_checks: dict[tuple[str, tuple[bytes, ...]], CheckedNode] = {}
        """Checks of nodes that call a function of the library: other graphs declare others under the same names."""
        self._main_kinds: list[NodeKind] = []
        self._faults: dict[int | str, tuple[Fact, ...]] = {}
        self._op_list_functions: dict[str, None] | None = None
        self._unjudged: frozenset[str] | None = None
        versions_of = graph.versions if graph.HasField("versions") else None
        self.producer = versions_of.producer if versions_of is not None else graph.version

    def faults(self) -> Iterator[Fact]:
        """Yield all faults of the main graph and of the functions that it reaches."""
        yield from versions.faults(self.graph, self.release)
        yield from self.library_faults()
        yield from self.main_faults()
        entered, run = self.reachable_functions()
        for name in entered:
            yield from self.body_faults(name, is_entered=True)
        for name in run:
            yield from self.body_faults(name, is_entered=False)

    # The library

    def library_faults(self) -> Iterator[Fact]:
        """Yield the functions of the library that cannot be registered: named like an op, or defined twice."""
        seen: dict[str, bytes] = {}
        for function in self.graph.library.function:
            name, data = function.signature.name, function.SerializeToString(deterministic=True)
            if name in self.release.ops:
                yield _function_fault(name, "has the same name as an op of the release", "model_function_conflict")
            elif seen.setdefault(name, data) != data:  # TensorFlow accepts a repeated equal definition
                yield _function_fault(name, "is defined twice, differently", "model_function_conflict")

    def reachable_functions(self) -> tuple[list[str], list[str]]:
        """Return the functions whose bodies the import checks, and those that are reached only when the graph runs."""
        if not self.functions:
            return [], []
        entered = self._reached_from_main(only_calls=True)
        every = self._reached_from_main(only_calls=False)
        return list(entered), [name for name in every if name not in entered]

    def _reached_from_main(self, *, only_calls: bool) -> dict[str, None]:
        return self._reached_from(((kind.op, kind.checked) for kind in self._main_kinds), only_calls=only_calls)

    def _reached_from(self, callers: Iterable[tuple[str, CheckedNode | None]], *, only_calls: bool) -> dict[str, None]:
        """Return the functions that (op, check) pairs reach through calls, in the order in which they are reached."""
        # A dict keeps the order in which functions are reached, which is the order of the faults.
        reached: dict[str, None] = {}
        waiting = [callers]
        while waiting:
            for op, checked in waiting.pop():
                for name in self._called_functions(op, checked, only_calls=only_calls):
                    if name not in reached and name in self.functions:
                        reached[name] = None
                        waiting.append((node.op, self.check(node)) for node in self.functions[name].node_def)
        return reached

    def _called_functions(self, op: str, checked: CheckedNode | None, *, only_calls: bool) -> tuple[str, ...]:
        if op in self.functions:
            return (op,)
        return () if checked is None or (only_calls and op not in _CALLS) else checked.functions

    def _unjudged_functions(self) -> frozenset[str]:
        """Return the functions that kernels may never run, and those that they call."""
        if self._unjudged is None:
            bodies = {
                name: [(node.op, self.check(node)) for node in function.node_def]
                for name, function in self.functions.items()
            }
            marked = {name for name in bodies if kernels.may_never_run(attrs.read(self.functions[name].attr))}
            main = [(kind.op, kind.checked) for kind in self._main_kinds]
            callers: list[tuple[str, CheckedNode | None]] = [
                (op, checked)
                for op, checked in chain(main, *bodies.values())
                if checked is not None and kernels.is_compiled(checked.attrs, op)
            ]
            callers += [pair for name in marked for pair in bodies[name]]
            self._unjudged = frozenset(marked.union(self._reached_from(callers, only_calls=False)))
        return self._unjudged

    # Nodes

    def find_op(self, op: str) -> Op | None:
        """Return the declaration of an op of the release, or the signature of a library function of this name."""
        if op not in self.functions:
            return self.release.ops.get(op)
        if op not in self._function_ops:
            self._function_ops[op] = op_defs.read(self.functions[op].signature.SerializeToString())
        return self._function_ops[op]

    def check(self, node: Any) -> CheckedNode | None:
        """Check a node without its inputs; None if neither the release nor the library declares its op."""
        return self._check(node.op, attrs.strip_tensors(node.attr))

    def _check(self, name: str, entries: tuple[bytes, ...]) -> CheckedNode | None:
        """Return the cached check of a node by op and attr entries; None if nothing declares the op."""
        op = self.find_op(name)
        if op is None:
            return None
        memo = self._function_call_checks if name in self.functions else self.release.node_checks
        key = name, entries
        memo_entry = memo.get(key)
        if memo_entry is None:
            if len(memo) >= _MAX_CHECKS:
                memo.clear()
            memo[key] = memo_entry = nodes.check_node(op, entries, self.release)
        return memo_entry

    def main_faults(self) -> Iterator[Fact]:
        """Yield the faults of the nodes of the main graph and of their inputs."""
        graph = self.nodes
        bulk_check = BulkCheck(graph, self._make_kind)
        graph.ops, graph.names = bulk_check.ops(), bulk_check.distinct_names
        # First a bulk check of all nodes: only the few that it flags are checked in Python below.
        self._main_kinds = list(dict.fromkeys(bulk_check.kinds))
        if not bulk_check.has_good_names:
            yield from node_names.faults(graph, allows_compound=self.release.allows_compound_names)
        for place in bulk_check.flagged:
            name, kind = bulk_check.names[place], bulk_check.kinds[place]
            for fault in kind.faults:
                yield fault.replace(node=name)
            fault_of_device = devices.name_fault(kind.device) if kind.device else None
            if fault_of_device is not None:
                yield fault_of_device.replace(node=name, op=kind.op)
            yield from _colocation_faults(name, bulk_check.missing_colocations.get(place, ()))
        for place in bulk_check.flagged:
            checked = bulk_check.kinds[place].checked
            if checked is not None and checked.functions:
                yield from self._missing_functions(graph[place], checked)
        yield from wiring.faults(graph, bulk_check)
        yield from ranks.faults(graph, bulk_check, self.producer)

    def _make_kind(self, key: bytes) -> NodeKind:
        """Return the kind of the nodes with the key `key` (`NodeColumns.keys`)."""
        node = self.nodes.parse_node(key)
        op = node.op
        checked = self._check(op, attrs.strip_tensors(node.attr))
        # The id of a check identifies it: `NodeKind` keeps the check alive, so the id is not reused.
        by = op if checked is None else id(checked)
        if by not in self._faults:
            self._faults[by] = tuple(self._node_faults(op, checked))
        return NodeKind(op, checked, kernels.on_device(self._faults[by], node.device), node.device)

    def _node_faults(
        self, name: str, checked: CheckedNode | None, *, function: str | None = None, effect: Effect = "refused"
    ) -> Iterator[Fact]:
        """Yield the faults of a node without its inputs.

        Args:
            name: the op of the node.
            checked: the check of the node, None if nothing declares its op.
            function: the function that contains the node, None for the main graph.
            effect: the effect of a fault: at import, or when the function runs.
        """
        op, is_main = self.find_op(name), function is None
        if op is None or checked is None:
            yield self._unknown_op(name, function, effect)
            return
        if is_main and op.deprecation_version and name not in self.functions:
            yield from self._deprecation_fault(op, effect)
        yield from self._unknown_attrs(op, checked, is_main=is_main, effect=effect)
        for attr in checked.missing:
            yield op_fault("model_attr_missing", name, effect, "missing_attr", kind="attr", name=attr)
        for problem in checked.problems:
            yield op_fault(
                problem.event, name, effect, problem.reason, kind="attr", name=problem.name, **dict(problem.facts)
            ).replace(old=problem.old, new=problem.new)
        yield from self._default_faults(name, checked)
        if name == "Const":
            yield from _const_faults(checked)
        if name not in self.functions and not (function is not None and function in self._unjudged_functions()):
            yield from kernels.faults(op, checked)

    def _unknown_op(self, name: str, function: str | None, effect: Effect) -> Fact:
        """Return the fault of a node whose op the release lacks; not judged if a library may register the op."""
        known, module = self.options.known, library_of(name)
        first_release = None if known is None else known.first_release_of(name)
        may_be_registered = known is not None and first_release is None and known.has_releases
        if module is None and (not may_be_registered or self._writer_lacks(name, function)):
            remedy = remedies.for_op(name, first_release)
            facts = {"remedy": remedy}
            return new_fault(
                event="model_op_unknown", kind="op", op=name, name=name, effect=effect, reason="unknown_op", facts=facts
            )
        problem, remedy = remedies.for_library(name, module)
        return not_judged(name, problem, remedy, op=name).replace(reason="op_of_library")

    def _writer_lacks(self, op: str, function: str | None) -> bool:
        """Return whether the saver of the model lacked an op too: its stored op list covers the node, and lacks it."""
        written = self.options.writer_ops
        return written is not None and op not in written.ops and (function is None or function in self._in_op_list())

    def _in_op_list(self) -> dict[str, None]:
        """Return the functions that the main graph calls: the op list of the meta graph names their ops alone."""
        if self._op_list_functions is None:
            callers = ((node.op, self.check(node)) for node in self.nodes.mentioning(_CALLS) if node.op in _CALLS)
            self._op_list_functions = self._reached_from(callers, only_calls=True)
        return self._op_list_functions

    def _deprecation_fault(self, op: Op, effect: Effect) -> Iterator[Fact]:
        """Yield the fault of a deprecated op: refused only for graphs as new as the deprecation."""
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

    def _unknown_attrs(self, op: Op, checked: CheckedNode, *, is_main: bool, effect: Effect) -> Iterator[Fact]:
        """Yield the attrs of a node that its op lacks, unless the importer strips them."""
        if op.name in self.functions:
            return
        # `import_graph_def` strips unknown attrs at their defaults from the main graph only, not from functions.
        stripping = self.options.producer_ops if is_main else None
        producer = None if stripping is None else stripping.ops.get(op.name)
        outcome = self.release.unknown_attr_effect
        # Up to 2.4, an unknown attr in a body stops the call of the function, and the import only if this enters it.
        if outcome == "refused" and not is_main:
            outcome = self.options.in_functions or effect
        for name, value in checked.unknown:
            if not nodes.is_strippable(name, value, producer):
                yield self._unknown_attr(op.name, name, value, outcome)

    def _unknown_attr(self, op: str, name: str, value: Any, outcome: Effect) -> Fact:
        """Return the fault of an attr that the op of the release lacks; `outcome` is the effect in the importer.

        An ignored attr changes the meaning of the model if its value is not the default and matters (`INERT`).
        """
        if outcome == "cannot_tell":
            problem = f"'{op}' has no attr '{name}', which TensorFlow up to 2.4 refuses and later ignores"
            return self.release.not_judged(name, problem, op=op).replace(kind="attr", reason="graph_version_unknown")
        saver = self.options.saved_by or self.options.writer_ops
        declared = None if saver is None or op not in saver.ops else nodes.find_attr(saver.ops[op], name)
        known = self.options.known
        first_release, first_declared = (None, None) if known is None else known.first_attr(op, name)
        declared = declared or first_declared
        is_default = None if declared is None else nodes.is_default(declared, value)
        effect, reason = outcome, "unknown_attr" if outcome in ("refused", "fails_at_run") else None
        if outcome == "loads" and is_default is False and name not in INERT:
            effect, reason = "changed", "attr_ignored"
        remedy = remedies.for_attr(op, name, first_release, is_default=is_default)
        return op_fault("model_attr_unknown", op, effect, reason, kind="attr", name=name, remedy=remedy)

    def _default_faults(self, name: str, checked: CheckedNode) -> Iterator[Fact]:
        """Yield the attrs that a node leaves out, and whose default differs between the saver and this release."""
        saver = self.options.saved_by or self.options.producer_ops
        if saver is None or not checked.filled:
            return
        # No loader compares defaults: the graph loads, and computes something else without a message.
        for attr, before in nodes.changed_defaults(checked, saver.ops.get(name)):
            old, new = values.thaw(before), values.thaw(attr.default_value)
            facts = {"saved": shorten(values.show(old), 200), "filled": shorten(values.show(new), 200)}
            yield op_fault("model_attr_default_differs", name, "changed", kind="attr", name=attr.name, **facts).replace(
                old=old, new=new
            )

    def _missing_functions(self, node: Any, checked: CheckedNode) -> Iterator[Fact]:
        """Yield the functions that the attrs of a node name, and that neither library nor release has."""
        for name in checked.functions:
            if name and name not in self.functions and name not in self.release.ops:
                # The importer does not resolve names of functions in attrs; the kernel does.
                yield _function_fault(name, "is not in the library", "model_function_missing", "fails_at_run", node)

    # Functions

    def body_faults(self, name: str, *, is_entered: bool) -> Iterator[Fact]:
        """Yield the faults of the nodes of a function; unless the import enters its body, they appear at run time."""
        effect: Effect = "refused" if is_entered else "fails_at_run"
        judged: dict[int | str, tuple[CheckedNode | None, tuple[Fact, ...]]] = {}
        for node in self.functions[name].node_def:
            checked = self.check(node)
            key = node.op if checked is None else id(checked)
            if key not in judged:
                faults = tuple(self._node_faults(node.op, checked, function=name, effect=effect))
                judged[key] = checked, faults
            _, faults = judged[key]
            faults = kernels.on_device(faults, node.device)
            yield from (fault.replace(graph=name, node=node.name) for fault in faults)
            if checked is not None and checked.functions:
                for fault in self._missing_functions(node, checked):
                    yield fault.replace(graph=name)


def _colocation_faults(node: str, missing_colocations: Iterable[str]) -> Iterator[Fact]:
    """Yield a fault for each colocation target of a node that does not exist."""
    for target in missing_colocations:
        problem = "is not a node, but this node must be colocated with it"
        yield devices.device_fault(target, problem, "refused", "colocation").replace(node=node)


def _const_faults(checked: CheckedNode) -> Iterator[Fact]:
    """Yield a constant whose tensor has another dtype than its attr `dtype`: the kernel refuses it, not the import."""
    value, dtype = checked.attrs.get("value"), checked.attrs.get("dtype")
    if value is None or dtype is None or value.WhichOneof("value") != "tensor":
        return
    given, declared = attrs.dtype_of(value), attrs.dtype_of(dtype)
    if declared is not None and given != declared:
        facts = {"given": given or "nothing", "declared": declared}
        yield op_fault("model_const_type", "Const", "fails_at_run", "const", kind="attr", name="value", **facts)


def _function_fault(name: str, problem: str, event: EventId, effect: Effect = "refused", node: Any = None) -> Fact:
    return model_fault(event, name, effect, event.removeprefix("model_"), problem=problem).replace(
        node=None if node is None else node.name, op=None if node is None else node.op
    )
