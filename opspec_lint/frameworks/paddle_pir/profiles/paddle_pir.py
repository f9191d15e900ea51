"""The profile for existing PIR programs in Paddle's loaders.

A program stores all attrs of its ops and the number of inputs and outputs, so that nearly every change of an op's
arguments breaks it, unless a patch of the next version repairs it (measured with 3.0.0 and 3.3.1). Changes that no
loader checks are notes: a removed attr, a default value (programs store the values), a name of an input or output.

A removed op is an error. Findings about backward ops are warnings at most: a program that was saved for inference has
no backward ops, and one that was saved for training (`paddle.static.save`) loads, and is refused when it first runs.
Programs of head that base does not run are a warning, and so is another name in legacy programs: whether it refuses
them is decided by the comparison with the legacy ops (`paddle-translation`), which have the right name.
"""

from __future__ import annotations

from opspec_lint.lint.profile import Profile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.report.findings import Level

_OFF: Level = "off"
_NOTE: Level = "note"
_WARNING: Level = "warning"

PROFILE = Profile(
    summary="which PIR programs Paddle's loaders refuse, with its patches",
    levels={
        **dict.fromkeys(
            (
                *("attr_added_with_default", "attr_added_without_default", "attr_type_changed", "op_version_unknown"),
                *("argument_order_changed", "argument_type_changed", "duplicable_cleared", "duplicable_set"),
                *("graph_version_raised", "min_producer_raised", "new_graphs_refused"),
                *("intermediate_cleared", "intermediate_set", "patches_changed"),
            ),
            _OFF,
        ),
        **dict.fromkeys(
            (
                *("attr_default_added", "attr_default_changed", "attr_default_removed", "attr_removed"),
                *("dispensable_set", "op_added", "op_added_as_successor"),
                *("input_added_dispensable", "input_added_not_dispensable", "input_removed"),
                *("output_added_dispensable", "output_added_not_dispensable", "output_removed"),
            ),
            _NOTE,
        ),
        **dict.fromkeys(("legacy_name_changed", "legacy_names_lost"), _WARNING),
        "op_removed": "error",
        "dispensable_cleared": "error",
    },
    exempt_ops=r"_grad(_|$)",
    exempt_ops_at_most="warning",
    default_for=("paddle-pir",),
)
"""General rules are notes or off where a rule of PIR judges the same change."""
