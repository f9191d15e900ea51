"""The conditions that the control statements of a C++ function test: ALWAYS, NEVER or a requirement."""

from __future__ import annotations

from opspec_lint.cpp.expressions import evaluate, text_of
from opspec_lint.cpp.formulas import condition_of
from opspec_lint.cpp.tokens import SIGN, split_arguments
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.values import truth
from opspec_lint.spec.condition import ALWAYS, NEVER, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.cpp.file_names import FileNames
    from opspec_lint.cpp.tokens import Tokens
    from opspec_lint.cpp.variables import Variables
    from opspec_lint.spec.condition import Condition

_ERRORS = (UnresolvedError, ArithmeticError, LookupError, TypeError, ValueError)
"""The exceptions of an expression that has no known value."""


class TestedConditions:
    """The conditions that expressions of a function are true, with the values that its variables have at the time.

    Args:
        tokens: the tokens of the function.
        texts: the text of each token.
        environment: the variables.
        file_names: the constants of the file.
    """

    def __init__(self, tokens: Tokens, texts: list[str], environment: Variables, file_names: FileNames) -> None:
        self._tokens = tokens
        self._texts = texts
        self._environment = environment
        self._file_names = file_names

    def condition_and_opposite(self, start: int, end: int) -> tuple[Condition, Condition]:
        """Return the condition that an expression is true, and its opposite."""
        holds, fails = (
            condition_of(self._texts, start, end, self._leaf_condition, holds=side) for side in (True, False)
        )
        return holds, fails

    def loop_conditions(self, start: int, end: int, text: str) -> tuple[Condition, Condition, bool]:
        """Return the condition that a loop runs at all, its opposite, and whether the loop only ends by a jump.

        Args:
            start: the index of the first token of the expression that the loop tests.
            end: the index behind its last token.
            text: the text of an unknown condition.
        """
        if start == end:
            return ALWAYS, NEVER, True
        value = self._constant(start, end)
        if value is None:
            holds = condition_of(self._texts, start, end, self._leaf_condition)
            if holds not in (ALWAYS, NEVER):
                return requirement(text), requirement(text, holds=False), False
            value = holds == ALWAYS
        try:
            # By constants of the file only: the loop may change a variable of the function.
            is_endless = value and truth(evaluate(self._tokens, start, end, self._file_names))
        except _ERRORS:
            is_endless = False
        return (ALWAYS, NEVER, is_endless) if value else (NEVER, ALWAYS, False)

    def range_conditions(self, start: int, end: int, text: str) -> tuple[Condition, Condition, bool]:
        """Return the conditions of a loop over a range: it runs if the range has items."""
        colon = next((index for index in range(start, end) if self._texts[index] == ":"), end)
        try:
            items = evaluate(self._tokens, colon + 1, end, self._environment)
        except _ERRORS:
            items = None
        if isinstance(items, list):
            return (ALWAYS, NEVER, False) if items else (NEVER, ALWAYS, False)
        if self._texts[colon + 1 : colon + 2] == ["{"] and self._tokens.closing(colon + 1) == end - 1:
            return (NEVER, ALWAYS, False) if colon + 3 == end else (ALWAYS, NEVER, False)
        return requirement(text), requirement(text, holds=False), False

    def is_false(self, opening: int) -> bool:
        """Return whether the first argument of a call is certainly false."""
        arguments = split_arguments(self._tokens, opening + 1, self._tokens.closing(opening))
        try:
            return bool(arguments) and not truth(evaluate(self._tokens, *arguments[0], self._environment))
        except _ERRORS:
            return False

    def values_of_arguments(self, opening: int) -> list[Any]:
        """Return the values of the arguments of a call, None for an unknown one."""
        spans = split_arguments(self._tokens, opening + 1, self._tokens.closing(opening))
        return [self._value(*span) for span in spans]

    def _value(self, start: int, end: int) -> Any:
        """Return the value of an expression, None if it is unknown."""
        try:
            return evaluate(self._tokens, start, end, self._environment)
        except _ERRORS:
            return None

    def differs(self, label: tuple[int, int], value: tuple[int, int], text: str) -> Condition:
        """Return the condition that the value of a `switch` differs from a label."""
        try:
            left, right = (evaluate(self._tokens, *span, self._environment) for span in (label, value))
        except _ERRORS:
            return requirement(f"{text} == {text_of(self._tokens, *label)}", holds=False)
        return NEVER if left == right else ALWAYS

    def split_parts(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return the spans of tokens between semicolons outside of brackets."""
        parts: list[tuple[int, int]] = []
        at = since = start
        while at < end:
            if self._texts[at] in ("(", "{", "[") and self._tokens[at][0] == SIGN:
                at = self._tokens.closing(at)
            elif self._texts[at] == ";":
                parts.append((since, at))
                since = at + 1
            at += 1
        return [*parts, (since, end)]

    def _leaf_condition(self, start: int, end: int, holds: bool) -> Condition:
        """Return the condition of a part of a formula."""
        value = self._constant(start, end)
        if value is None:
            return requirement(text_of(self._tokens, start, end), holds=holds)
        return ALWAYS if value == holds else NEVER

    def _constant(self, start: int, end: int) -> bool | None:
        """Return the value of a constant condition, None if it is unknown."""
        try:
            return truth(evaluate(self._tokens, start, end, self._environment))
        except _ERRORS:
            return None
