"""In which directions a fact about a schema breaks calls, and which level that makes it at most."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from opspec_lint.report.findings import Level
    from opspec_lint.spec.fact import Direction, Fact

    Verdict: TypeAlias = Callable[[Fact], tuple[Direction, ...] | None]


def refused(fact: Fact) -> tuple[Direction, ...] | None:
    """Return the directions in which PyTorch's predicates refuse a fact, None for one that is about no schema."""
    return fact.refused


def broken(fact: Fact) -> tuple[Direction, ...] | None:
    """Return the directions in which a fact breaks calls, None for one that is about no schema."""
    return fact.broken


def at_most(verdict: Verdict) -> Callable[[Fact], Level]:
    """Return a function that gives the worst level of a fact: error if old calls break, warning if new ones do."""

    def level(fact: Fact) -> Level:
        ways = verdict(fact)
        if ways is None or "backward" in ways:
            return "error"
        return "warning" if "forward" in ways else "note"

    return level
