"""The check of the inputs of nodes: each names an existing output of the expected type, and there is no cycle."""

from __future__ import annotations

from itertools import chain

from opspec_lint.frameworks.tensorflow.saved.graphs import cycles
from opspec_lint.frameworks.tensorflow.saved.graphs.nodes import REF
from opspec_lint.frameworks.tensorflow.saved.graphs.wires import input_node, resolve_input
from opspec_lint.models.fault import model_fault, op_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from opspec_lint.frameworks.tensorflow.saved.graphs.bulk_check import BulkCheck
    from opspec_lint.frameworks.tensorflow.saved.graphs.kinds import NodeKind
    from opspec_lint.frameworks.tensorflow.saved.graphs.wires import Wire
    from opspec_lint.spec.fact import Fact


def faults(graph: Sequence[Any], bulk_check: BulkCheck) -> Iterator[Fact]:
    """Yield the faults of the inputs of nodes that the bulk check could not verify, and of cycles."""
    if not bulk_check.unverified and not bulk_check.backward_edges:
        return
    kinds = bulk_check.kinds
    texts = {place: list(graph[place].input) for place in bulk_check.unverified}
    places = bulk_check.find_sources(chain.from_iterable(texts.values()))
    wires = {place: [resolve_input(text, places) for text in node_inputs] for place, node_inputs in texts.items()}
    unverified = (
        (place, at) for place, node_wires in wires.items() for at, _ in node_wires if at is not None and at >= place
    )
    in_cycles = cycles.nodes_in_cycles(graph, bulk_check, chain(bulk_check.backward_edges, unverified))
    for place in bulk_check.unverified:
        expected = kinds[place].inputs
        if expected is not None and _inputs_fit(wires[place], expected, kinds):
            continue
        node = graph[place]
        yield from _wire_faults(node, wires[place], kinds)
        if expected is not None and place not in in_cycles:
            yield from _input_faults(node, expected, [(at, index) for at, index in wires[place] if index >= 0], kinds)
    if in_cycles:
        node = graph[min(in_cycles)]
        yield _fault(node, node.name, "cycle", f"is one of {len(in_cycles)} nodes in a cycle, or downstream of one")


def _inputs_fit(wires: list[Wire], expected: tuple[str, ...], kinds: Sequence[NodeKind]) -> bool:
    """Return whether a node has the expected inputs, followed by control inputs only, and all are known to exist."""
    count = len(expected)
    if len(wires) < count or any(at is None or index >= 0 for at, index in wires[count:]):
        return False
    for (at, index), expected_type in zip(wires[:count], expected, strict=True):
        outputs = None if at is None else kinds[at].outputs
        if outputs is None or not 0 <= index < len(outputs) or outputs[index] != expected_type:
            return False
    return True


def _wire_faults(node: Any, wires: list[Wire], kinds: Sequence[NodeKind]) -> Iterator[Fact]:
    """Yield the inputs of a node that name no node or no output, or that follow a control input."""
    sources = [input_node(text) for text in node.input]
    first = next((at for at, (_, index) in enumerate(wires) if index < 0), len(wires))
    if any(index >= 0 for _, index in wires[first:]):
        yield _fault(node, sources[first], "control_order", "has a control input before a data input")
    for source, (at, index) in zip(sources, wires, strict=True):
        if at is None:
            yield _fault(node, source, "input_missing", f"takes an input from '{source}', which is not a node")
            continue
        outputs = kinds[at].outputs
        if outputs is not None and index >= len(outputs):
            given = f"takes output {index} of '{source}', which has {len(outputs)}"
            yield _fault(node, source, "output_index", given)


def _input_faults(
    node: Any,
    expected: tuple[str, ...],
    data: list[Wire],
    kinds: Sequence[NodeKind],
) -> Iterator[Fact]:
    """Yield a wrong number of data inputs, or the inputs of a wrong type."""
    if len(expected) != len(data):
        yield op_fault(
            "model_input_count", node.op, "refused", "input_count", given=len(data), expected=len(expected)
        ).replace(node=node.name, old=len(data), new=len(expected))
        return
    for at, (expected_type, (place, index)) in enumerate(zip(expected, data, strict=True)):
        outputs = None if place is None else kinds[place].outputs
        if outputs is None or index >= len(outputs):
            continue
        given = outputs[index]
        if given != expected_type and given != expected_type + REF:
            yield op_fault(
                "model_input_type",
                node.op,
                "refused",
                "input_type",
                kind="input",
                name=str(at),
                given=_type_text(given),
                expected=_type_text(expected_type),
            ).replace(node=node.name, old=given, new=expected_type)


def _type_text(name: str) -> str:
    return f"a reference to {name.removesuffix(REF)}" if name.endswith(REF) else name


def _fault(node: Any, name: str, reason: str, problem: str) -> Fact:
    remedy = "export the model again"
    fault = model_fault("model_wiring", name, "refused", reason, problem=problem, remedy=remedy)
    return fault.replace(node=node.name, op=node.op)
