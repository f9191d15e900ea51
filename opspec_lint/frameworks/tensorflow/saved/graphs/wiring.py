"""How the nodes of a graph are wired: every input names an output that there is, of the type asked for; no cycle."""

from __future__ import annotations

from itertools import chain

from opspec_lint.frameworks.tensorflow.saved.graphs import cycles
from opspec_lint.frameworks.tensorflow.saved.graphs.nodes import REF
from opspec_lint.frameworks.tensorflow.saved.graphs.wires import split, wire
from opspec_lint.models.fault import model_fault, op_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from opspec_lint.frameworks.tensorflow.saved.graphs.kinds import Kind
    from opspec_lint.frameworks.tensorflow.saved.graphs.survey import Survey
    from opspec_lint.frameworks.tensorflow.saved.graphs.wires import Wire
    from opspec_lint.spec.fact import Fact


def faults(graph: Sequence[Any], survey: Survey) -> Iterator[Fact]:
    """Yield what is wrong with the wires of a graph.

    Args:
        graph: the nodes.
        survey: what a pass over them found.
    """
    if not survey.unsure and not survey.late:
        return
    kinds = survey.kinds
    texts = {place: list(graph[place].input) for place in survey.unsure}
    places = survey.sources(chain.from_iterable(texts.values()))
    wires = {place: [wire(text, places) for text in each] for place, each in texts.items()}
    unsure = ((place, at) for place, each in wires.items() for at, _ in each if at is not None and at >= place)
    stuck = cycles.stuck(graph, survey, chain(survey.late, unsure))
    for place in survey.unsure:
        expected = kinds[place].inputs
        if expected is not None and _fits(wires[place], expected, kinds):
            continue
        node = graph[place]
        yield from _wire_faults(node, wires[place], kinds)
        if expected is not None and place not in stuck:
            yield from _input_faults(node, expected, [each for each in wires[place] if each[1] >= 0], kinds)
    if stuck:
        node = graph[min(stuck)]
        yield _fault(node, node.name, "cycle", f"is one of {len(stuck)} nodes in a cycle, or downstream of one")


def _fits(wires: list[Wire], expected: tuple[str, ...], kinds: Sequence[Kind]) -> bool:
    """Tell whether a node surely takes what it should, from outputs that there are; control inputs stand at the end."""
    count = len(expected)
    if len(wires) < count or any(at is None or index >= 0 for at, index in wires[count:]):
        return False
    for (at, index), wanted in zip(wires[:count], expected, strict=True):
        outputs = None if at is None else kinds[at].outputs
        if outputs is None or not 0 <= index < len(outputs) or outputs[index] != wanted:
            return False
    return True


def _wire_faults(node: Any, wires: list[Wire], kinds: Sequence[Kind]) -> Iterator[Fact]:
    sources = [split(text)[0] for text in node.input]
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
    kinds: Sequence[Kind],
) -> Iterator[Fact]:
    if len(expected) != len(data):
        yield op_fault(
            "model_input_count", node.op, "refused", "input_count", given=len(data), expected=len(expected)
        ).replace(node=node.name, old=len(data), new=len(expected))
        return
    for at, (wanted, (place, index)) in enumerate(zip(expected, data, strict=True)):
        outputs = None if place is None else kinds[place].outputs
        if outputs is None or index >= len(outputs):
            continue
        given = outputs[index]
        if given != wanted and given != wanted + REF:
            yield op_fault(
                "model_input_type",
                node.op,
                "refused",
                "input_type",
                kind="input",
                name=str(at),
                given=_type_text(given),
                expected=_type_text(wanted),
            ).replace(node=node.name, old=given, new=wanted)


def _type_text(name: str) -> str:
    return f"a reference to {name.removesuffix(REF)}" if name.endswith(REF) else name


def _fault(node: Any, name: str, reason: str, problem: str) -> Fact:
    remedy = "export the model again"
    fault = model_fault("model_wiring", name, "refused", reason, problem=problem, remedy=remedy)
    return fault.replace(node=node.name, op=node.op)
