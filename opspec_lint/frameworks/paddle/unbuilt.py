"""The limit of the level of findings about ops that no build of Paddle has, as no CMakeLists.txt compiles them."""

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
    """Return a function that limits the level of facts: notes for an op that no build of base, so no model, has."""
    return lambda fact: "note" if fact.op is not None and _is_unbuilt(base, fact.op) else "error"


def _is_unbuilt(spec: Spec, op: str) -> bool:
    """Return whether no build has an op in any of its forms."""
    if op not in spec.ops or not _has_no_build(spec, op):
        return False
    # Each further form of an op is an op of its own in the table: `NAME [BUILD]`.
    return all(_has_no_build(spec, form) for form in spec.ops if form.startswith(f"{without_build(op)} ["))


def _has_no_build(spec: Spec, op: str) -> bool:
    """Return whether no build has a form of an op."""
    return bool(op_table.field_value(spec.ops, op, "builds") == (NO_BUILD,))
