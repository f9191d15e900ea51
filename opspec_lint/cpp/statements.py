"""The interpreter of the statements of a function: blocks, conditions, loops, variables.

`Effects` executes all statements that do more than change variables. A statement that is not understood is skipped only
if it can do nothing else; the variables in it are unknown from then on.
"""

from __future__ import annotations

from opspec_lint.cpp.assignments import Assignments
from opspec_lint.cpp.ending_functions import ending_functions
from opspec_lint.cpp.endings import called_name
from opspec_lint.cpp.expressions import evaluate, text_of
from opspec_lint.cpp.statement_ends import CONTROL, after_control, after_statement
from opspec_lint.cpp.straight import PROCESS_ENDS
from opspec_lint.cpp.tokens import NAME, SIGN, split_arguments, statement_end
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.values import Chars, Unordered, convert, truth

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.cpp.effects import Effects
    from opspec_lint.cpp.preprocessed import Code
    from opspec_lint.cpp.steps import StepLimit
    from opspec_lint.cpp.tokens import Tokens
    from opspec_lint.cpp.variables import Variables


_LEAVING = frozenset(
    {"return", "break", "continue", "goto", "throw", "co_return", "co_yield", "co_await", *PROCESS_ENDS}
)
_MAX_QUALIFIED = 16
"""Tokens up to the parenthesis of a call that may end the process: names with `::`."""


class Jump:
    """A jump out of statements: `break`, `continue` or `return`, with the returned value."""

    __slots__ = ("keyword", "span", "value")

    def __init__(self, keyword: str, span: tuple[int, int] | None = None, value: Any = None) -> None:
        self.keyword = keyword
        self.span = span
        self.value = value


