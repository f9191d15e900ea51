"""The states in which control reaches the statements of a C++ function, and their joins."""

from __future__ import annotations

from opspec_lint.spec.condition import ALWAYS, conjunction, disjunction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec_lint.spec.condition import Condition


class ReachState:
    """The condition under which a statement is reached, and the offset of its cause."""

    __slots__ = ("cause", "condition")

    def __init__(self, condition: Condition, cause: int) -> None:
        self.condition = condition
        self.cause = cause

    def narrow(self, condition: Condition, cause: int) -> ReachState:
        """Return the state in which a further condition holds as well."""
        result = conjunction(self.condition, condition)
        return self if result == self.condition else ReachState(result, cause)


class Jumps:
    """The states of the `break` and `continue` jumps of a loop, switch or function."""

    def __init__(self) -> None:
        self.breaks: list[ReachState] = []
        self.continues: list[ReachState] = []


def join_states(states: Sequence[ReachState]) -> ReachState:
    """Return the state where control arrives from several places."""
    condition = disjunction(state.condition for state in states)
    causes = (state.cause for state in states if state.condition != ALWAYS)
    return ReachState(condition, max(causes, default=states[0].cause))
