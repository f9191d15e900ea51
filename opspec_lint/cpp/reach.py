"""The conditions under which control reaches the statements of a C++ function: ALWAYS, NEVER or unknown.

The statements are followed once, in order, through all branches, with the state in which each is reached. A constant
condition is evaluated, any other one is a requirement. Code behind `return` is reached if `return` is not.
"""

from __future__ import annotations

from opspec_lint.cpp.assignments import Assignments
from opspec_lint.cpp.effects import NoEffects
from opspec_lint.cpp.expressions import text_of
from opspec_lint.cpp.file_names import FileNames
from opspec_lint.cpp.guarding_macros import guarded_ranges
from opspec_lint.cpp.lambdas import (
    HIDING_PARAMETER,
    assigned_variable,
    is_called_in_place,
    is_called_once,
    lambdas_between,
    parameter_names,
)
from opspec_lint.cpp.leaving_calls import LeavingCalls
from opspec_lint.cpp.operands import SKIPPING, Operands
from opspec_lint.cpp.reach_states import Gotos, Jumps, ReachState, join_states
from opspec_lint.cpp.statement_ends import CONTROL, JUMPS, after_control, after_statement
from opspec_lint.cpp.switch_labels import switch_labels
from opspec_lint.cpp.tested_conditions import TestedConditions
from opspec_lint.cpp.tokens import NAME, SIGN, statement_end, tokenize
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.variable_uses import condition_of_use
from opspec_lint.cpp.variables import Variables
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, disjunction, negation, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from opspec_lint.cpp.endings import ControlFlowNames
    from opspec_lint.cpp.formulas import Span
    from opspec_lint.cpp.operands import Operand
    from opspec_lint.cpp.preprocessed import Code
    from opspec_lint.spec.condition import Condition


