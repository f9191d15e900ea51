"""Interface of the effects of statements other than on variables."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from opspec_lint.cpp.tokens import Tokens

    class Effects(Protocol):
        """The effects of statements other than on variables."""

        def expression(self, tokens: Tokens, start: int, end: int) -> bool:
            """Execute a statement, and return whether it was understood."""

        def may_have_effect(self, tokens: Tokens, start: int, end: int, *, is_value: bool = False) -> bool:
            """Return whether statements, or a value, may do more than change variables."""
