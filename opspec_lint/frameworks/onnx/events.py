"""The events that only ONNX has."""

from __future__ import annotations

from opspec_lint.spec.event import Event, event_outside_contract

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.event import Events

_OF_VERSION = "a version that is gone is an op that was removed"

EVENTS: Events = {
    "adapter_missing": Event(one_sided=_OF_VERSION, facts=("predecessor", "ways")),
    "adapters_gained": Event(mirrors=("adapters_lost",), facts=("new", "old")),
    "adapters_lost": Event(mirrors=("adapters_gained", "adapters_lost"), facts=("new", "old")),
    "arity_changed": Event(mirrors=("arity_changed",), facts=("new", "old")),
    "attr_required_cleared": Event(mirrors=("attr_required_set",)),
    "attr_required_set": Event(mirrors=("attr_required_cleared",)),
    "development_changed": Event(
        mirrors=("development_changed",),
        facts=("differences", "domain", "since"),
    ),
    "development_removed": Event(
        one_sided="a version in development that only head has is a new one",
        facts=("domain", "since"),
    ),
    "function_body_added": Event(mirrors=("function_body_removed",)),
    "function_body_removed": Event(mirrors=("function_body_added",)),
    "limit_lowered": Event(
        one_sided="that a limit is higher is no more than a change of what the loader decides by",
        facts=("new", "old"),
        is_of_op=False,
    ),
    "op_added_late": Event(
        one_sided=_OF_VERSION,
        facts=("differences", "domain", "published", "since"),
    ),
    "op_deprecated": Event(mirrors=("op_undeprecated",)),
    "op_undeprecated": Event(mirrors=("op_deprecated",)),
    "schema_unlisted": event_outside_contract(),
    "types_narrowed": Event(mirrors=("types_narrowed", "types_widened"), facts=("lost",)),
    "types_widened": Event(mirrors=("types_narrowed",), facts=("gained",)),
    "version_added": Event(one_sided=_OF_VERSION, facts=("differences", "domain", "since")),
}
