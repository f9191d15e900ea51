"""The events about declarations whose bytes are bound by number."""

from __future__ import annotations

from opspec_lint.spec.event import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.event import Events

EVENTS: Events = {
    "bit_flags_cleared": Event(mirrors=("bit_flags_set",), facts=("before", "now", "value")),
    "bit_flags_set": Event(mirrors=("bit_flags_cleared",), facts=("before", "now", "value")),
    "declaration_added": Event(mirrors=("declaration_removed", "possible_root_removed"), facts=("form",)),
    "declaration_form_changed": Event(mirrors=("declaration_form_changed",), facts=("new", "old")),
    "declaration_removed": Event(mirrors=("declaration_added",), facts=("form",)),
    "declaration_renamed": Event(mirrors=("declaration_renamed",), facts=("form", "new_name")),
    "deprecated_slot_changed": Event(
        mirrors=("deprecated_slot_changed",), facts=("field", "new", "old", "old_meaning", "slot")
    ),
    "deprecated_slot_removed": Event(mirrors=("slot_added",), facts=("old_meaning", "slot")),
    "enum_value_added": Event(mirrors=("enum_value_removed",), facts=("slot",)),
    "enum_value_removed": Event(mirrors=("enum_value_added",), facts=("slot",)),
    "enum_value_renamed": Event(mirrors=("enum_value_renamed",), facts=("new_name", "slot")),
    "enum_value_renumbered": Event(mirrors=("enum_value_renumbered",), facts=("new_meaning", "old_meaning", "slot")),
    "file_extension_changed": Event(mirrors=("file_extension_changed",), facts=("new", "old")),
    "file_identifier_added": Event(mirrors=("file_identifier_removed",), facts=("new",)),
    "file_identifier_changed": Event(mirrors=("file_identifier_changed",), facts=("new", "old")),
    "file_identifier_removed": Event(mirrors=("file_identifier_added",), facts=("old",)),
    "possible_root_removed": Event(mirrors=("declaration_added",)),
    "root_changed": Event(mirrors=("root_changed",), facts=("new", "old")),
    "root_cleared": Event(mirrors=("root_set",), facts=("old",)),
    "root_set": Event(mirrors=("root_cleared",), facts=("new",)),
    "rpc_call_changed": Event(mirrors=("rpc_call_changed",), facts=("new", "old")),
    "slot_added": Event(mirrors=("deprecated_slot_removed", "slot_removed"), facts=("slot",)),
    "slot_added_required": Event(mirrors=("slot_removed", "slot_required_cleared"), facts=("slot",)),
    "slot_alignment_lowered": Event(mirrors=("slot_alignment_raised",), facts=("new", "old", "slot")),
    "slot_alignment_raised": Event(mirrors=("slot_alignment_lowered",), facts=("new", "old", "slot")),
    "slot_byte_to_bool": Event(mirrors=("slot_type_respelt",), facts=("new", "old", "old_meaning", "slot")),
    "slot_bytes_to_string": Event(mirrors=("slot_string_to_bytes",), facts=("old", "slot")),
    "slot_default_changed": Event(mirrors=("slot_default_changed",), facts=("new", "old", "slot")),
    "slot_deprecated": Event(mirrors=("slot_restored", "slot_reused"), facts=("old_meaning", "slot")),
    "slot_hash_changed": Event(mirrors=("slot_hash_changed",), facts=("new", "old", "slot")),
    "slot_key_changed": Event(mirrors=("slot_key_changed",), facts=("new",)),
    "slot_key_cleared": Event(mirrors=("slot_key_set",)),
    "slot_key_set": Event(mirrors=("slot_key_cleared",)),
    "slot_nested_added": Event(mirrors=("slot_nested_dropped",), facts=("new", "slot")),
    "slot_nested_changed": Event(mirrors=("slot_nested_changed",), facts=("new", "old", "slot")),
    "slot_nested_dropped": Event(mirrors=("slot_nested_added",), facts=("old", "slot")),
    "slot_reassigned": Event(
        mirrors=("slot_reassigned",), facts=("example", "new_meaning", "old_meaning", "slot", "vtable")
    ),
    "slot_removed": Event(mirrors=("slot_added", "slot_added_required"), facts=("new_meaning", "old_meaning", "slot")),
    "slot_renamed": Event(mirrors=("slot_renamed",), facts=("new_name",)),
    "slot_required_cleared": Event(mirrors=("slot_added_required", "slot_required_set"), facts=("slot",)),
    "slot_required_set": Event(mirrors=("slot_required_cleared",), facts=("slot",)),
    "slot_restored": Event(mirrors=("slot_deprecated",), facts=("old_meaning", "slot")),
    "slot_reused": Event(mirrors=("slot_deprecated",), facts=("example", "new_meaning", "old_meaning", "slot")),
    "slot_string_to_bytes": Event(mirrors=("slot_bytes_to_string",), facts=("new", "slot")),
    "slot_type_changed": Event(
        mirrors=("slot_type_changed",), facts=("example", "new", "new_meaning", "old", "old_meaning", "slot")
    ),
    "slot_type_respelt": Event(
        mirrors=("slot_byte_to_bool", "slot_type_respelt"), facts=("new", "new_meaning", "old", "old_meaning", "slot")
    ),
    "slot_width_changed": Event(mirrors=("slot_width_changed",), facts=("new", "old", "old_width", "slot")),
    "struct_alignment_lowered": Event(mirrors=("struct_alignment_raised",), facts=("new", "old")),
    "struct_alignment_raised": Event(mirrors=("struct_alignment_lowered",), facts=("new", "old")),
    "struct_field_resized": Event(mirrors=("struct_field_resized",), facts=("example", "new", "old", "slot")),
    "struct_layout_changed": Event(mirrors=("struct_layout_changed",), facts=("difference",)),
    "underlying_sign_changed": Event(mirrors=("underlying_sign_changed",), facts=("new", "old")),
    "underlying_type_changed": Event(mirrors=("underlying_type_changed",), facts=("example", "new", "old")),
    "union_member_added": Event(mirrors=("union_member_removed",), facts=("slot",)),
    "union_member_removed": Event(mirrors=("union_member_added",), facts=("old_meaning", "slot")),
    "union_member_renamed": Event(mirrors=("union_member_renamed",), facts=("new_name", "slot")),
    "union_member_retyped": Event(mirrors=("union_member_retyped",), facts=("new_meaning", "old_meaning", "slot")),
}
