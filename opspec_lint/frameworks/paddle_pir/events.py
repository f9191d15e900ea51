"""The events that only occur with PIR specs, by id.

With base and head swapped, an event becomes one of its `mirrors`; `one_sided` is the reason why it has none. `facts`
are the values that the texts of its rule may name (`spec/event.py`).
"""

from __future__ import annotations

from opspec_lint.spec.event import Event, event_outside_contract

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.event import Events

_OF_BASE = "a patch that only base has is no fault of head"

EVENTS: Events = {
    "attr_added_unpatched": Event(one_sided="a loader does not look at an attr that is gone", facts=("remedy",)),
    "attr_renamed_unpatched": Event(mirrors=("attr_renamed_unpatched",), facts=("new_name", "remedy")),
    "attr_type_unpatched": Event(mirrors=("attr_type_unpatched",), facts=("new", "old", "remedy")),
    "change_maybe_patched": Event(
        one_sided="it is known what the patches of base do to programs of head: nothing", facts=("changed",)
    ),
    "change_patched": Event(
        one_sided="patches that only base has are applied to programs of neither", facts=("changed", "patch")
    ),
    "head_program_refused": Event(one_sided="a loader does not look at what a program has besides", facts=("problem",)),
    "input_added_unpatched": Event(mirrors=("input_removed_unpatched",), facts=("remedy",)),
    "input_kind_unpatched": Event(mirrors=("input_kind_unpatched",), facts=("new", "old", "remedy")),
    "input_removed_unpatched": Event(mirrors=("input_added_unpatched",), facts=("remedy",), is_removal=True),
    "legacy_form_changed": Event(mirrors=("legacy_form_changed",), facts=("field", "new", "old")),
    "legacy_name_changed": Event(mirrors=("legacy_name_changed",), facts=("new", "old")),
    "legacy_names_gained": Event(mirrors=("legacy_names_lost",), facts=("new", "old")),
    "legacy_names_lost": Event(mirrors=("legacy_names_gained", "legacy_names_lost"), facts=("new", "old")),
    "op_renamed_unpatched": Event(mirrors=("op_renamed_unpatched",), facts=("new_name", "remedy")),
    "order_unpatched": Event(mirrors=("order_unpatched",), facts=("new", "old", "remedy")),
    "output_added_unpatched": Event(mirrors=("output_removed_unpatched",), facts=("remedy",)),
    "output_removed_unpatched": Event(mirrors=("output_added_unpatched",), facts=("remedy",), is_removal=True),
    "patch_breaks_op": Event(one_sided=_OF_BASE, facts=("file", "problem")),
    "patch_dropped": Event(one_sided="an action that is new is judged by what it does", facts=("action", "file")),
    "patch_missing": event_outside_contract(),
    "patch_names_nothing": event_outside_contract("file"),
    "patch_not_applied": event_outside_contract("actions", "file", "problem"),
    "patch_not_judged": Event(one_sided=_OF_BASE, facts=("action", "file")),
    "patch_of_other_dialect": event_outside_contract("actions", "file"),
    "patch_of_release_changed": Event(mirrors=("patch_of_release_changed",), facts=("action", "change", "file")),
    "patch_rewrites_op": Event(one_sided=_OF_BASE, facts=("action", "effect", "file")),
    "patch_types_changed": Event(
        mirrors=("patch_types_changed",), facts=("effect", "except", "file", "of"), is_of_op=False
    ),
    "patch_unread": event_outside_contract("file", "problem"),
    "patch_without_effect": Event(one_sided=_OF_BASE, facts=("action", "file", "problem")),
    "patches_changed": Event(mirrors=("patches_changed",), facts=("new", "old")),
    "patches_untold": event_outside_contract("file"),
    "variadic_cleared": Event(mirrors=("variadic_set",)),
    "variadic_set": Event(mirrors=("variadic_cleared",)),
}
