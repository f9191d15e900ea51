"""The states in which control reaches the statements of a C++ function, and their joins."""

from __future__ import annotations

from opspec_lint.spec.condition import ALWAYS, conjunction, disjunction, requirement

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


class Gotos:
    """The `goto` jumps of a function; `texts` are the texts of its tokens."""

    def __init__(self, texts: Sequence[str]) -> None:
        indices = enumerate(texts)
        self._last = {texts[at + 1]: at for at, text in indices if text == "goto" and at + 1 < len(texts)}

    def states_behind(self, at: int, name: str, state: ReachState, offset: int) -> list[ReachState]:
        """Return the states of jumps behind an index to a label, whose conditions are not known yet there.

        `state` is the state before the label, at `offset`.
        """
        if state.condition == ALWAYS or self._last.get(name, -1) < at:
            return []
        return [ReachState(requirement(f"`goto {name}` is executed"), offset)]


def join_states(states: Sequence[ReachState]) -> ReachState:
    """Return the state where control arrives from several places."""
    condition = disjunction(state.condition for state in states)
    causes = (state.cause for state in states if state.condition != ALWAYS)
    return ReachState(condition, max(causes, default=states[0].cause))
