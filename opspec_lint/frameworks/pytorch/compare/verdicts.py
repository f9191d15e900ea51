"""The directions in which a fact about a schema breaks calls, by two measures, and the highest level that follows."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from opspec_lint.report.findings import Level
    from opspec_lint.spec.fact import Direction, Fact

    Verdict: TypeAlias = Callable[[Fact], tuple[Direction, ...] | None]


def refused(fact: Fact) -> tuple[Direction, ...] | None:
    """Return the directions in which PyTorch's predicates refuse a change, None for a fact about no schema."""
    return fact.refused


def broken(fact: Fact) -> tuple[Direction, ...] | None:
    """Return the directions in which a change breaks calls, None for a fact about no schema."""
    return fact.broken


def at_most(verdict: Verdict) -> Callable[[Fact], Level]:
    """Return a function that limits the level of a fact: error if old calls break, warning if only new calls do."""

    def level(fact: Fact) -> Level:
        ways = verdict(fact)
        if ways is None or "backward" in ways:
            return "error"
        return "warning" if "forward" in ways else "note"

    return level
