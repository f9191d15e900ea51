"""The calls in the expressions of a C++ function that may not return: they throw, or end the process; macros likewise.

A call counts wherever it is in an expression: `int n = 1 + fail();`, `if (fail())`, `S s;` with the constructor of `S`.
"""

from __future__ import annotations

from opspec_lint.cpp.endings import foreign_macro_condition, is_check
from opspec_lint.cpp.expressions import text_of
from opspec_lint.cpp.lambdas import lambdas_between
from opspec_lint.cpp.limits import MAX_LEAVING_CALLS
from opspec_lint.cpp.straight import PROCESS_ENDS
from opspec_lint.cpp.tokens import NAME, SIGN
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.variable_uses import uses_of_variable
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, disjunction, negation, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from opspec_lint.cpp.endings import ControlFlowNames
    from opspec_lint.cpp.operands import Operand
    from opspec_lint.cpp.tested_conditions import TestedConditions
    from opspec_lint.cpp.tokens import Tokens
    from opspec_lint.spec.condition import Condition

_BEFORE_EXPRESSION = frozenset(
    {
        *("return", "co_return", "co_await", "co_yield", "throw", "new", "delete", "not", "and", "or", "xor"),
        *("else", "do", "case", "goto", "sizeof"),
    }
)
"""Keywords before an expression; behind any other name, a name is declared."""
_TYPE_BODY = frozenset({"struct", "class", "union", "enum"})


class LeavingCalls:
    """The conditions under which the calls in a range of tokens return.

    Args:
        tokens: the tokens of the function.
        texts: their texts.
        names: the functions and macros of the file that decide where control goes.
        outside: returns the condition of the preprocessor at an offset.
    """

    def __init__(
        self, tokens: Tokens, texts: list[str], names: ControlFlowNames, outside: Callable[[int], Condition]
    ) -> None:
        self._tokens = tokens
        self._texts = texts
        self._names = names
        self._outside = outside
        self._calls_of_lambdas: dict[int, Condition] = {}
        """The conditions under which calls of lambdas in variables return, by the index of the variable."""

    def add_lambda(self, name: str, behind: int, returns: Condition, *, is_declared: bool) -> None:
        """Add the lambda that a variable is declared with, or that it is assigned.

        Args:
            name: the variable.
            behind: the index behind the declaration or the assignment.
            returns: the condition under which calls of the lambda return.
            is_declared: whether the variable is declared with it; an assignment is perhaps not executed.
        """
        if returns == ALWAYS and not self._may_leave(name):
            return
        for index in uses_of_variable(self._tokens, name, behind):
            if self._text_at(index + 1) == "=":
                is_declared = False
            elif self._text_at(index + 1) == "(":
                self._calls_of_lambdas[index] = returns if is_declared else requirement(f"`{name}` returns")

    def condition_behind(
        self, start: int, end: int, tested: TestedConditions, operands: Sequence[Operand] = ()
    ) -> Condition:
        """Return the condition under which control reaches what is behind an expression or a simple statement.

        Args:
            start: the index of its first token.
            end: the index behind its last token.
            tested: the values of the variables there.
            operands: the operands that are not evaluated in every case.

        Raises:
            UnresolvedError: too many of the calls may not return.
        """
        result = ALWAYS
        count = 0
        for index, opening in self._calls(start, end):
            returns = self._returns(index, opening, tested)
            if returns != ALWAYS:
                count += 1
                if count > MAX_LEAVING_CALLS:  # the arguments of each may contain all further ones
                    raise UnresolvedError(f"an expression has more than {MAX_LEAVING_CALLS} calls that may not return")
                result = conjunction(result, self.skipped_or(returns, index, operands))
        return result

    def skipped_or(self, returns: Condition, index: int, operands: Sequence[Operand]) -> Condition:
        """Return the condition that a call returns, or is in an operand that is skipped."""
        return disjunction((returns, *self._skipped(index, operands)))

    def _skipped(self, index: int, operands: Sequence[Operand]) -> Iterator[Condition]:
        """Yield conditions under which the token at an index is not compiled or not evaluated."""
        yield negation(self._outside(self._tokens[index][2]))
        for start, end, condition in operands:
            if start <= index < end:
                yield negation(condition)

    def _calls(self, start: int, end: int) -> Iterator[tuple[int, int | None]]:
        """Yield the index of the name of each call, macro or constructor, and of its bracket, None for no bracket."""
        bodies = {body: closed for _, body, closed in lambdas_between(self._tokens, start, end)}
        is_type = self._texts[start] in _TYPE_BODY
        at = start
        while at < end:
            kind, text, _ = self._tokens[at]
            if at in bodies or (is_type and text == "{" and kind == SIGN):
                at = self._tokens.closing(at)
            elif kind == NAME and self._text_at(at - 1) not in (".", "->"):
                yield from self._calls_at(at, end)
            at += 1

    def _calls_at(self, at: int, end: int) -> Iterator[tuple[int, int | None]]:
        """Yield the call or macro of the name at an index, if it is one."""
        if self._texts[at] in self._names.leaving:
            yield at, None
            return
        opening = at + 1
        if self._text_at(opening) == "<":
            opening = self._tokens.closing_angle(opening) + 1
        behind = self._text_at(opening) if opening < end else ""
        if behind in ("(", "{"):
            if not self._is_declared(at):
                yield at, opening
        elif opening < end and self._tokens[opening][0] == NAME and self._texts[at] not in _BEFORE_EXPRESSION:
            # `S s;`, `S s(1);`, `S s{1};`
            after = self._text_at(opening + 1) if opening + 1 < end else ";"
            if after in (";", ","):
                yield at, None
            elif after in ("(", "{"):
                yield at, opening + 1
        elif self._text_at(at - 1) == "new":
            yield at, None

    def _is_declared(self, at: int) -> bool:
        """Return whether the name before a bracket is declared there, and so is no function that is called."""
        return at > 0 and self._tokens[at - 1][0] == NAME and self._texts[at - 1] not in _BEFORE_EXPRESSION

    def _returns(self, at: int, opening: int | None, tested: TestedConditions) -> Condition:
        """Return the condition under which a call returns, or under which control continues behind a macro."""
        name = self._texts[at]
        if name in self._names.leaving:
            return self._names.leaving[name]
        if at in self._calls_of_lambdas:
            return self._calls_of_lambdas[at]
        is_call = opening is not None and self._texts[opening] == "("
        if is_call and (name in PROCESS_ENDS or name in self._names.ending):
            return NEVER
        condition = ALWAYS
        if is_call and opening is not None:
            condition = foreign_macro_condition(name, is_false=is_check(name) and tested.is_false(opening))
        if self._names.returning is None or not self._names.returning.may_leave(name):
            return condition
        values = [] if opening is None else tested.values_of_arguments(opening)
        shown = name if opening is None else text_of(self._tokens, at, self._tokens.closing(opening) + 1)
        return conjunction(condition, self._names.returning.condition(name, values, shown))

    def _may_leave(self, name: str) -> bool:
        """Return whether a function of a name may not return, so that a variable of the name hides it."""
        names = self._names
        is_function = name in PROCESS_ENDS or name in names.ending
        return is_function or (names.returning is not None and names.returning.may_leave(name))

    def _text_at(self, index: int) -> str:
        """Return the text of a token, "" outside of the function."""
        return self._texts[index] if 0 <= index < len(self._texts) else ""
