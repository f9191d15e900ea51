"""What becomes of a saved program where an op changed: how bad a change is at most in the executor and the predictor.

It is the counterpart of `node_check`, which checks one node against one declaration.
"""

from __future__ import annotations

from opspec_lint.diff.changes.arguments import is_addition, is_removal
from opspec_lint.frameworks.paddle.saved.programs import op_upgrades
from opspec_lint.frameworks.paddle.saved.programs.attrs import CONVERTED
from opspec_lint.frameworks.paddle.saved.programs.check import is_parsed
from opspec_lint.frameworks.paddle.saved.programs.node_check import is_control, only_when_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.report.findings import Level
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Declared, Spec

_EXACT = {("INT", "LONG"), ("INTS", "LONGS"), ("INT", "FLOAT64"), ("FLOAT", "FLOAT64"), ("FLOATS", "FLOAT64S")}
"""The conversions that keep every value."""
_DEMANDS: frozenset[EventId] = frozenset(
    {"output_added_not_dispensable", "dispensable_cleared", "extra_cleared_not_optional"}
)
"""The events by which head demands an argument that a saved program may not have."""

_KERNEL_DECIDES: Level = "warning"
"""The level of an intermediate output that a program lacks, of an op that was not measured (`needed_outputs.py`)."""


def worst_of(fact: Fact, head: Spec) -> Level:
    """Return the worst level of a fact, by what the loaders of head make of it.

    Args:
        fact: what is so of an op of base and of head.
        head: the spec of the release that loads.
    """
    if fact.kind in ("input", "output") and is_control(fact.op or ""):
        return "note"
    if is_addition(fact):
        return "error" if fact.event not in _DEMANDS or _is_demanded(fact) else _KERNEL_DECIDES
    if is_removal(fact):
        return _of_removal(fact, head)
    return "error" if fact.field is None else _of_field(fact)


def breaks_older(fact: Fact, base: Spec) -> bool:
    """Tell whether a program of head can break under the loaders of base by a fact.

    An older release ignores inputs, outputs and attrs that it does not have, and has those that were extra. An attr of
    a type that it cannot parse is the exception.
    """
    if fact.field == "extra" and fact.kind != "source":
        return False
    if not is_addition(fact):
        return True
    return fact.kind == "attr" and not is_parsed(str(fact.new.get("type")), base)


def _of_field(change: Fact) -> Level:
    if change.field == "type" and change.kind == "attr" and change.old in CONVERTED.get(str(change.new), ()):
        return "note" if (change.old, change.new) in _EXACT else "warning"
    if change.event in _DEMANDS and not _is_demanded(change):
        return _KERNEL_DECIDES
    if change.event == "intermediate_cleared":
        is_needed = change.kind == "output" and change.after is not None and _is_required(change.after)
        return "error" if is_needed else "note"
    return "error"


def _of_removal(change: Fact, head: Spec) -> Level:
    if change.kind == "attr":
        if op_upgrades.takes(change.op or "", change.name or "", head):
            return "note"
        return "warning" if is_parsed(str(change.old.get("type")), head) else "error"
    if change.kind == "output" and change.old.get("intermediate") is True:
        return "note"
    return "warning" if change.old.get("dispensable") is True else "error"


def _is_demanded(change: Fact) -> bool:
    """Tell whether a loader demands the argument that head demands."""
    return change.kind != "output" or change.after is None or only_when_named(change.op or "", change.after)


def _is_required(argument: Declared) -> bool:
    return argument.get("dispensable") is not True and argument.get("extra") is not True