class Statements:
    """An interpreter of the statements of one function.

    Args:
        tokens: the tokens of its body.
        code: the code that the tokens are from.
        here: its variables.
        steps: the limit of executed statements.
        effects: executes everything but changes of variables.
        is_void: whether it returns no value: the operand of `return` is then executed as a statement.
    """

    def __init__(  # noqa: PLR0913 - what surrounds a function
        self,
        tokens: Tokens,
        code: Code,
        environment: Variables,
        steps: StepLimit,
        effects: Effects,
        *,
        is_void: bool = False,
    ) -> None:
        self._tokens = tokens
        self._code = code
        self._environment = environment
        self._steps = steps
        self._effects = effects
        self._is_void = is_void
        self._assignments = Assignments(tokens, environment, effects)
        self._ending_names: frozenset[str] | None = None

    def run(self) -> Jump | None:
        """Execute all statements.

        Raises:
            UnresolvedError: a statement cannot be executed.
        """
        return self._run_block(0, len(self._tokens))

    def _run_block(self, at: int, end: int) -> Jump | None:
        """Execute the statements in tokens `at` to `end`; return the jump that ends them."""
        self._environment.enter()
        try:
            while at < end:
                outcome, at = self._run_located(at, end)
                if outcome is not None:
                    return outcome
        finally:
            self._environment.leave()
        return None

    def _run_located(self, at: int, end: int) -> tuple[Jump | None, int]:
        """Execute a statement; an error gets its place, unless it has one."""
        try:
            return self._run_statement(at, end)
        except UnresolvedError as error:
            offset = self._tokens[min(at, len(self._tokens) - 1)][2]
            raise error.at(self._code.path, self._code.place(offset)[0]) from None

    def _run_statement(self, at: int, end: int) -> tuple[Jump | None, int]:
        """Execute one statement; return the jump that it makes, and the index after it."""
        self._steps.spend()
        tokens = self._tokens
        kind, text, _ = tokens[at]
        if kind == SIGN and text == ";":
            return None, at + 1
        if kind == SIGN and text == "{":
            closed = tokens.closing(at)
            return self._run_block(at + 1, closed), closed + 1
        if kind == NAME and text in CONTROL:
            return self._run_control(at, end)
        stop = min(statement_end(tokens, at), end)
        if kind == NAME and self._never_returns(at):
            raise UnresolvedError(f"`{text_of(tokens, at, stop)}` throws, or ends the process")
        if kind == NAME and text in ("break", "continue"):
            return Jump(text), stop + 1
        if kind == NAME and text == "return":
            return self._run_return(at + 1, stop), stop + 1
        if stop >= len(tokens) and not self._is_void:
            raise UnresolvedError(f"{text_of(tokens, at, stop)} does not end")
        self._run_simple(at, stop)
        return None, stop + 1

    def _never_returns(self, at: int) -> bool:
        """Return whether a statement throws, or calls a function that never returns."""
        tokens = self._tokens
        if tokens[at][1] == "throw":
            return True
        if at + 1 >= len(tokens) or tokens[at + 1][1] not in ("(", "::"):
            return False
        name = called_name([text for _, text, _ in tokens[at : at + _MAX_QUALIFIED]], 0)
        return name in PROCESS_ENDS or name in self._ending()

    def _ending(self) -> frozenset[str]:
        """Return the functions of the file that never return."""
        if self._ending_names is None:
            self._ending_names = ending_functions(self._code.source_of(0)[0])
        return self._ending_names

    def _run_return(self, start: int, end: int) -> Jump:
        """Return the jump of a `return`, with its value."""
        if start >= end:
            return Jump("return")
        if self._is_void:
            self._run_simple(start, end)
            return Jump("return")
        return Jump("return", (start, end), evaluate(self._tokens, start, end, self._environment))

    def _run_simple(self, start: int, end: int) -> None:
        """Execute a statement that contains no statements."""
        if start >= end:
            return
        if self._effects.expression(self._tokens, start, end) or self._assignments.follow(start, end):
            return
        self._skip(start, end)

    def _skip(self, start: int, end: int) -> None:
        """Skip statements that can only change variables, which become unknown.

        Raises:
            UnresolvedError: the statements may do more.
        """
        if self._may_jump(start, end) or self._effects.may_have_effect(self._tokens, start, end):
            raise UnresolvedError(f"{text_of(self._tokens, start, end)} is not evaluated")
        self._environment.forget(self._tokens, start, end)

    def _run_control(self, at: int, end: int) -> tuple[Jump | None, int]:
        """Execute a control statement, or skip it if it only changes variables in an unknown way."""
        behind = after_control(self._tokens, at, end)
        keyword = self._tokens[at][1]
        # Statements that can do more than change variables must be executed; all others may be skipped.
        if self._effects.may_have_effect(self._tokens, at, behind) or self._may_jump(at, behind):
            return self._run_keyword(keyword, at, behind), behind
        try:
            outcome = self._run_keyword(keyword, at, behind)
        except UnresolvedError:
            self._skip(at, behind)
            outcome = None
        return outcome, behind

    def _may_jump(self, start: int, end: int) -> bool:
        """Return whether statements contain a jump, or something that never returns."""
        return any(
            kind == NAME and (text in _LEAVING or (text in self._ending() and self._tokens[at + 1][1] == "("))
            for at, (kind, text, _) in enumerate(self._tokens[start:end], start)
        )

    def _run_keyword(self, keyword: str, at: int, end: int) -> Jump | None:
        """Execute the control statement of a keyword."""
        # A variable that is declared in the condition lives as long as the statement.
        self._environment.enter()
        try:
            if keyword == "if":
                return self._run_if(at, end)
            if keyword == "for":
                return self._run_for(at, end)
            if keyword == "while":
                return self._run_while(at)
            if keyword == "do":
                return self._run_do(at)
            if keyword == "switch":
                return self._run_switch(at)
        finally:
            self._environment.leave()
        raise UnresolvedError(f"a statement inside `{keyword}` is not evaluated")

    def _run_if(self, at: int, end: int) -> Jump | None:
        tokens = self._tokens
        at += 1
        if tokens[at][1] == "constexpr":
            at += 1
        closed = tokens.closing(at)
        condition = self._condition(at + 1, closed)
        behind = after_statement(tokens, closed + 1, end)
        if condition:
            return self._run_branch(closed + 1, behind)
        if behind < end and tokens[behind][1] == "else":
            return self._run_branch(behind + 1, end)
        return None

    def _condition(self, start: int, end: int) -> bool:
        """Return the value of a condition, after executing the statement that may precede it."""
        at = self._find_semicolon(start, end)
        if at >= 0:
            self._run_simple(start, at)
            start = at + 1
        declared = self._assignments.declared(start, end)
        if declared is not None:
            self._run_simple(start, end)
            return truth(self._environment.constant((), declared))
        return truth(self._tested(start, end))

    def _tested(self, start: int, end: int) -> Any:
        """Return the value of the expression that a control statement tests."""
        return evaluate(self._tokens, start, end, self._environment)

    def _find_semicolon(self, start: int, end: int) -> int:
        """Return the index of the first `;` outside of brackets, -1 if there is none."""
        at = start
        while at < end:
            kind, text, _ = self._tokens[at]
            if kind == SIGN and text == ";":
                return at
            if kind == SIGN and text in "({[":
                at = self._tokens.closing(at)
            at += 1
        return -1

    def _run_branch(self, at: int, end: int) -> Jump | None:
        """Execute the statement that a condition or loop controls."""
        if at >= end:
            raise UnresolvedError("a statement that ends early")
        return self._run_block(at, end)

    def _run_for(self, at: int, end: int) -> Jump | None:
        """Execute a `for` loop."""
        tokens = self._tokens
        closed = tokens.closing(at + 1)
        body = (closed + 1, end)
        first = self._find_semicolon(at + 2, closed)
        if first < 0:
            return self._run_range_for(at + 2, closed, body)
        second = self._find_semicolon(first + 1, closed)
        if second < 0:
            raise UnresolvedError("a loop without an end")
        self._run_simple(at + 2, first)
        # A `for` without a condition goes on until it is left ([stmt.for]).
        while first + 1 == second or truth(self._tested(first + 1, second)):
            outcome = self._run_body(*body)
            if outcome is not None:
                return _after_loop(outcome)
            for start, stop in split_arguments(tokens, second + 1, closed):
                self._run_simple(start, stop)
        return None

    def _run_range_for(self, start: int, end: int, body: tuple[int, int]) -> Jump | None:
        """Execute a loop over the items of a list."""
        tokens = self._tokens
        colon = next((at for at in range(start, end) if tokens[at][1] == ":"), -1)
        if colon < start + 2 or tokens[colon - 1][0] != NAME:
            raise UnresolvedError("a loop that is not evaluated")
        items = evaluate(tokens, colon + 1, end, self._environment)
        if not isinstance(items, list) or isinstance(items, Unordered):
            raise UnresolvedError("a loop over something that is not a list")
        kind, is_reference = self._assignments.type_of(start, colon - 1)
        for item in items:
            value = convert(item, kind)
            if kind == "auto" and isinstance(value, list):
                raise UnresolvedError("a loop over lists")
            variable = self._environment.declare(tokens[colon - 1][1], value, kind)
            # Through a reference, an assignment would change the list, which is not followed.
            variable.is_fixed = is_reference
            outcome = self._run_body(*body)
            if outcome is not None:
                return _after_loop(outcome)
        return None

    def _run_body(self, at: int, end: int) -> Jump | None:
        """Execute the body of a loop once; return the jump that ends the loop."""
        self._steps.spend()
        outcome = self._run_branch(at, end)
        return None if outcome is not None and outcome.keyword == "continue" else outcome

    def _run_while(self, at: int) -> Jump | None:
        closed = self._tokens.closing(at + 1)
        end = after_statement(self._tokens, closed + 1, len(self._tokens))
        while self._condition(at + 2, closed):
            outcome = self._run_body(closed + 1, end)
            if outcome is not None:
                return _after_loop(outcome)
        return None

    def _run_do(self, at: int) -> Jump | None:
        tokens = self._tokens
        end = after_statement(tokens, at + 1, len(tokens))
        if end + 1 >= len(tokens) or tokens[end][1] != "while":
            raise UnresolvedError("a `do` without its `while`")
        closed = tokens.closing(end + 1)
        while True:
            outcome = self._run_body(at + 1, end)
            if outcome is not None:
                return _after_loop(outcome)
            if not truth(self._tested(end + 2, closed)):
                return None

    def _run_switch(self, at: int) -> Jump | None:
        """Execute a `switch` from the matching label on."""
        tokens = self._tokens
        closed = tokens.closing(at + 1)
        value = self._tested(at + 2, closed)
        if closed + 1 >= len(tokens) or tokens[closed + 1][1] != "{":
            raise UnresolvedError("a statement inside `switch` is not evaluated")
        end = tokens.closing(closed + 1)
        labels = self._labels(closed + 2, end)
        start = next((behind for label, behind in labels if label is not None and label == value), -1)
        if start < 0:
            start = next((behind for label, behind in labels if label is None), end)
        behind_labels = dict(self._label_ends)
        while start < end:
            # A case without `break` falls through to the next label.
            start = behind_labels.get(start, start)
            if start >= end:
                return None
            outcome, start = self._run_located(start, end)
            if outcome is not None:
                return _after_loop(outcome) if outcome.keyword == "break" else outcome
        return None

    def _labels(self, at: int, end: int) -> list[tuple[Any, int]]:
        """Return the labels of a switch, None for `default`, each with the index after it."""
        tokens = self._tokens
        labels: list[tuple[Any, int]] = []
        self._label_ends: list[tuple[int, int]] = []
        while at < end:
            text = tokens[at][1]
            if text == "{":
                at = tokens.closing(at) + 1
            elif text in ("case", "default"):
                colon = at + 1
                while colon < end and tokens[colon][1] != ":":
                    colon = tokens.closing(colon) + 1 if tokens[colon][1] in ("(", "{", "[") else colon + 1
                value = evaluate(tokens, at + 1, colon, self._environment) if text == "case" else None
                if isinstance(value, (Chars, str)):
                    raise UnresolvedError("a label that is not evaluated")
                labels.append((value, colon + 1))
                self._label_ends.append((at, colon + 1))
                at = colon + 1
            elif text in CONTROL:
                at = after_control(tokens, at, end)
            else:
                at = statement_end(tokens, at) + 1
        return labels


def _after_loop(outcome: Jump) -> Jump | None:
    """Return a jump that goes on behind the loop: a `return`."""
    return outcome if outcome.keyword == "return" else None
