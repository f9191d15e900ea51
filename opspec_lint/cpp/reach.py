"""The conditions under which control reaches the statements of a C++ function: ALWAYS, NEVER or unknown.

The statements are followed once, in order, through all branches, with the state in which each is reached. A constant
condition is evaluated, any other one is a requirement. Code behind `return` is reached if `return` is not.
"""

from __future__ import annotations

import re

from opspec_lint.cpp.assignments import Assignments
from opspec_lint.cpp.declarations import CONSTANT, declarations
from opspec_lint.cpp.endings import called_name, foreign_macro_condition, is_check
from opspec_lint.cpp.expressions import evaluate, text_of
from opspec_lint.cpp.formulas import condition_of
from opspec_lint.cpp.guarding_macros import unknown_arguments
from opspec_lint.cpp.operands import SKIPPING, Operands
from opspec_lint.cpp.statement_ends import after_control, after_statement
from opspec_lint.cpp.straight import PROCESS_ENDS
from opspec_lint.cpp.tokens import NAME, SIGN, split_arguments, statement_end, tokenize
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.values import truth
from opspec_lint.cpp.variables import Variables
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, disjunction, negation, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from typing import Any

    from opspec_lint.cpp.formulas import Span
    from opspec_lint.cpp.preprocessed import Code
    from opspec_lint.cpp.tokens import Tokens
    from opspec_lint.spec.condition import Condition

_KEYWORDS = frozenset({"if", "for", "while", "do", "switch", "try"})
_LEAVING = frozenset({"return", "co_return", "throw"})


class FileNames:
    """The resolver of constants that a file declares outside of functions."""

    def __init__(self, code: Code) -> None:
        self._code = code
        self._busy: set[str] = set()

    def constant(self, qualifiers: tuple[str, ...], name: str) -> Any:
        """Return the value of a constant of the file.

        Raises:
            UnresolvedError: the file declares no such constant, or its value is unknown.
        """
        constants = [declared for declared in declarations(self._code, name) if declared.kind == CONSTANT]
        if len(constants) != 1 or name in self._busy:
            raise UnresolvedError(f"the name {'::'.join((*qualifiers, name))} has no known value")
        end = self._code.bare.find(";", constants[0].offset)
        tokens = tokenize(self._code.text, constants[0].start, end if end >= 0 else len(self._code.text))
        environment = Variables(self)
        self._busy.add(name)
        try:
            Assignments(tokens, environment, _NoEffects()).follow(0, len(tokens))
            return environment.constant((), name) if environment.find(name) else None
        finally:
            self._busy.discard(name)

    def type_text(self, text: str) -> str:
        """Return a type unchanged."""
        return text

    def call(self, qualifiers: tuple[str, ...], name: str, arguments: list[Any]) -> Any:  # noqa: ARG002
        """Raise UnresolvedError for any function."""
        raise UnresolvedError(f"the function {name} is not known")


class _NoEffects:
    """The effects of statements here: none, as only variables in conditions matter."""

    def expression(self, tokens: Tokens, start: int, end: int) -> bool:  # noqa: ARG002
        return False

    def may_have_effect(self, tokens: Tokens, start: int, end: int, *, is_value: bool = False) -> bool:  # noqa: ARG002
        return False


class _ReachState:
    """The condition under which a statement is reached, and the offset of its cause."""

    __slots__ = ("cause", "condition")

    def __init__(self, condition: Condition, cause: int) -> None:
        self.condition = condition
        self.cause = cause

    def narrow(self, condition: Condition, cause: int) -> _ReachState:
        """Return the state in which a further condition holds as well."""
        result = conjunction(self.condition, condition)
        return self if result == self.condition else _ReachState(result, cause)


def _join(states: Sequence[_ReachState]) -> _ReachState:
    """Return the state where control arrives from several places."""
    condition = disjunction(state.condition for state in states)
    causes = (state.cause for state in states if state.condition != ALWAYS)
    return _ReachState(condition, max(causes, default=states[0].cause))


