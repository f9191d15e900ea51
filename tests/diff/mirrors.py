"""The symmetry of the catalogue: what becomes of each event when base and head change places."""

from __future__ import annotations

from opspec_lint.diff.interfaces.facts import InterfaceChange
from opspec_lint.diff.slots.facts import SlotChange
from opspec_lint.spec.fields import FRAMEWORKS
from tests.support import per_framework

MIRRORS = {
    "allowed_values_narrowed": {"allowed_values_narrowed", "allowed_values_widened"},
    "allowed_values_widened": {"allowed_values_narrowed", "allowed_values_widened"},
    "allowed_values_reordered": {"allowed_values_reordered"},
    "argument_order_changed": {"argument_order_changed"},
    "argument_name_changed": {"argument_name_changed"},
    "argument_type_changed": {"argument_type_changed", "argument_type_generalised"},
    "argument_type_generalised": {"argument_type_changed"},
    "arguments_swapped": {"arguments_swapped"},
    "attr_added_with_default": {"attr_removed"},
    "attr_added_without_default": {"attr_removed"},
    "attr_default_added": {"attr_default_removed"},
    "attr_default_changed": {"attr_default_changed"},
    "attr_default_added_late": {"attr_default_removed"},
    "attr_default_removed": {"attr_default_added", "attr_default_added_late"},
    "attr_removed": {"attr_added_with_default", "attr_added_without_default"},
    "attr_renamed": {"attr_renamed"},
    "attr_type_changed": {"attr_type_changed"},
    "bad_consumers_changed": {"bad_consumers_changed"},
    "binding_changed": {"binding_changed"},
    "builds_gained": {"builds_lost"},
    "builds_lost": {"builds_gained", "builds_lost"},
    "deprecation_changed": {"deprecation_changed"},
    "dispensable_cleared": {"dispensable_set"},
    "dispensable_set": {"dispensable_cleared"},
    "duplicable_cleared": {"duplicable_set"},
    "duplicable_set": {"duplicable_cleared"},
    "extra_cleared": {"extra_set"},
    "extra_cleared_not_optional": {"extra_set"},
    "extra_learned": {"knowledge_lost"},
    "extra_set": {"extra_cleared", "extra_cleared_not_optional"},
    "graph_version_lowered": {"graph_version_raised"},
    "graph_version_raised": {"graph_version_lowered"},
    "input_added_dispensable": {"input_removed"},
    "input_added_not_dispensable": {"input_removed"},
    "input_moved": {"output_moved"},
    "input_ref_cleared": {"input_ref_set"},
    "input_ref_set": {"input_ref_cleared"},
    "input_removed": {"input_added_dispensable", "input_added_not_dispensable"},
    "input_renamed": {"input_renamed"},
    "knowledge_gained": {"knowledge_lost"},
    "knowledge_lost": {"extra_learned", "knowledge_gained"},
    "loading_changed": {"loading_changed"},
    "maximum_lowered": {"maximum_raised"},
    "maximum_raised": {"maximum_lowered"},
    "min_consumer_lowered": {"min_consumer_raised"},
    "min_consumer_raised": {"min_consumer_lowered"},
    "min_producer_lowered": {"min_producer_raised"},
    "min_producer_raised": {"min_producer_lowered"},
    "minimum_lowered": {"minimum_raised"},
    "minimum_raised": {"minimum_lowered"},
    "new_graphs_refused": {"old_graphs_refused"},
    "old_graphs_refused": {"new_graphs_refused"},
    "op_added": {"op_removed"},
    "op_invalid": {"op_valid"},
    "op_removed": {"op_added"},
    "op_valid": {"op_invalid"},
    "op_version_extended": {"op_version_lost"},
    "op_version_lost": {"op_version_extended"},
    "op_version_reworded": {"op_version_reworded"},
    "op_version_rewritten": {"op_version_rewritten"},
    "op_version_unknown": {"op_version_unknown"},
    "op_version_unregistered": {"op_version_unregistered"},
    "output_added_dispensable": {"output_removed"},
    "output_added_not_dispensable": {"output_removed"},
    "output_moved": {"input_moved"},
    "output_ref_cleared": {"output_ref_set"},
    "output_ref_set": {"output_ref_cleared"},
    "output_removed": {"output_added_dispensable", "output_added_not_dispensable"},
    "output_renamed": {"output_renamed"},
    "producer_since_changed": {"producer_since_changed"},
    "source_kind_changed": {"source_kind_changed"},
}
"""What an event may become. An addition has a quality that a removal has not, so a removal has two mirrors; those of
a framework's own fields follow from these."""

