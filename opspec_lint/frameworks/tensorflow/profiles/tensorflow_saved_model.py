"""The profile for saved graphs in TensorFlow's importer, which SavedModels are loaded with.

Measured with TensorFlow 1.15.0, 2.4.4, 2.8.4, 2.12.1 and 2.18.1. An error is what the import refuses in a graph that
base writes, and what it reads as something else without a message: defaults are stripped at export, so a changed one
reaches every SavedModel. What differs from TensorFlow's own rules: an attr that head does not have stops a graph up to
2.4 and is ignored later, an op that is deprecated as of a version that base writes is refused, an output may be added
at the end, and a default value may be added late. The loaders do not
look at flags for optimizers, or at how an op came to be removed.
"""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.profiles.tensorflow import PROFILE as TENSORFLOW

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opspec_lint.report.findings import Level
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec


def _level_limit(base: Spec, head: Spec) -> Callable[[Fact], Level]:
    """Return the function that limits the level of a fact to the worst that it can cause in the importer."""

    def at_most(fact: Fact) -> Level:
        from opspec_lint.frameworks.tensorflow.saved.graphs.changes import worst_level

        return worst_level(fact, base, head)

    return at_most


PROFILE = TENSORFLOW.replace(
    summary="what stops a saved graph in TensorFlow's importer and its SavedModel loaders",
    levels={
        **TENSORFLOW.levels,
        "deprecation_changed_refused": "error",
        "arguments_swapped": "warning",
        "attr_default_added_late": "note",
        "graph_version_lowered": "note",
        "min_producer_raised_early": "note",
        "op_removed_undeprecated": "off",
    },
    default_for=(),
    limit=_level_limit,
)