class _Jumps:
    """The states of the `break` and `continue` jumps of a loop, switch or function."""

    def __init__(self) -> None:
        self.breaks: list[_ReachState] = []
        self.continues: list[_ReachState] = []


class Reach:
    """The parts of a function body that control does not always reach, as `spans`.

    Args:
        code: the file.
        start: the offset after the opening brace of the body.
        end: the offset of its closing brace.
        outside: returns the condition of the preprocessor at an offset.
        hidden: the names of objects whose methods matter: a variable with such a name hides the object.
        ending: the functions of the file that never return.
        macros: the macros of the file that leave a function, each with the condition under which it does not.
        guards: the macros of the file that may skip code (`guarding_macros`).

    `end` is the condition under which control reaches the end of the body.

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
        ending: Collection[str] = (),
        macros: Mapping[str, Condition] = {},
        guards: Mapping[str, tuple[Condition, bool]] = {},
    ) -> None:
        self._bare = code.bare
        self.spans: list[Span] = []
        self._tokens = tokenize(code.text, start, end)
        self._texts = [text for _, text, _ in self._tokens]
        self._file_names = FileNames(code)
        self._outside = outside
        self._hidden = hidden
        self._ending = ending
        self._macros = macros
        self._guards = guards
        self._end = end
        self._skipping = {text for text in SKIPPING if text in self._texts}
        self._named_lambdas: list[tuple[str, int, int, int]] = []
        self.end = self._follow_function(0, len(self._tokens), _ReachState(ALWAYS, start)).condition
        for name, opening, closing, behind in self._named_lambdas:  # in order: a lambda may call one before it
            self._follow_function(opening + 1, closing, self._call_state(name, behind, opening))

    def at(self, offset: int) -> Condition:
        """Return the condition under which control reaches an offset."""
        condition = ALWAYS
        for start, end, own, _ in self.spans:
            if start <= offset < end:
                condition = conjunction(condition, own)
        return condition

    def _follow_function(self, at: int, end: int, state: _ReachState) -> _ReachState:
        """Follow the body of a function or lambda, which has separate variables and jumps; return the state behind."""
        self._environment = Variables(self._file_names)
        self._assignments = Assignments(self._tokens, self._environment, _NoEffects())
        self._jumps = [_Jumps()]
        self._gotos: dict[str, list[_ReachState]] = {}
        if state.condition != ALWAYS and at < end:
            self._add_span(at, end, state)
            # The span of the whole body has the condition, so its statements add only their own.
            state = _ReachState(ALWAYS, state.cause)
        return self._follow_block(at, end, state)

    def _call_state(self, name: str, behind: int, opening: int) -> _ReachState:
        """Return the state in which the lambda in a variable runs: the disjunction of its calls and uses."""
        offset = self._tokens[opening][2]
        conditions: list[Condition] = []
        kept = ALWAYS
        for index in self._uses(name, behind):
            place = self._tokens[index][2]
            if self._text_at(index + 1) == "=":
                kept = requirement(f"`{name}` is still the function of its declaration")
                # Behind an assignment that is always executed, the variable has another value.
                if self.at(place) == self.at(offset) and self._outside(place) == ALWAYS:
                    break
                continue
            is_call = self._text_at(index + 1) == "("
            own = ALWAYS if is_call else requirement(f"`{name}` is called")
            conditions.append(conjunction(conjunction(conjunction(self.at(place), self._outside(place)), own), kept))
        return _ReachState(disjunction(conditions) if conditions else NEVER, offset)

    def _uses(self, name: str, behind: int) -> Iterator[int]:
        """Yield the indices of a name behind its declaration, up to the end of its block."""
        index, depth = behind, 0
        while index < len(self._tokens):
            text = self._texts[index]
            depth += (text == "{") - (text == "}")
            if depth < 0:
                return  # the block of the variable ends: behind it, the name means another one
            if text == name and self._tokens[index][0] == NAME:
                if depth and self._is_declared(index):
                    index, depth = self._end_of_block(index), depth - 1
                else:
                    yield index
            index += 1

    def _is_declared(self, index: int) -> bool:
        """Return whether a type is before a name, and its value behind the name."""
        kind, before = self._tokens[index - 1][:2]
        is_type = before not in _LEAVING if kind == NAME else before in (">", "&", "*")
        return is_type and self._text_at(index + 1) in ("=", "{", ";")

    def _end_of_block(self, index: int) -> int:
        """Return the index of the brace that closes the block around an index."""
        while index < len(self._tokens) and self._texts[index] != "}":
            index = self._tokens.closing(index) + 1 if self._texts[index] == "{" else index + 1
        return index

    def _text_at(self, index: int) -> str:
        """Return the text of a token, "" outside of the body."""
        return self._texts[index] if 0 <= index < len(self._texts) else ""

    def _offset_at(self, index: int) -> int:
        """Return the offset of a token, or the end of the body."""
        return self._tokens[index][2] if index < len(self._tokens) else self._end

    def _add_span(self, at: int, end: int, state: _ReachState) -> None:
        """Add the span of tokens that is reached only in a state."""
        if state.condition != ALWAYS:
            self.spans.append((self._offset_at(at), self._offset_at(end), state.condition, state.cause))

    def _follow_block(self, at: int, end: int, state: _ReachState) -> _ReachState:
        """Follow statements, and return the state behind them."""
        self._environment.enter()
        try:
            while at < end:
                at, state = self._follow_statement(at, end, state)
        finally:
            self._environment.leave()
        return state

    def _follow_statement(self, at: int, end: int, state: _ReachState) -> tuple[int, _ReachState]:
        """Follow a statement; return the index behind it, and the state there."""
        kind, text, offset = self._tokens[at]
        if kind == SIGN and text == ";":
            return at + 1, state
        if kind == SIGN and text == "{":
            closed = self._tokens.closing(at)
            return closed + 1, self._follow_block(at + 1, closed, state)
        if kind == NAME and self._guards.get(text, (ALWAYS, True))[1] is False:
            return self._follow_guarded(at, end, state)
        if kind == NAME and text in _KEYWORDS:
            behind = after_control(self._tokens, at, end)
            return behind, self._follow_control(text, at, behind, state)
        if kind == NAME and self._text_at(at + 1) == ":" and text not in ("default", "public", "private", "protected"):
            # A label is reached from the statement before it and from each goto that names it.
            later = self._later_gotos(at, state)
            return at + 2, _join([state, *self._gotos.pop(text, ()), *later])
        stop = min(statement_end(self._tokens, at), end)
        self._add_span(at, stop, state)
        self._follow_guards(at, stop)
        self._follow_operands(at, stop)
        self._follow_lambdas(at, stop, state)
        if kind == NAME and (text in _LEAVING or text in ("goto", "break", "continue")):
            return stop + 1, self._follow_jump(at, state)
        returned = self._behind_call(at)
        if returned == NEVER:
            return stop + 1, self._follow_jump(at, state)
        self._follow_simple(at, stop, end)
        if returned != ALWAYS:
            return stop + 1, state.narrow(disjunction((returned, negation(self._outside(offset)))), offset)
        return stop + 1, state

    def _follow_guarded(self, at: int, end: int, state: _ReachState) -> tuple[int, _ReachState]:
        """Follow the statement behind a macro that decides whether it is executed."""
        condition, offset = self._guards[self._texts[at]][0], self._tokens[at][2]
        behind = self._tokens.closing(at + 1) + 1 if self._text_at(at + 1) == "(" else at + 1
        if behind >= end:
            return behind, state
        behind, followed = self._follow_statement(behind, end, state.narrow(condition, offset))
        return behind, _join([followed, state.narrow(negation(condition), offset)])

    def _later_gotos(self, at: int, state: _ReachState) -> list[_ReachState]:
        """Return the states of the jumps back to a label, whose conditions are not known yet."""
        if state.condition == ALWAYS:
            return []
        name, offset = self._texts[at], self._tokens[at][2]
        is_target = any(
            text == "goto" and self._text_at(index) == name for index, text in enumerate(self._texts[at:], at + 1)
        )
        return [_ReachState(requirement(f"`goto {name}` is executed"), offset)] if is_target else []

    def _follow_jump(self, at: int, state: _ReachState) -> _ReachState:
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
        return state.narrow(negation(outside), offset)

    def _behind_call(self, at: int) -> Condition:
        """Return the condition under which control reaches what is behind the call, or the macro, of a statement."""
        if self._texts[at] in self._macros:
            return self._macros[self._texts[at]]
        name = called_name(self._texts, at)
        if name in PROCESS_ENDS or name in self._ending:
            return NEVER
        return foreign_macro_condition(name, is_false=is_check(name) and self._is_false(at + 1))

    def _is_false(self, opening: int) -> bool:
        """Return whether the first argument of a call is certainly false."""
        arguments = split_arguments(self._tokens, opening + 1, self._tokens.closing(opening))
        try:
            return bool(arguments) and not truth(evaluate(self._tokens, *arguments[0], self._environment))
        except (UnresolvedError, ArithmeticError, LookupError, TypeError, ValueError):
            return False

    def _follow_guards(self, at: int, stop: int) -> None:
        """Add the conditions of the macros in a statement, which may skip their arguments or the statement."""
        for index in range(at, stop) if self._guards else ():
            condition, is_for_arguments = self._guards.get(self._texts[index], (ALWAYS, True))
            if condition == ALWAYS:
                continue
            if not is_for_arguments:
                self._add_span(at, stop, _ReachState(condition, self._offset_at(index)))
            elif self._text_at(index + 1) == "(":
                closed = self._tokens.closing(index + 1)
                # What the macro itself executes has the offset of its name: arguments that it drops are behind that.
                start = index + ((condition, True) != unknown_arguments(self._texts[index]))
                self._add_span(start, closed, _ReachState(condition, self._offset_at(index)))

    def _follow_head(self, at: int, stop: int, state: _ReachState) -> None:
        """Follow the expressions in the parentheses of a control statement."""
        self._add_span(at, stop, state)
        self._follow_operands(at, stop)
        self._follow_lambdas(at, stop, state)

    def _follow_operands(self, at: int, stop: int) -> None:
        """Add the conditions of the operands of an expression that its operators may skip."""
        if self._skipping.isdisjoint(self._texts[at:stop]):
            return
        operands = Operands(self._tokens, self._texts, self._condition_and_opposite)
        for start, end, condition in operands.between(at, stop):
            self._add_span(start, end, _ReachState(condition, self._offset_at(start)))

    def _follow_simple(self, at: int, stop: int, end: int) -> None:
        """Apply the effects of a statement on variables; if it is not understood, they become unknown."""
        declared = self._assignments.declared(at, stop)
        # From here on the name is another object, whose methods do not matter.
        if declared in self._hidden:
            self._add_span(stop, end, _ReachState(NEVER, self._tokens[at][2]))
        try:
            if not self._assignments.follow(at, stop):
                self._environment.forget_known(self._tokens, at, stop)
            elif declared is not None and "&" in self._texts[at:stop]:
                # A reference may change the variable that it is bound to.
                self._environment.forget_known(self._tokens, at, stop)
        except (UnresolvedError, LookupError):
            self._environment.forget_known(self._tokens, at, stop)

    def _follow_control(self, keyword: str, at: int, behind: int, state: _ReachState) -> _ReachState:
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

    def _follow_if(self, at: int, behind: int, state: _ReachState) -> _ReachState:
        """Follow both branches of an `if`."""
        offset = self._tokens[at][2]
        opening = at + 1 + (self._text_at(at + 1) == "constexpr")
        closed = self._tokens.closing(opening)
        self._follow_head(opening + 1, closed, state)
        holds, fails = self._condition_and_opposite(opening + 1, closed)
        middle = after_statement(self._tokens, closed + 1, behind)
        first = self._follow_block(closed + 1, middle, state.narrow(holds, offset))
        second = state.narrow(fails, offset)
        if middle < behind:  # `else`
            second = self._follow_block(middle + 1, behind, second)
        return _join([first, second])

    def _condition_and_opposite(self, start: int, end: int) -> tuple[Condition, Condition]:
        """Return the condition that a tested expression is true, and its opposite; a declaration may precede it."""
        parts = self._parts(start, end)
        for part_start, part_end in parts[:-1]:
            self._follow_simple(part_start, part_end, part_end)
        start, end = parts[-1]
        # `a && b(c)` is no declaration of a reference `b`, as a declared variable has a value here.
        if not {"=", "{"}.isdisjoint(self._texts[start:end]) and self._assignments.declared(start, end) is not None:
            text = text_of(self._tokens, start, end)
            return requirement(text), requirement(text, holds=False)
        holds, fails = (
            condition_of(self._texts, start, end, self._leaf_condition, holds=side) for side in (True, False)
        )
        return holds, fails

    def _parts(self, start: int, end: int) -> list[tuple[int, int]]:
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
        except (UnresolvedError, ArithmeticError, LookupError, TypeError, ValueError):
            return None

    def _follow_try(self, at: int, behind: int, state: _ReachState) -> _ReachState:
        """Follow a `try` and its handlers, each under the unknown condition that it catches something."""
        middle = after_statement(self._tokens, at + 1, behind)
        ends = [self._follow_block(at + 1, middle, state)]
        while self._text_at(middle) == "catch" and middle < behind:
            closed = self._tokens.closing(middle + 1)
            offset = self._tokens[middle][2]
            caught = text_of(self._tokens, middle, closed + 1)
            middle = after_statement(self._tokens, closed + 1, behind)
            ends.append(self._follow_block(closed + 1, middle, state.narrow(requirement(caught), offset)))
        return _join(ends)

    def _follow_loop(self, keyword: str, at: int, behind: int, state: _ReachState) -> _ReachState:
        """Follow the body of a `for` or `while` once; with an unknown condition, it may not run."""
        offset, closed = self._tokens[at][2], self._tokens.closing(at + 1)
        self._follow_head(at + 2, closed, state)
        holds, fails, is_endless = self._loop_conditions(keyword, at + 2, closed)
        self._environment.forget_known(self._tokens, at, behind)
        self._jumps.append(_Jumps())
        after_body = self._follow_block(closed + 1, behind, state.narrow(holds, offset))
        jumps = self._jumps.pop()
        # Only a `break` leads behind a loop without an end.
        if is_endless:
            return _join(jumps.breaks) if jumps.breaks else state.narrow(NEVER, offset)
        return _join([state.narrow(fails, offset), after_body, *jumps.breaks, *jumps.continues])

    def _loop_conditions(self, keyword: str, start: int, end: int) -> tuple[Condition, Condition, bool]:
        """Return the condition that a loop runs at all, its opposite, and whether the loop only ends by a jump."""
        parts = self._parts(start, end)
        text = f"a pass of `{keyword} ({text_of(self._tokens, start, end)})`"
        if keyword == "for" and len(parts) < 3:
            return self._range_conditions(start, end, text)
        if keyword == "for":
            self._follow_simple(*parts[0], parts[0][1])
            start, end = parts[1]
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
        except (UnresolvedError, ArithmeticError, LookupError, TypeError, ValueError):
            is_endless = False
        return (ALWAYS, NEVER, is_endless) if value else (NEVER, ALWAYS, False)

    def _range_conditions(self, start: int, end: int, text: str) -> tuple[Condition, Condition, bool]:
        """Return the conditions of a loop over a range: it runs if the range has items."""
        colon = next((index for index in range(start, end) if self._texts[index] == ":"), end)
        try:
            items = evaluate(self._tokens, colon + 1, end, self._environment)
        except (UnresolvedError, ArithmeticError, LookupError, TypeError, ValueError):
            items = None
        if isinstance(items, list):
            return (ALWAYS, NEVER, False) if items else (NEVER, ALWAYS, False)
        if self._text_at(colon + 1) == "{" and self._tokens.closing(colon + 1) == end - 1:
            return (NEVER, ALWAYS, False) if colon + 3 == end else (ALWAYS, NEVER, False)
        return requirement(text), requirement(text, holds=False), False

    def _follow_do(self, at: int, state: _ReachState) -> _ReachState:
        """Follow the body of a `do`, which always runs once."""
        middle = after_statement(self._tokens, at + 1, len(self._tokens))
        self._environment.forget_known(self._tokens, at, middle)
        self._jumps.append(_Jumps())
        after_body = self._follow_block(at + 1, middle, state)
        jumps = self._jumps.pop()
        return _join([after_body, *jumps.breaks, *jumps.continues])

    def _follow_switch(self, at: int, behind: int, state: _ReachState) -> _ReachState:
        """Follow the cases of a `switch`, each reached by its label or from the case before it."""
        offset, closed = self._tokens[at][2], self._tokens.closing(at + 1)
        value = text_of(self._tokens, at + 2, closed)
        self._follow_head(at + 2, closed, state)
        opening, end = closed + 1, behind - 1
        if self._text_at(opening) != "{":
            raise UnresolvedError("a statement inside `switch` is not evaluated")
        cases = self._labels(opening + 1, end)
        missed = state
        for label in cases.values():
            if label is not None:
                missed = missed.narrow(self._differs(label, (at + 2, closed), value), self._tokens[label[0]][2])
        current = state.narrow(NEVER, offset)
        self._jumps.append(_Jumps())
        index = opening + 1
        while index < end:
            if index not in cases:
                index, current = self._follow_statement(index, end, current)
                continue
            label = cases[index]
            if label is None:
                current, index = _join([current, missed]), index + 2
            else:
                equal = negation(self._differs(label, (at + 2, closed), value))
                current, index = _join([current, state.narrow(equal, self._tokens[index][2])]), label[1] + 1
        jumps = self._jumps.pop()
        # `continue` within a `switch` belongs to the loop around it.
        self._jumps[-1].continues += jumps.continues
        has_default = None in cases.values()
        return _join([current, *jumps.breaks, *(() if has_default else (missed,))])

    def _labels(self, at: int, end: int) -> dict[int, tuple[int, int] | None]:
        """Return the labels of a switch by index: the range of tokens of the value, None for `default`."""
        labels: dict[int, tuple[int, int] | None] = {}
        while at < end:
            text = self._texts[at]
            if text == "{":
                closed = self._tokens.closing(at)
                inner = self._texts[at:closed]
                if "case" in inner and "switch" not in inner:
                    raise UnresolvedError("a label of `switch` in an inner block is not evaluated")
                at = closed
            elif text == "default" and self._text_at(at + 1) == ":":
                labels[at] = None
            elif text == "case":
                colon = at + 1
                while colon < end and self._texts[colon] != ":":
                    colon += 1
                labels[at] = (at + 1, colon)
            at += 1
        return labels

    def _differs(self, label: tuple[int, int], value: tuple[int, int], text: str) -> Condition:
        """Return the condition that the value of a `switch` differs from a label."""
        try:
            left, right = (evaluate(self._tokens, *span, self._environment) for span in (label, value))
        except (UnresolvedError, ArithmeticError, LookupError, TypeError, ValueError):
            return requirement(f"{text} == {text_of(self._tokens, *label)}", holds=False)
        return NEVER if left == right else ALWAYS

    def _follow_lambdas(self, at: int, stop: int, state: _ReachState) -> None:
        """Follow the lambdas in a statement; those assigned to a variable are followed later, at their calls."""
        index = at
        while index < stop:
            body = self._lambda_body(index, stop)
            if body is None:
                index += 1
                continue
            closed = self._tokens.closing(body)
            variable = self._variable_before(index)
            is_called = self._text_at(closed + 1) == "(" or (
                self._text_at(index - 1) == "(" and self._texts[closed + 1 : closed + 3] == [")", "("]
            )
            if not is_called and variable is not None:
                self._named_lambdas.append((variable, body, closed, stop))
            elif not is_called and not self._is_called_once(at, index, closed):
                called = requirement(f"`{text_of(self._tokens, at, index)}` calls a function that it is given")
                self._follow_inner(body + 1, closed, state.narrow(called, self._tokens[index][2]))
            else:
                self._follow_inner(body + 1, closed, state)
            if self._hides_object(index, body):
                hidden = requirement("a parameter of a lambda does the same")
                self._add_span(body + 1, closed, _ReachState(hidden, self._tokens[index][2]))
            index = closed + 1

    def _is_called_once(self, at: int, index: int, closed: int) -> bool:
        """Return whether `std::call_once` calls the lambda at an index, the only one of the file for its flag."""
        texts = [text for text in self._texts[at:index] if text not in ("std", "::")]
        if texts[:2] != ["call_once", "("] or len(texts) != 4 or self._text_at(closed + 1) != ")":
            return False
        return len(re.findall(rf"\bcall_once\s*\(\s*{re.escape(texts[2])}\s*,", self._bare)) == 1

    def _variable_before(self, index: int) -> str | None:
        """Return the variable that a lambda is assigned to, None if there is none; attributes may precede the `=`."""
        at = index - 2
        if self._text_at(index - 1) == "=" and self._text_at(at) == "]":
            at = next((place for place in range(at, 0, -1) if self._texts[place] == "["), 1) - 2
        is_name = self._text_at(index - 1) == "=" and at >= 0 and self._tokens[at][0] == NAME
        return self._texts[at] if is_name else None

    def _follow_inner(self, at: int, end: int, state: _ReachState) -> None:
        """Follow the body of a lambda, and restore the state of the function around it."""
        around = self._environment, self._assignments, self._jumps, self._gotos
        self._follow_function(at, end, state)
        self._environment, self._assignments, self._jumps, self._gotos = around

    def _lambda_body(self, index: int, stop: int) -> int | None:
        """Return the index of the brace of the lambda that begins at an index, None if none begins there."""
        kind, text, _ = self._tokens[index]
        if kind != SIGN or text != "[" or self._text_at(index - 1) in (")", "]", "["):
            return None
        if index and self._tokens[index - 1][0] == NAME and self._texts[index - 1] not in _LEAVING:
            return None
        at = self._tokens.closing(index) + 1
        if self._text_at(at) == "(":
            at = self._tokens.closing(at) + 1
        while at < stop and self._texts[at] not in ("{", ";", ",", ")"):
            at += 1
        return at if self._text_at(at) == "{" and at < stop else None

    def _hides_object(self, index: int, body: int) -> bool:
        """Return whether a parameter of a lambda has the name of an object whose methods matter."""
        opening = self._tokens.closing(index) + 1
        if not self._hidden or opening >= body or self._texts[opening] != "(":
            return False
        parameters = split_arguments(self._tokens, opening + 1, self._tokens.closing(opening))
        return any(self._texts[end - 1] in self._hidden for start, end in parameters if start < end)
