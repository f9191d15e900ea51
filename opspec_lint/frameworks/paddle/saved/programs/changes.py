"""The effect of a changed op on saved programs in the legacy executor and predictor, as the worst level.

It compares two declarations; `node_check` checks one node against one declaration.
"""

from __future__ import annotations

from opspec_lint.diff.changes.arguments import is_addition, is_removal
from opspec_lint.frameworks.paddle.saved.programs import op_upgrades
from opspec_lint.frameworks.paddle.saved.programs.attrs import ACCEPTED_TYPES
from opspec_lint.frameworks.paddle.saved.programs.check import is_parsed
from opspec_lint.frameworks.paddle.saved.programs.node_check import is_control, is_output_required

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.report.findings import Level
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Declared, Spec

_LOSSLESS = {("INT", "LONG"), ("INTS", "LONGS"), ("INT", "FLOAT64"), ("FLOAT", "FLOAT64"), ("FLOATS", "FLOAT64S")}
"""The conversions that keep every value."""
_REQUIRING_EVENTS: frozenset[EventId] = frozenset(
    {"output_added_not_dispensable", "dispensable_cleared", "extra_cleared_not_optional"}
)
"""The events by which head requires an argument that a saved program may lack."""

_UNMEASURED_LEVEL: Level = "warning"
"""The level for an intermediate output that a program lacks, of an op that was not measured (`needed_outputs.py`)."""


def worst_level(fact: Fact, head: Spec) -> Level:
    """Return the worst level of a changed op under the loaders of head."""
    if fact.kind in ("input", "output") and is_control(fact.op or ""):
        return "note"
    if is_addition(fact):
        is_unmeasured = fact.event in _REQUIRING_EVENTS and not _is_required_by_loader(fact, head)
        return _UNMEASURED_LEVEL if is_unmeasured else "error"
    if is_removal(fact):
        return _removal_level(fact, head)
    return "error" if fact.field is None else _field_level(fact, head)


def breaks_older(fact: Fact, base: Spec) -> bool:
    """Return whether a change can break programs of head under the loaders of base.

    An older release ignores inputs, outputs and attrs that it lacks, and knows arguments that were extra. The exception
    is an attr of a type that it cannot parse.
    """
    if fact.field == "extra" and fact.kind != "source":
        return False
    if not is_addition(fact):
        return True
    return fact.kind == "attr" and not is_parsed(str(fact.new.get("type")), base)


def _field_level(change: Fact, head: Spec) -> Level:
    """Return the level of a changed field of an argument."""
    if change.field == "type" and change.kind == "attr" and change.old in ACCEPTED_TYPES.get(str(change.new), ()):
        return "note" if (change.old, change.new) in _LOSSLESS else "warning"
    if change.event in _REQUIRING_EVENTS and not _is_required_by_loader(change, head):
        return _UNMEASURED_LEVEL
    if change.event == "intermediate_cleared":
        is_needed = change.kind == "output" and change.after is not None and _is_required(change.after)
        return "error" if is_needed else "note"
    return "error"


def _removal_level(change: Fact, head: Spec) -> Level:
    """Return the level of a removed argument."""
    if change.kind == "attr":
        if op_upgrades.moves_attr(change.op or "", change.name or "", head):
            return "note"
        return "warning" if is_parsed(str(change.old.get("type")), head) else "error"
    if change.kind == "output" and change.old.get("intermediate") is True:
        return "note"
    return "warning" if change.old.get("dispensable") is True else "error"


def _is_required_by_loader(change: Fact, head: Spec) -> bool:
    """Return whether head certainly stops at a node without a required argument."""
    if change.kind != "output" or change.after is None:
        return True
    return is_output_required(change.op or "", change.after, head.provenance.version) is True


def _is_required(argument: Declared) -> bool:
    """Return whether an argument is neither dispensable nor extra."""
    return argument.get("dispensable") is not True and argument.get("extra") is not True
