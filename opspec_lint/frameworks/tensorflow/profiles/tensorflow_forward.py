"""The profile for new graphs on an old release of TensorFlow, which TensorFlow itself never checks.

An error where a graph that head writes may be refused, or mean something else, under base: an op, an attr or a value
that base does not know. Whatever breaks old graphs alone is a note.
"""

from __future__ import annotations

from opspec_lint.lint.profile import Profile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.report.findings import Level

_BREAKS: Level = "error"
_DOUBTFUL: Level = "warning"
_LOADS: Level = "note"
_OFF: Level = "off"

PROFILE = Profile(
    summary="new graphs on an old release of TensorFlow, which TensorFlow itself never checks",
    levels={
        **dict.fromkeys(
            (
                "op_added",
                "op_invalid",
                "attr_added_without_default",
                "attr_added_with_default_unstripped",
                "attr_type_changed",
                "attr_default_added",
                "attr_default_changed",
                "allowed_values_widened",
                "maximum_raised",
                "minimum_lowered",
                "input_removed",
                "input_added_dispensable",
                "input_added_not_dispensable",
                "input_ref_cleared",
                "argument_type_changed",
                "argument_type_generalised",
                "argument_order_changed",
                "output_removed",
                "output_added_dispensable",
                "output_added_not_dispensable",
                "output_ref_set",
                "new_graphs_refused",
            ),
            _BREAKS,
        ),
        **dict.fromkeys(
            ("arguments_swapped", "attr_removed", "cpu_kernels_gained", "min_consumer_raised", "bad_consumers_changed"),
            _DOUBTFUL,
        ),
        **dict.fromkeys(
            (
                "op_removed",
                "op_removed_undeprecated",
                "cpu_kernels_lost",
                "attr_default_removed",
                "attr_default_added_late",
                "allowed_values_narrowed",
                "maximum_lowered",
                "minimum_raised",
                "input_ref_set",
                "output_ref_cleared",
                "graph_version_lowered",
                "min_producer_raised",
            ),
            _LOADS,
        ),
        **dict.fromkeys(
            (
                "attr_added_with_default",
                "min_producer_raised_early",
                "old_graphs_refused",
            ),
            _OFF,
        ),
    },
)