class Reach:
    """The parts of a function body that control does not always reach, as `spans`.

    Args:
        code: the file.
        start: the offset after the opening brace of the body.
        end: the offset of its closing brace.
        outside: returns the condition of the preprocessor at an offset.
        hidden: the names of objects whose methods matter: a variable with such a name hides the object.
        control_names: the functions and macros of the file that decide where control goes.

    `end` is the condition under which control reaches the end of the body, and `returns` the one under which control
    reaches it or a `return`.

    Raises:
        UnresolvedError: the statements cannot be parsed.
    """

    def __init__(  # noqa: PLR0913 - a part of a file, and what its names mean
        self,
        code: Code,
        start: int,
        end: int,
        outside: Callable[[int], Condition],
        hidden: Collection[str] = (),
        *,
        control_names: ControlFlowNames,
    ) -> None:
        self._bare = code.bare
        self.spans: list[Span] = []
        self._tokens = tokenize(code.text, start, end)
        self._texts = [text for _, text, _ in self._tokens]
        self._later_gotos = Gotos(self._texts)
        self._file_names = FileNames(code)
        self._outside = outside
        self._hidden = frozenset(hidden)
        self._guards = control_names.guards
        self._leaving_calls = LeavingCalls(self._tokens, self._texts, control_names, outside)
        self._end = end
        self._skipping = {text for text in SKIPPING if text in self._texts}
        self._named_lambdas: list[tuple[str, int, int, int]] = []
        self.end = self._follow_function(0, len(self._tokens), ReachState(ALWAYS, start)).condition
        self.returns = disjunction((self.end, *self._returns))
        for name, opening, closing, behind in self._named_lambdas:  # in order: a lambda may call one before it
            self._follow_function(opening + 1, closing, self._call_state(name, behind, opening))

    def at(self, offset: int) -> Condition:
        """Return the condition under which control reaches an offset."""
        condition = ALWAYS
        for start, end, own, _ in self.spans:
            if start <= offset < end:
                condition = conjunction(condition, own)
        return condition

    def _follow_function(self, at: int, end: int, state: ReachState) -> ReachState:
        """Follow the body of a function or lambda, which has separate variables and jumps; return the state behind."""
        self._environment = Variables(self._file_names)
        self._assignments = Assignments(self._tokens, self._environment, NoEffects())
        self._tested = TestedConditions(self._tokens, self._texts, self._environment, self._file_names)
        self._jumps = [Jumps()]
        self._gotos: dict[str, list[ReachState]] = {}
        self._returns: list[Condition] = []
        if state.condition != ALWAYS and at < end:
            self._add_span(at, end, state)
            # The span of the whole body has the condition, so its statements add only their own.
            state = ReachState(ALWAYS, state.cause)
        return self._follow_block(at, end, state)

    def _call_state(self, name: str, behind: int, opening: int) -> ReachState:
        """Return the state in which the lambda in a variable runs: the disjunction of its calls and uses."""
        offset = self._tokens[opening][2]

        def reached(place: int) -> Condition:
            return conjunction(self.at(place), self._outside(place))

        return ReachState(condition_of_use(self._tokens, name, behind, reached, declared_if=self.at(offset)), offset)

    def _text_at(self, index: int) -> str:
        """Return the text of a token, "" outside of the body."""
        return self._texts[index] if 0 <= index < len(self._texts) else ""

    def _offset_at(self, index: int) -> int:
        """Return the offset of a token, or the end of the body."""
        return self._tokens[index][2] if index < len(self._tokens) else self._end

    def _add_span(self, at: int, end: int, state: ReachState) -> None:
        """Add the span of tokens that is reached only in a state."""
        if state.condition != ALWAYS:
            self.spans.append((self._offset_at(at), self._offset_at(end), state.condition, state.cause))

    def _follow_block(self, at: int, end: int, state: ReachState) -> ReachState:
        """Follow statements, and return the state behind them."""
        self._environment.enter()
        try:
            while at < end:
                at, state = self._follow_statement(at, end, state)
        finally:
            self._environment.leave()
        return state

    def _follow_statement(self, at: int, end: int, state: ReachState) -> tuple[int, ReachState]:
        """Follow a statement; return the index behind it, and the state there."""
        kind, text, offset = self._tokens[at]
        if kind == SIGN and text == ";":
            return at + 1, state
        if kind == SIGN and text == "{":
            closed = self._tokens.closing(at)
            return closed + 1, self._follow_block(at + 1, closed, state)
        guard = self._guards.get(text) if kind == NAME else None
        if guard is not None and not guard.is_for_arguments and guard.counts_at(offset):
            return self._follow_guarded(at, end, state)
        if kind == NAME and text in CONTROL:
            behind = after_control(self._tokens, at, end)
            return behind, self._follow_control(text, at, behind, state)
        if kind == NAME and self._text_at(at + 1) == ":" and text not in ("default", "public", "private", "protected"):
            # A label is reached from the statement before it and from each goto that names it.
            later = self._later_gotos.states_behind(at, text, state, offset)
            return at + 2, join_states([state, *self._gotos.pop(text, ()), *later])
        stop = min(statement_end(self._tokens, at), end)
        self._add_span(at, stop, state)
        for since, until, executed, cause in guarded_ranges(self._tokens, at, stop, self._guards):
            self._add_span(since, until, ReachState(executed, self._offset_at(cause)))
        followed = self._follow_expression(at, stop, state)
        if kind == NAME and text in JUMPS:
            return stop + 1, self._follow_jump(at, followed)
        self._follow_simple(at, stop, end)
        return stop + 1, followed

    def _follow_guarded(self, at: int, end: int, state: ReachState) -> tuple[int, ReachState]:
        """Follow the statement behind a macro that decides whether it is executed."""
        condition, offset = self._guards[self._texts[at]].condition, self._tokens[at][2]
        behind = self._tokens.closing(at + 1) + 1 if self._text_at(at + 1) == "(" else at + 1
        if behind >= end:
            return behind, state
        behind, followed = self._follow_statement(behind, end, state.narrow(condition, offset))
        return behind, join_states([followed, state.narrow(negation(condition), offset)])

    def _follow_jump(self, at: int, state: ReachState) -> ReachState:
        """Return the state behind a jump, which is reached only by a build that does not compile the jump."""
        text, offset = self._texts[at], self._tokens[at][2]
        outside = self._outside(offset)
        jump = state.narrow(outside, offset)
        if text == "goto":
            self._gotos.setdefault(self._text_at(at + 1), []).append(jump)
        elif text == "break":
            self._jumps[-1].breaks.append(jump)
        elif text == "continue":
            self._jumps[-1].continues.append(jump)
        elif text in ("return", "co_return"):
            self._returns.append(jump.condition)
        return state.narrow(negation(outside), offset)

    def _follow_expression(self, at: int, stop: int, state: ReachState) -> ReachState:
        """Follow the operands and lambdas of an expression or a simple statement, and return the state behind it."""
        operands = self._skipped_operands(at, stop)
        for start, end, condition in operands:
            self._add_span(start, end, ReachState(condition, self._offset_at(start)))
        offset = self._offset_at(at)
        for index, returns in self._follow_lambdas(at, stop, state):
            state = state.narrow(self._leaving_calls.skipped_or(returns, index, operands), offset)
        return state.narrow(self._leaving_calls.condition_behind(at, stop, self._tested, operands), offset)

    def _skipped_operands(self, at: int, stop: int) -> list[Operand]:
        """Return the operands of an expression that its operators may skip."""
        if self._skipping.isdisjoint(self._texts[at:stop]):
            return []
        return [*Operands(self._tokens, self._texts, self._condition_and_opposite).between(at, stop)]

    def _follow_head(self, at: int, stop: int, state: ReachState) -> ReachState:
        """Follow an expression in the parentheses of a control statement, and return the state behind it."""
        self._add_span(at, stop, state)
        return self._follow_expression(at, stop, state)

    def _follow_simple(self, at: int, stop: int, end: int) -> None:
        """Apply the effects of a statement on variables; if it is not understood, they become unknown."""
        declared = self._assignments.declared(at, stop)
        # From here on the name is another object, whose methods do not matter.
        if declared in self._hidden:
            self._add_span(stop, end, ReachState(NEVER, self._tokens[at][2]))
        try:
            if not self._assignments.follow(at, stop):
                self._environment.forget_known(self._tokens, at, stop)
            elif declared is not None and "&" in self._texts[at:stop]:
                # A reference may change the variable that it is bound to.
                self._environment.forget_known(self._tokens, at, stop)
        except (UnresolvedError, LookupError):
            self._environment.forget_known(self._tokens, at, stop)

    def _follow_control(self, keyword: str, at: int, behind: int, state: ReachState) -> ReachState:
        """Follow a control statement, and return the state behind it."""
        self._environment.enter()
        try:
            if keyword == "if":
                result = self._follow_if(at, behind, state)
            elif keyword == "try":
                result = self._follow_try(at, behind, state)
            elif keyword == "switch":
                result = self._follow_switch(at, behind, state)
            elif keyword == "do":
                result = self._follow_do(at, state)
            else:
                result = self._follow_loop(keyword, at, behind, state)
        finally:
            self._environment.leave()
        self._environment.forget_known(self._tokens, at, behind)
        return result

    def _follow_if(self, at: int, behind: int, state: ReachState) -> ReachState:
        """Follow both branches of an `if`."""
        offset = self._tokens[at][2]
        opening = at + 1 + (self._text_at(at + 1) == "constexpr")
        closed = self._tokens.closing(opening)
        state = self._follow_head(opening + 1, closed, state)
        holds, fails = self._condition_and_opposite(opening + 1, closed)
        middle = after_statement(self._tokens, closed + 1, behind)
        first = self._follow_block(closed + 1, middle, state.narrow(holds, offset))
        second = state.narrow(fails, offset)
        if middle < behind:  # `else`
            second = self._follow_block(middle + 1, behind, second)
        return join_states([first, second])

    def _condition_and_opposite(self, start: int, end: int) -> tuple[Condition, Condition]:
        """Return the condition that a tested expression is true, and its opposite; a declaration may precede it."""
        parts = self._tested.split_parts(start, end)
        for part_start, part_end in parts[:-1]:
            self._follow_simple(part_start, part_end, part_end)
        start, end = parts[-1]
        # `a && b(c)` is no declaration of a reference `b`, as a declared variable has a value here.
        if not {"=", "{"}.isdisjoint(self._texts[start:end]) and self._assignments.declared(start, end) is not None:
            text = text_of(self._tokens, start, end)
            return requirement(text), requirement(text, holds=False)
        return self._tested.condition_and_opposite(start, end)

    def _follow_try(self, at: int, behind: int, state: ReachState) -> ReachState:
        """Follow a `try` and its handlers, each under the unknown condition that it catches something."""
        middle = after_statement(self._tokens, at + 1, behind)
        ends = [self._follow_block(at + 1, middle, state)]
        while self._text_at(middle) == "catch" and middle < behind:
            closed = self._tokens.closing(middle + 1)
            offset = self._tokens[middle][2]
            caught = text_of(self._tokens, middle, closed + 1)
            middle = after_statement(self._tokens, closed + 1, behind)
            ends.append(self._follow_block(closed + 1, middle, state.narrow(requirement(caught), offset)))
        return join_states(ends)

    def _follow_loop(self, keyword: str, at: int, behind: int, state: ReachState) -> ReachState:
        """Follow the body of a `for` or `while` once; with an unknown condition, it may not run."""
        offset, closed = self._tokens[at][2], self._tokens.closing(at + 1)
        state = self._follow_loop_head(keyword, at + 2, closed, state)
        holds, fails, is_endless = self._loop_conditions(keyword, at + 2, closed)
        self._environment.forget_known(self._tokens, at, behind)
        self._jumps.append(Jumps())
        after_body = self._follow_block(closed + 1, behind, state.narrow(holds, offset))
        jumps = self._jumps.pop()
        # Only a `break` leads behind a loop without an end.
        if is_endless:
            return join_states(jumps.breaks) if jumps.breaks else state.narrow(NEVER, offset)
        return join_states([state.narrow(fails, offset), after_body, *jumps.breaks, *jumps.continues])

    def _follow_loop_head(self, keyword: str, start: int, end: int, state: ReachState) -> ReachState:
        """Follow the expressions in the parentheses of a loop; return the state behind those that are executed once."""
        parts = self._tested.split_parts(start, end)
        if keyword != "for" or len(parts) < 3:
            return self._follow_head(start, end, state)
        for part in parts[:2]:
            state = self._follow_head(*part, state)
        self._follow_head(*parts[2], state)
        return state

    def _loop_conditions(self, keyword: str, start: int, end: int) -> tuple[Condition, Condition, bool]:
        """Return the condition that a loop runs at all, its opposite, and whether the loop only ends by a jump."""
        parts = self._tested.split_parts(start, end)
        text = f"a pass of `{keyword} ({text_of(self._tokens, start, end)})`"
        if keyword == "for" and len(parts) < 3:
            return self._tested.range_conditions(start, end, text)
        if keyword == "for":
            self._follow_simple(*parts[0], parts[0][1])
            start, end = parts[1]
        return self._tested.loop_conditions(start, end, text)

    def _follow_do(self, at: int, state: ReachState) -> ReachState:
        """Follow the body of a `do`, which always runs once."""
        middle = after_statement(self._tokens, at + 1, len(self._tokens))
        self._environment.forget_known(self._tokens, at, middle)
        self._jumps.append(Jumps())
        after_body = self._follow_block(at + 1, middle, state)
        jumps = self._jumps.pop()
        tested = join_states([after_body, *jumps.continues])
        closed = self._tokens.closing(middle + 1)
        return join_states([self._follow_head(middle + 2, closed, tested), *jumps.breaks])

    def _follow_switch(self, at: int, behind: int, state: ReachState) -> ReachState:
        """Follow the cases of a `switch`, each reached by its label or from the case before it."""
        offset, closed = self._tokens[at][2], self._tokens.closing(at + 1)
        value = text_of(self._tokens, at + 2, closed)
        state = self._follow_head(at + 2, closed, state)
        opening, end = closed + 1, behind - 1
        if self._text_at(opening) != "{":
            raise UnresolvedError("a statement inside `switch` is not evaluated")
        cases = switch_labels(self._tokens, opening + 1, end)
        missed = state
        for label in cases.values():
            if label is not None:
                missed = missed.narrow(self._tested.differs(label, (at + 2, closed), value), self._tokens[label[0]][2])
        current = state.narrow(NEVER, offset)
        self._jumps.append(Jumps())
        index = opening + 1
        while index < end:
            if index not in cases:
                index, current = self._follow_statement(index, end, current)
                continue
            label = cases[index]
            if label is None:
                current, index = join_states([current, missed]), index + 2
            else:
                equal = negation(self._tested.differs(label, (at + 2, closed), value))
                current, index = join_states([current, state.narrow(equal, self._tokens[index][2])]), label[1] + 1
        jumps = self._jumps.pop()
        # `continue` within a `switch` belongs to the loop around it.
        self._jumps[-1].continues += jumps.continues
        has_default = None in cases.values()
        return join_states([current, *jumps.breaks, *(() if has_default else (missed,))])

    def _follow_lambdas(self, at: int, stop: int, state: ReachState) -> list[tuple[int, Condition]]:
        """Follow the lambdas in a statement; those assigned to a variable are followed later, at their calls.

        Returns:
            The index of each lambda that the statement calls, with the condition under which the call returns.
        """
        called: list[tuple[int, Condition]] = []
        for index, body, closed in lambdas_between(self._tokens, at, stop):
            variable = assigned_variable(self._tokens, index)
            is_called = is_called_in_place(self._tokens, index, closed)
            if not is_called and variable is not None:
                self._named_lambdas.append((variable, body, closed, stop))
                returns = self._returns_of_lambda(body, closed, state)
                is_declared = self._assignments.declared(at, stop) == variable
                self._leaving_calls.add_lambda(variable, stop, returns, is_declared=is_declared)
            elif not is_called and not is_called_once(self._tokens, at, index, closed, self._bare):
                is_given = requirement(f"`{text_of(self._tokens, at, index)}` calls a function that it is given")
                self._follow_inner(body + 1, closed, state.narrow(is_given, self._tokens[index][2]))
            else:
                called.append((index, self._follow_inner(body + 1, closed, state)))
            if self._hidden and not self._hidden.isdisjoint(parameter_names(self._tokens, index, body)):
                hidden = requirement(HIDING_PARAMETER)
                self._add_span(body + 1, closed, ReachState(hidden, self._tokens[index][2]))
        return called

    def _returns_of_lambda(self, body: int, closed: int, state: ReachState) -> Condition:
        """Return the condition under which calls of the lambda in a variable return; its spans are added later."""
        spans, named = len(self.spans), len(self._named_lambdas)
        returns = self._follow_inner(body + 1, closed, state)
        del self.spans[spans:], self._named_lambdas[named:]
        return returns

    def _follow_inner(self, at: int, end: int, state: ReachState) -> Condition:
        """Follow the body of a lambda, and restore the state of the function around it.

        Returns:
            The condition under which the lambda returns, if it is called.
        """
        around = self._environment, self._assignments, self._tested, self._jumps, self._gotos, self._returns
        behind = self._follow_function(at, end, state)
        returns = disjunction((behind.condition, *self._returns))
        self._environment, self._assignments, self._tested, self._jumps, self._gotos, self._returns = around
        return returns