for _framework in FRAMEWORKS.names():
    for _field in FRAMEWORKS.load(_framework).fields:
        MIRRORS |= {event: {other} for event, other in zip(_field.events, _field.events[::-1], strict=True)}

SLOTS = {
    "bit_flags_cleared": {"bit_flags_set"},
    "bit_flags_set": {"bit_flags_cleared"},
    "declaration_added": {"declaration_removed", "possible_root_removed"},
    "declaration_form_changed": {"declaration_form_changed"},
    "declaration_removed": {"declaration_added"},
    "declaration_renamed": {"declaration_renamed"},
    "deprecated_slot_changed": {"deprecated_slot_changed"},
    "deprecated_slot_removed": {"slot_added"},
    "enum_value_added": {"enum_value_removed"},
    "enum_value_removed": {"enum_value_added"},
    "enum_value_renamed": {"enum_value_renamed"},
    "enum_value_renumbered": {"enum_value_renumbered"},
    "file_extension_changed": {"file_extension_changed"},
    "file_identifier_added": {"file_identifier_removed"},
    "file_identifier_changed": {"file_identifier_changed"},
    "file_identifier_removed": {"file_identifier_added"},
    "possible_root_removed": {"declaration_added"},
    "root_changed": {"root_changed"},
    "root_cleared": {"root_set"},
    "root_set": {"root_cleared"},
    "rpc_call_changed": {"rpc_call_changed"},
    "slot_added": {"deprecated_slot_removed", "slot_removed"},
    "slot_added_required": {"slot_removed", "slot_required_cleared"},
    "slot_alignment_lowered": {"slot_alignment_raised"},
    "slot_alignment_raised": {"slot_alignment_lowered"},
    "slot_byte_to_bool": {"slot_type_respelt"},
    "slot_bytes_to_string": {"slot_string_to_bytes"},
    "slot_default_changed": {"slot_default_changed"},
    "slot_deprecated": {"slot_restored", "slot_reused"},
    "slot_hash_changed": {"slot_hash_changed"},
    "slot_key_cleared": {"slot_key_set"},
    "slot_key_changed": {"slot_key_changed"},
    "slot_key_set": {"slot_key_cleared"},
    "slot_nested_added": {"slot_nested_dropped"},
    "slot_nested_changed": {"slot_nested_changed"},
    "slot_nested_dropped": {"slot_nested_added"},
    "slot_reassigned": {"slot_reassigned"},
    "slot_removed": {"slot_added", "slot_added_required"},
    "slot_renamed": {"slot_renamed"},
    "slot_required_cleared": {"slot_required_set", "slot_added_required"},
    "slot_required_set": {"slot_required_cleared"},
    "slot_restored": {"slot_deprecated"},
    "slot_reused": {"slot_deprecated"},
    "slot_string_to_bytes": {"slot_bytes_to_string"},
    "slot_type_changed": {"slot_type_changed"},
    "slot_type_respelt": {"slot_byte_to_bool", "slot_type_respelt"},
    "slot_width_changed": {"slot_width_changed"},
    "struct_alignment_lowered": {"struct_alignment_raised"},
    "struct_alignment_raised": {"struct_alignment_lowered"},
    "struct_field_resized": {"struct_field_resized"},
    "struct_layout_changed": {"struct_layout_changed"},
    "underlying_sign_changed": {"underlying_sign_changed"},
    "underlying_type_changed": {"underlying_type_changed"},
    "union_member_added": {"union_member_removed"},
    "union_member_removed": {"union_member_added"},
    "union_member_renamed": {"union_member_renamed"},
    "union_member_retyped": {"union_member_retyped"},
}
MIRRORS |= SLOTS

