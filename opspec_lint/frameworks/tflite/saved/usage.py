"""The subgraphs of a TFLite model that the interpreter prepares, and the op codes that their nodes use.

`AllocateTensors` prepares the first subgraph, and the kernels of IF and WHILE prepare those that they name in their
options (`IfOptions`, `WhileOptions` of the schema). Another subgraph is prepared when its signature is run.
"""

from __future__ import annotations

from opspec_lint.frameworks.tflite.saved import reading
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from opspec_lint.frameworks.tflite.saved.reading import ModelFile, OperatorFile

_BRANCHING = {92: "IF", 93: "WHILE"}
"""The ops with subgraphs in their options, by the number of the options in `BuiltinOptions`."""


class Usage(Record):
    """The indices of op codes in subgraphs that `AllocateTensors` prepares, and in those prepared later."""

    at_once: AbstractSet[int]
    later: AbstractSet[int]


def usage(model: ModelFile) -> Usage:
    """Return the op codes that the nodes of a model use."""
    prepared = _reachable_subgraphs(model, {0})
    signed = _reachable_subgraphs(model, {signature.subgraph for signature in model.signatures}) - prepared
    return Usage(at_once=_used_codes(model, prepared), later=_used_codes(model, signed))


def _reachable_subgraphs(model: ModelFile, first: set[int]) -> set[int]:
    """Return the given subgraphs, and all that IF and WHILE in them run."""
    reached: set[int] = set()
    waiting = sorted(first)
    while waiting:
        index = waiting.pop()
        if index in reached or index >= len(model.subgraphs):
            continue
        reached.add(index)
        for place in model.subgraphs[index].operators:
            waiting += run_subgraphs(model, reading.operator(model.data, place))
    return reached


def run_subgraphs(model: ModelFile, operator: OperatorFile) -> tuple[int, ...]:
    """Return the indices of the two subgraphs that IF or WHILE runs, nothing for another operator."""
    op = model.codes[operator.code].name if operator.code < len(model.codes) else ""
    # A kernel sees no options of another op's type, so the type and the op have to agree.
    if operator.options is None or _BRANCHING.get(operator.options_type) != op:
        return ()
    return operator.options.scalar(0, "int"), operator.options.scalar(1, "int")


def _used_codes(model: ModelFile, subgraphs: set[int]) -> set[int]:
    """Return the indices of the op codes of all nodes in subgraphs."""
    places = (place for index in subgraphs for place in model.subgraphs[index].operators)
    return {reading.operator(model.data, place).code for place in places}
