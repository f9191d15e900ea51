"""What statements do beyond variables."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from opspec_lint.cpp.tokens import Tokens

    class Effects(Protocol):
        """Does what statements do beyond variables."""

        def expression(self, words: Tokens, start: int, end: int) -> bool:
            """Do what a statement says; tell whether it was understood."""

        def may_have_effect(self, words: Tokens, start: int, end: int, *, is_value: bool = False) -> bool:
            """Tell whether statements, or a value, may do more than change variables."""
