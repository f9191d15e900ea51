"""The interface to the effects of statements other than on variables, such as a registration."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from opspec_lint.cpp.tokens import Tokens

    class Effects(Protocol):
        """The executor of statements that do more than change variables; a framework implements it."""

        def expression(self, tokens: Tokens, start: int, end: int) -> bool:
            """Execute the statement in tokens `start` to `end`; return False if it is not understood."""

        def may_have_effect(self, tokens: Tokens, start: int, end: int, *, is_value: bool = False) -> bool:
            """Return whether statements, or a value, may do more than change variables."""


class NoEffects:
    """The effects of a function that only computes a value: none."""

    def expression(self, tokens: Tokens, start: int, end: int) -> bool:  # noqa: ARG002
        """Return False: no statement has an effect."""
        return False

    def may_have_effect(self, tokens: Tokens, start: int, end: int, *, is_value: bool = False) -> bool:  # noqa: ARG002
        """Return False."""
        return False
