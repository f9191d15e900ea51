"""The policy by the behaviour of the legacy executor and predictor with saved programs.

Measured with Paddle 1.8.5, 2.6.2, 3.0.0 and 3.3.1. Errors are faults in programs of base at which they refuse or crash:
a missing op, required input or output, value, or attr without a default; an attr of a type that they do not convert; an
argument under a name that changed, which they ignore; and several variables where one is expected, since they use the
first. Warnings are changes that they ignore or fill in without a message, which may change results; a new intermediate
output, which the kernel may need; and breaks of programs that are older than base or were made by hand. Notes are
changes that they do not check: op versions, order, arguments of control flow, intermediate outputs. A new input, output
or attr breaks no older release, which ignores it in a new program. Translation to PIR has other rules.
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
_MAY_CHANGE_RESULTS: Level = "warning"
_NOTHING: Level = "note"
_OFF: Level = "off"


def _limit(base: Spec, head: Spec) -> Callable[[Fact], Level]:
    """Return a function that limits the level of facts, by the loaders of head and the builds of base."""
    of_unbuilt = unbuilt.limit(base, head)

    def at_most(fact: Fact) -> Level:
        """Return the worst level of one fact."""
        from opspec_lint.frameworks.paddle.saved.programs.changes import worst_level

        return mildest(worst_level(fact, head), of_unbuilt(fact))

    return at_most


def _forward(base: Spec) -> Callable[[Fact], bool]:
    """Return a function that decides whether a fact breaks programs of head under base."""

    def breaks_forward(fact: Fact) -> bool:
        """Return whether one fact breaks programs of head under base."""
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
            _MAY_CHANGE_RESULTS,
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
