"""The policy of Paddle's published table, to the letter.

The table on the wiki page "OP Input/Output/Attribute Compatibility Modification", for arguments that are not extra:
inputs and outputs may be added if they are dispensable, attrs if they have a default value; deletions and modifications
of any field, in any direction, are forbidden. An op that disappears, from one build or from all, is an error. So is a
value that an attr no longer allows: the checker of the op refuses a model that has it. Other changes that the table
does not mention are warnings at most. Findings about an op that no build of base has are notes: no model has it.
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle.unbuilt import limit
from opspec_lint.lint.profile import Profile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.report.findings import Level

_FORBIDDEN: Level = "error"

PROFILE = Profile(
    summary="Paddle's published compatibility table",
    levels=dict.fromkeys(
        (
            "binding_changed",
            "op_removed",
            "builds_lost",
            "input_added_not_dispensable",
            "input_removed",
            "output_added_not_dispensable",
            "output_removed",
            "attr_added_without_default",
            "attr_removed",
            "attr_type_changed",
            "allowed_values_narrowed",
            "attr_default_added",
            "attr_default_changed",
            "attr_default_removed",
            "dispensable_cleared",
            "dispensable_set",
            "duplicable_cleared",
            "duplicable_set",
            "intermediate_cleared",
            "intermediate_set",
            "generated_cleared",
            "generated_set",
            "extra_cleared_not_optional",
            "extra_set",
            "quant_cleared",
            "quant_set",
            "support_tensor_cleared",
        ),
        _FORBIDDEN,
    ),
    ceiling="warning",
    exempt_extra=True,
    limit=limit,
    default_for=("paddle",),
)
