"""What stops a saved program in the legacy executor and the predictor, by their own rules.

Measured with Paddle 1.8.5, 2.6.2, 3.0.0 and 3.3.1. An error is what they refuse or crash on in a program that base
writes: an op, a required input or output, a value or an attr without a default that is not there, an attr of a type
that they do not convert; what a program says under a name that changed, which they ignore; and several variables
where one is expected, of which they take the first. A warning is what they ignore or fill in without a message, which
may compute something else; a new intermediate output, which the kernel may need; and what only programs break by that
are older than base or were made by hand. What they do not look at is a note: op versions, the order of things,
arguments of control flow, outputs that are intermediate. A new input, output or attr breaks no older release, which
ignores it in a new program. Translation to PIR has other rules.
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle import unbuilt
from opspec_lint.lint.profile import Profile
from opspec_lint.report.findings import mildest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opspec_lint.report.findings import Level
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec

_STOPS: Level = "error"
_MAY_DIFFER: Level = "warning"
_NOTHING: Level = "note"
_OFF: Level = "off"


def _limit(base: Spec, head: Spec) -> Callable[[Fact], Level]:
    of_unbuilt = unbuilt.limit(base, head)

    def at_most(fact: Fact) -> Level:
        from opspec_lint.frameworks.paddle.saved.programs.changes import worst_of

        return mildest(worst_of(fact, head), of_unbuilt(fact))

    return at_most


def _forward(base: Spec) -> Callable[[Fact], bool]:
    def breaks_forward(fact: Fact) -> bool:
        from opspec_lint.frameworks.paddle.saved.programs.changes import breaks_older

        return breaks_older(fact, base)

    return breaks_forward


PROFILE = Profile(
    summary="what stops a saved program in Paddle's legacy executor and predictor",
    levels={
        **dict.fromkeys(
            (
                "binding_changed",
                "op_removed",
                "builds_lost",
                "input_added_not_dispensable",
                "output_added_not_dispensable",
                "output_removed",
                "input_renamed",
                "output_renamed",
                "attr_added_without_default",
                "attr_removed",
                "attr_renamed",
                "attr_type_changed",
                "dispensable_cleared",
                "duplicable_cleared",
                "extra_cleared_not_optional",
                "extra_unsaid",
                "allowed_values_narrowed",
                "maximum_lowered",
                "minimum_raised",
                "predictor_broadcast_changed",
                "support_tensor_cleared",
            ),
            _STOPS,
        ),
        **dict.fromkeys(
            ("input_removed", "attr_default_changed", "attr_default_removed", "intermediate_cleared"),
            _MAY_DIFFER,
        ),
        **dict.fromkeys(
            (
                "dispensable_set",
                "duplicable_set",
                "attr_default_added",
                "extra_set",
                "generated_cleared",
                "generated_set",
                "intermediate_set",
                "quant_cleared",
                "quant_set",
                "op_version_lost",
                "op_version_rewritten",
            ),
            _NOTHING,
        ),
        **dict.fromkeys(
            (
                "op_version_extended",
                "op_version_names_nothing",
                "op_version_reworded",
                "op_version_unknown",
                "op_version_unregistered",
            ),
            _OFF,
        ),
    },
    ceiling="warning",
    exempt_extra=True,
    not_exempt=frozenset({"attr_default_changed"}),
    limit=_limit,
    forward=_forward,
)
