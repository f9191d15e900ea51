"""The profile with TensorFlow's own rules: the checks of a change to an op in its C++.

An error where OpDefCompatible or OpDefAttrDefaultsUnchanged refuses the step from base's op to head's, where
ValidateOpDef refuses head's op, or where an op is gone; no other finding about an op is one. Names of inputs may
change, allowed values may widen, a minimum may fall, an attr may come with a default value. In addition, the profile
judges the versions of the graph format, and follows TensorFlow's guide on compatibility.
"""

from __future__ import annotations

from opspec_lint.lint.profile import Profile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.report.findings import Level

_REFUSED: Level = "error"
_DOUBTFUL: Level = "warning"
_ACCEPTED: Level = "note"
_OFF: Level = "off"

PROFILE = Profile(
    summary="TensorFlow's own rules for old graphs on a new release",
    levels={
        **dict.fromkeys(
            (
                "op_invalid",
                "op_removed",
                "attr_removed",
                "attr_type_changed",
                "allowed_values_narrowed",
                "maximum_lowered",
                "minimum_raised",
                "attr_added_without_default",
                "input_removed",
                "input_added_not_dispensable",
                "argument_type_changed",
                "argument_order_changed",
                "input_ref_set",
                "output_removed",
                "output_added_not_dispensable",
                "output_ref_cleared",
                "attr_default_changed",
                "attr_default_removed",
                "attr_default_added_late",
                "min_producer_raised",
                "min_producer_raised_early",
                "old_graphs_refused",
            ),
            _REFUSED,
        ),
        **dict.fromkeys(
            (
                "op_added",
                "attr_added_with_default",
                "attr_default_added",
                "allowed_values_widened",
                "maximum_raised",
                "minimum_lowered",
                "input_added_dispensable",
                "output_added_dispensable",
                "argument_name_changed",
                "argument_type_generalised",
                "input_ref_cleared",
                "output_ref_set",
                "op_flag_set",
                "op_flag_cleared",
                "detail_changed",
                "deprecation_changed",
                "min_consumer_raised",
                "bad_consumers_changed",
            ),
            _ACCEPTED,
        ),
        "cpu_kernels_lost": _DOUBTFUL,
        **dict.fromkeys(
            ("new_graphs_refused", "cpu_kernels_gained"),
            _OFF,
        ),
    },
    default_for=("tensorflow",),
)
