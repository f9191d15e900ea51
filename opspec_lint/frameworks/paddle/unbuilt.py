"""The level of findings about ops that no build of Paddle has, as no CMakeLists.txt compiles their files."""

from __future__ import annotations

from opspec_lint.spec import op_table
from opspec_lint.spec.identity import NO_BUILD, without_build

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opspec_lint.report.findings import Level
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec


def limit(base: Spec, head: Spec) -> Callable[[Fact], Level]:  # noqa: ARG001 - head excuses nothing
    """Return the worst level of a fact: a note for an op that no build of base has, since no model can have it."""
    return lambda fact: "note" if fact.op is not None and _is_unbuilt(base, fact.op) else "error"


def _is_unbuilt(spec: Spec, op: str) -> bool:
    """Tell whether an op, in all its forms by build, is in no build."""
    if op not in spec.ops or not _has_no_build(spec, op):
        return False
    # Each further form of an op is an op of its own in the table: `NAME [BUILD]`.
    return all(_has_no_build(spec, form) for form in spec.ops if form.startswith(f"{without_build(op)} ["))


def _has_no_build(spec: Spec, op: str) -> bool:
    """Tell whether one form of an op is in no build."""
    return bool(op_table.field_value(spec.ops, op, "builds") == (NO_BUILD,))
