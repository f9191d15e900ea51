"""The events that only PyTorch has: differences of schemas, and calls that no overload takes."""

from __future__ import annotations

from opspec_lint.spec.event import Event, event_outside_contract

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.event import Events

EVENTS: Events = {
    "model_call_refused": event_outside_contract("refusals"),
    "op_tags_gained": Event(mirrors=("op_tags_lost",), facts=("new", "old")),
    "op_tags_lost": Event(mirrors=("op_tags_gained", "op_tags_lost"), facts=("new", "old")),
    "schema_alias_changed": Event(mirrors=("schema_alias_changed",), facts=("new", "old")),
    "schema_argument_added": Event(mirrors=("schema_argument_removed",), facts=("how", "new")),
    "schema_argument_removed": Event(mirrors=("schema_argument_added",), facts=("old",)),
    "schema_argument_renamed": Event(mirrors=("schema_argument_renamed",), facts=("new_name",)),
    "schema_arguments_reordered": Event(mirrors=("schema_arguments_reordered",), facts=("new", "old")),
    "schema_default_added": Event(mirrors=("schema_default_removed",), facts=("new",)),
    "schema_default_changed": Event(mirrors=("schema_default_changed",), facts=("new", "old")),
    "schema_default_removed": Event(mirrors=("schema_default_added",), facts=("old",)),
    "schema_made_keyword": Event(mirrors=("schema_made_positional",)),
    "schema_made_positional": Event(mirrors=("schema_made_keyword",)),
    "schema_renamed": Event(mirrors=("schema_renamed",), facts=("new",)),
    "schema_return_added": Event(mirrors=("schema_return_removed",), facts=("new",)),
    "schema_return_removed": Event(mirrors=("schema_return_added",), facts=("old",)),
    "schema_return_renamed": Event(mirrors=("schema_return_renamed",), facts=("keep", "now", "was")),
    "schema_return_type_changed": Event(mirrors=("schema_return_type_changed",), facts=("new", "old")),
    "schema_type_changed": Event(mirrors=("schema_type_changed",), facts=("new", "old")),
    "schema_varargs_changed": Event(mirrors=("schema_varargs_changed",), facts=("new", "old")),
}
