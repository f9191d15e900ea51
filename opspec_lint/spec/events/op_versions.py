"""The events about op versions: registrations and version histories."""

from __future__ import annotations

from opspec_lint.spec.event import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.event import Events

_TOOLS = "an op's version history is read by tools, and stops no model"

EVENTS: Events = {
    "op_version_extended": Event(mirrors=("op_version_lost",), facts=("checkpoints", "new", "total"), not_shown=_TOOLS),
    "op_version_lost": Event(mirrors=("op_version_extended",), facts=("checkpoints", "total"), not_shown=_TOOLS),
    "op_version_names_nothing": Event(
        one_sided="a registration that base alone gets wrong was mended, which is no fault of head",
        facts=("update", "what_is_wrong"),
        not_shown=_TOOLS,
    ),
    "op_version_reworded": Event(mirrors=("op_version_reworded",), facts=("index",), not_shown=_TOOLS),
    "op_version_rewritten": Event(mirrors=("op_version_rewritten",), facts=("index", "new", "old"), not_shown=_TOOLS),
    "op_version_unknown": Event(
        mirrors=("op_version_unknown",), facts=("consequence", "side"), is_of_op=False, not_shown=_TOOLS
    ),
    "op_version_unregistered": Event(mirrors=("op_version_unregistered",), facts=("update",), not_shown=_TOOLS),
}