INTERFACES = {
    "called_as_changed": {"called_as_changed"},
    "callable_added": {"callable_removed"},
    "callable_removed": {"callable_added"},
    "dtype_changed": {"dtype_changed"},
    "method_changed": {"method_changed"},
    "parameter_added": {"parameter_removed"},
    "parameter_added_optional": {"parameter_removed"},
    "parameter_default_added": {"parameter_default_removed"},
    "parameter_default_changed": {"parameter_default_changed"},
    "parameter_default_removed": {"parameter_default_added"},
    "parameter_made_keyword": {"parameter_made_positional"},
    "parameter_made_positional": {"parameter_made_keyword"},
    "parameter_order_changed": {"parameter_order_changed"},
    "parameter_passed_otherwise": {"parameter_passed_otherwise"},
    "parameter_removed": {"parameter_added", "parameter_added_optional"},
    "parameter_renamed": {"parameter_renamed"},
    "result_added": {"result_removed"},
    "result_dtype_changed": {"result_dtype_changed"},
    "result_order_changed": {"result_order_changed"},
    "result_removed": {"result_added"},
    "result_renamed": {"result_renamed"},
    "result_shape_changed": {"result_shape_changed"},
    "result_shape_narrowed": {"result_shape_widened"},
    "result_shape_widened": {"result_shape_narrowed"},
    "result_said": {"result_unsaid"},
    "result_structure_changed": {"result_structure_changed"},
    "result_unsaid": {"result_said"},
    "shape_changed": {"shape_changed"},
    "shape_narrowed": {"shape_widened"},
    "shape_unchecked": {"shape_unchecked", "shape_widened"},
    "shape_widened": {"shape_narrowed", "shape_unchecked"},
    "structure_changed": {"structure_changed"},
    "tags_changed": {"tags_changed"},
    "trace_added": {"trace_removed"},
    "trace_count_changed": {"trace_count_changed"},
    "trace_removed": {"trace_added"},
}
MIRRORS |= INTERFACES

RANGES = {
    "kernel_added": {"kernel_removed"},
    "kernel_removed": {"kernel_added"},
    "max_version_lowered": {"max_version_raised"},
    "max_version_raised": {"max_version_lowered"},
    "min_version_lowered": {"min_version_raised"},
    "min_version_raised": {"min_version_lowered"},
}
MIRRORS |= RANGES

OF_FRAMEWORKS = per_framework.every("MIRRORS")
for _own in OF_FRAMEWORKS.values():
    MIRRORS |= _own

HAZARDS = dict.fromkeys(
    (
        *("argument_is_object", "function_untraced", "retraced_per_dtype", "retraced_per_shape"),
        *("retraced_per_value", "string_argument", "trace_static", "value_untraced"),
    ),
    "a hazard of base alone is no fault of head",
) | {
    "trace_added_drawing": "what is converted again, since a trace is gone, is a change of its dtype",
    "value_became_tensor": "a tensor that becomes a value of Python loses the traces of all others",
}
HOLES = HAZARDS | {
    "loader_checks_less": "that a loader checks more than before hides nothing",
    "extra_unsaid": "that head says what base does not is knowledge, and no change of the op",
    "op_version_names_nothing": "a registration that base alone gets wrong was mended, which is no fault of head",
}
for _own in per_framework.every("HOLES").values():
    HOLES |= _own
"""The events without a mirror, each with the reason."""


def facts(changes) -> list[tuple[str, str, str]]:
    """Return (event, kind, name) of some changes, sorted."""
    return sorted((change.event, change.kind, change.name) for change in changes)


def is_mirrored(forth, back) -> bool:
    """Tell whether `back` is what becomes of the changes `forth` when base and head change places."""
    rest = [fact for fact in facts(back) if fact[0] not in HOLES]
    for change in forth:
        if change.event in HOLES:
            continue
        kind, name = _other_side(change)
        partner = next((fact for fact in rest if fact[0] in MIRRORS[change.event] and fact[1:] == (kind, name)), None)
        if partner is None:
            return False
        rest.remove(partner)
    return not rest


def _other_side(change) -> tuple[str, str]:
    """Return the kind and the name under which a change stands where base and head have changed places."""
    if isinstance(change, SlotChange):
        return change.kind, _under_its_number(change)
    if isinstance(change, InterfaceChange):
        return change.kind, change.new_name or change.name
    for name_in_head in per_framework.every("name_in_head").values():
        if (name := name_in_head(change)) is not None:
            return change.kind, name
    if hasattr(change, "come"):
        return change.come.kind, change.new_name
    if getattr(change, "field", None) == "order":
        places = {name: place for place, name in enumerate(change.old)}
        return change.kind, next(name for place, name in enumerate(change.new) if places.get(name, place) != place)
    if getattr(change, "field", None) == "name":
        return change.kind, change.new
    return change.kind, change.name


def _under_its_number(change) -> str:
    """Return the thing of head with the number of a thing of base."""
    if change.event in ("root_changed", "slot_key_changed"):
        return change.new
    if change.event in ("slot_reassigned", "enum_value_renumbered", "union_member_retyped") and change.new:
        return change.new["name"]
    if change.event == "slot_reused":
        return change.facts["other"]
    return change.new_name or change.name
