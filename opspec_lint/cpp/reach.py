"""The conditions under which control reaches the statements of a C++ function, true, false or unknown.

The statements are followed once, from the first to the last, with all branches. A condition that is a constant
expression is evaluated; any other one is a requirement. What follows `return` is reached where `return` is not.
"""

from __future__ import annotations

from opspec_lint.cpp.assignments import Assignments
from opspec_lint.cpp.declarations import CONSTANT, declarations
from opspec_lint.cpp.expressions import evaluate, text_of
from opspec_lint.cpp.formulas import condition_of
from opspec_lint.cpp.statements import after_control, after_statement
from opspec_lint.cpp.tokens import NAME, SIGN, split_arguments, statement_end, tokenize
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.values import truth
from opspec_lint.cpp.variables import Variables
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, disjunction, negation, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from typing import Any

    from opspec_lint.cpp.formulas import Span
    from opspec_lint.cpp.preprocessed import Code
    from opspec_lint.cpp.tokens import Tokens
    from opspec_lint.spec.condition import Condition

_KEYWORDS = frozenset({"if", "for", "while", "do", "switch", "try"})
_LEAVING = frozenset({"return", "co_return", "throw"})
_ENDING = frozenset(
    {"abort", "exit", "_Exit", "_exit", "quick_exit", "terminate", "__builtin_unreachable", "__builtin_trap"}
)
"""Functions that do not return."""


class FileNames:
    """A resolver of the constants that a file declares outside of functions."""

    def __init__(self, code: Code) -> None:
        self._code = code
        self._busy: set[str] = set()

    def constant(self, qualifiers: tuple[str, ...], name: str) -> Any:
        """Return the value of a constant.

        Raises:
            UnresolvedError: the file declares no such constant, or its value is unknown.
        """
        constants = [declared for declared in declarations(self._code, name) if declared.kind == CONSTANT]
        if len(constants) != 1 or name in self._busy:
            raise UnresolvedError(f"the name {'::'.join((*qualifiers, name))} has no known value")
        end = self._code.bare.find(";", constants[0].offset)
        tokens = tokenize(self._code.text, constants[0].start, end if end >= 0 else len(self._code.text))
        here = Variables(self)
        self._busy.add(name)
        try:
            Assignments(tokens, here, _NoEffects()).follow(0, len(tokens))
            return here.constant((), name) if here.find(name) else None
        finally:
            self._busy.discard(name)

    def type_text(self, text: str) -> str:
        """Return a type unchanged."""
        return text

    def call(self, qualifiers: tuple[str, ...], name: str, arguments: list[Any]) -> Any:  # noqa: ARG002
        """Raise UnresolvedError for any function."""
        raise UnresolvedError(f"the function {name} is not known")


class _NoEffects:
    def expression(self, tokens: Tokens, start: int, end: int) -> bool:  # noqa: ARG002
        return False

    def may_have_effect(self, tokens: Tokens, start: int, end: int, *, is_value: bool = False) -> bool:  # noqa: ARG002
        return False


class _State:
    """The condition under which a statement is reached, and the offset of what causes it."""

    __slots__ = ("cause", "condition")

    def __init__(self, condition: Condition, cause: int) -> None:
        self.condition = condition
        self.cause = cause

    def narrowed(self, condition: Condition, cause: int) -> _State:
        """Return the state where a further condition has to hold."""
        result = conjunction(self.condition, condition)
        return self if result == self.condition else _State(result, cause)


def _joined(states: Sequence[_State]) -> _State:
    """Return the state where control comes from one of several places."""
    condition = disjunction(state.condition for state in states)
    causes = (state.cause for state in states if state.condition != ALWAYS)
    return _State(condition, max(causes, default=states[0].cause))


class _Jumps:
    """The states of the jumps out of a loop, a switch or a function that are not joined yet."""

    def __init__(self) -> None:
        self.breaks: list[_State] = []
        self.continues: list[_State] = []


class Reach:
    """The parts of a function body that control does not always reach, as `spans`.

    Args:
        code: the file.
        start: the offset after the brace that opens the body.
        end: the offset of the brace that closes it.
        outside: returns the condition of the preprocessor at an offset.
        hidden: the names of objects whose methods matter: a variable of such a name hides the object.

    Raises:
        UnresolvedError: the statements cannot be told apart.
    """

    def __init__(
        self, code: Code, start: int, end: int, outside: Callable[[int], Condition], hidden: Collection[str] = ()
    ) -> None:
        self.spans: list[Span] = []
        self._tokens = tokenize(code.text, start, end)
        self._texts = [text for _, text, _ in self._tokens]
        self._file = FileNames(code)
        self._outside = outside
        self._hidden = hidden
        self._end = end
        self._lambdas: list[tuple[str, int, int, int]] = []
        self._function(0, len(self._tokens), _State(ALWAYS, start))
        for name, opening, closing, behind in self._lambdas:  # in order: a lambda may call one before it
            self._function(opening + 1, closing, self._calls(name, behind, opening))

    def at(self, offset: int) -> Condition:
        """Return the condition under which control reaches an offset."""
        condition = ALWAYS
        for start, end, own, _ in self.spans:
            if start <= offset < end:
                condition = conjunction(condition, own)
        return condition

    def _function(self, at: int, end: int, state: _State) -> None:
        self._here = Variables(self._file)
        self._assignments = Assignments(self._tokens, self._here, _NoEffects())
        self._jumps = [_Jumps()]
        self._gotos: dict[str, list[_State]] = {}
        if state.condition != ALWAYS and at < end:
            self._note(at, end, state)
            state = _State(ALWAYS, state.cause)
        self._block(at, end, state)

    def _calls(self, name: str, behind: int, opening: int) -> _State:
        """Return the state in which a lambda runs that a variable of a name holds."""
        offset = self._tokens[opening][2]
        conditions: list[Condition] = []
        for index in range(behind, len(self._tokens)):
            if self._texts[index] == name and self._tokens[index][0] == NAME:
                place = self._tokens[index][2]
                is_call = self._text(index + 1) == "("
                own = ALWAYS if is_call else requirement(f"`{name}` is called")
                conditions.append(conjunction(conjunction(self.at(place), self._outside(place)), own))
        return _State(disjunction(conditions) if conditions else NEVER, offset)

    def _text(self, index: int) -> str:
        return self._texts[index] if 0 <= index < len(self._texts) else ""

    def _offset(self, index: int) -> int:
        return self._tokens[index][2] if index < len(self._tokens) else self._end

    def _note(self, at: int, end: int, state: _State) -> None:
        if state.condition != ALWAYS:
            self.spans.append((self._offset(at), self._offset(end), state.condition, state.cause))

    def _block(self, at: int, end: int, state: _State) -> _State:
        self._here.enter()
        try:
            while at < end:
                at, state = self._statement(at, end, state)
        finally:
            self._here.leave()
        return state

    def _statement(self, at: int, end: int, state: _State) -> tuple[int, _State]:
        kind, text, _ = self._tokens[at]
        if kind == SIGN and text == ";":
            return at + 1, state
        if kind == SIGN and text == "{":
            closed = self._tokens.closing(at)
            return closed + 1, self._block(at + 1, closed, state)
        if kind == NAME and text in _KEYWORDS:
            behind = after_control(self._tokens, at, end)
            return behind, self._control(text, at, behind, state)
        if kind == NAME and self._text(at + 1) == ":" and text not in ("default", "public", "private", "protected"):
            return at + 2, _joined([state, *self._gotos.pop(text, ())])
        stop = min(statement_end(self._tokens, at), end)
        self._note(at, stop, state)
        self._lambdas_in(at, stop, state)
        if kind == NAME and (text in _LEAVING or text in ("goto", "break", "continue")):
            return stop + 1, self._left(at, state)
        if self._never_returns(at):
            return stop + 1, self._left(at, state)
        self._simple(at, stop, end)
        return stop + 1, state

    def _left(self, at: int, state: _State) -> _State:
        """Return the state after a jump; a directive may leave the jump out."""
        text, offset = self._texts[at], self._tokens[at][2]
        outside = self._outside(offset)
        jump = state.narrowed(outside, offset)
        if text == "goto":
            self._gotos.setdefault(self._text(at + 1), []).append(jump)
        elif text == "break":
            self._jumps[-1].breaks.append(jump)
        elif text == "continue":
            self._jumps[-1].continues.append(jump)
        return state.narrowed(negation(outside), offset)

    def _never_returns(self, at: int) -> bool:
        while self._text(at) in ("std", "::"):
            at += 1
        return self._text(at) in _ENDING and self._text(at + 1) == "("

    def _simple(self, at: int, stop: int, end: int) -> None:
        """Follow what a statement does to variables."""
        declared = self._assignments.declared(at, stop)
        if declared in self._hidden:
            self._note(stop, end, _State(NEVER, self._tokens[at][2]))
        try:
            if not self._assignments.follow(at, stop):
                self._here.forget_known(self._tokens, at, stop)
        except (UnresolvedError, LookupError):
            self._here.forget_known(self._tokens, at, stop)

    def _control(self, keyword: str, at: int, behind: int, state: _State) -> _State:
        self._here.enter()
        try:
            if keyword == "if":
                result = self._if(at, behind, state)
            elif keyword == "try":
                result = self._try(at, behind, state)
            elif keyword == "switch":
                result = self._switch(at, behind, state)
            elif keyword == "do":
                result = self._do(at, state)
            else:
                result = self._loop(keyword, at, behind, state)
        finally:
            self._here.leave()
        self._here.forget_known(self._tokens, at, behind)
        return result

    def _if(self, at: int, behind: int, state: _State) -> _State:
        offset = self._tokens[at][2]
        opening = at + 1 + (self._text(at + 1) == "constexpr")
        closed = self._tokens.closing(opening)
        holds, fails = self._condition(opening + 1, closed)
        middle = after_statement(self._tokens, closed + 1, behind)
        first = self._block(closed + 1, middle, state.narrowed(holds, offset))
        second = state.narrowed(fails, offset)
        if middle < behind:  # `else`
            second = self._block(middle + 1, behind, second)
        return _joined([first, second])

    def _condition(self, start: int, end: int) -> tuple[Condition, Condition]:
        """Return the conditions that a condition holds and that it does not; a declaration may precede it."""
        parts = self._parts(start, end)
        for part_start, part_end in parts[:-1]:
            self._simple(part_start, part_end, part_end)
        start, end = parts[-1]
        if self._assignments.declared(start, end) is not None:
            text = text_of(self._tokens, start, end)
            return requirement(text), requirement(text, holds=False)
        holds, fails = (condition_of(self._texts, start, end, self._leaf, holds=side) for side in (True, False))
        return holds, fails

    def _parts(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return the ranges of tokens between semicolons outside of brackets."""
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

    def _leaf(self, start: int, end: int, holds: bool) -> Condition:
        value = self._constant(start, end)
        if value is None:
            return requirement(text_of(self._tokens, start, end), holds=holds)
        return ALWAYS if value == holds else NEVER

    def _constant(self, start: int, end: int) -> bool | None:
        """Return the value of a constant condition, None if it is unknown."""
        try:
            return truth(evaluate(self._tokens, start, end, self._here))
        except (UnresolvedError, ArithmeticError, LookupError, TypeError, ValueError):
            return None

    def _try(self, at: int, behind: int, state: _State) -> _State:
        middle = after_statement(self._tokens, at + 1, behind)
        ends = [self._block(at + 1, middle, state)]
        while self._text(middle) == "catch" and middle < behind:
            closed = self._tokens.closing(middle + 1)
            offset = self._tokens[middle][2]
            caught = text_of(self._tokens, middle, closed + 1)
            middle = after_statement(self._tokens, closed + 1, behind)
            ends.append(self._block(closed + 1, middle, state.narrowed(requirement(caught), offset)))
        return _joined(ends)

    def _loop(self, keyword: str, at: int, behind: int, state: _State) -> _State:
        """Follow a `for` or `while` once; a loop with an unknown condition may not run."""
        offset, closed = self._tokens[at][2], self._tokens.closing(at + 1)
        holds, fails, is_endless = self._head(keyword, at + 2, closed)
        self._here.forget_known(self._tokens, at, behind)
        self._jumps.append(_Jumps())
        after_body = self._block(closed + 1, behind, state.narrowed(holds, offset))
        jumps = self._jumps.pop()
        if is_endless:
            return _joined(jumps.breaks) if jumps.breaks else state.narrowed(NEVER, offset)
        return _joined([state.narrowed(fails, offset), after_body, *jumps.breaks, *jumps.continues])

    def _head(self, keyword: str, start: int, end: int) -> tuple[Condition, Condition, bool]:
        """Return the conditions that a loop runs and that it does not, and whether it only ends by a jump."""
        parts = self._parts(start, end)
        text = f"a pass of `{keyword} ({text_of(self._tokens, start, end)})`"
        if keyword == "for" and len(parts) < 3:
            return self._range(start, end, text)
        if keyword == "for":
            self._simple(*parts[0], parts[0][1])
            start, end = parts[1]
        if start == end:
            return ALWAYS, NEVER, True
        value = self._constant(start, end)
        if value is None:
            holds = condition_of(self._texts, start, end, self._leaf)
            if holds not in (ALWAYS, NEVER):
                return requirement(text), requirement(text, holds=False), False
            value = holds == ALWAYS
        try:
            is_endless = value and truth(evaluate(self._tokens, start, end, self._file))
        except (UnresolvedError, ArithmeticError, LookupError, TypeError, ValueError):
            is_endless = False
        return (ALWAYS, NEVER, is_endless) if value else (NEVER, ALWAYS, False)

    def _range(self, start: int, end: int, text: str) -> tuple[Condition, Condition, bool]:
        colon = next((index for index in range(start, end) if self._texts[index] == ":"), end)
        try:
            items = evaluate(self._tokens, colon + 1, end, self._here)
        except (UnresolvedError, ArithmeticError, LookupError, TypeError, ValueError):
            items = None
        if isinstance(items, list):
            return (ALWAYS, NEVER, False) if items else (NEVER, ALWAYS, False)
        if self._text(colon + 1) == "{" and self._tokens.closing(colon + 1) == end - 1:
            return (NEVER, ALWAYS, False) if colon + 3 == end else (ALWAYS, NEVER, False)
        return requirement(text), requirement(text, holds=False), False

    def _do(self, at: int, state: _State) -> _State:
        middle = after_statement(self._tokens, at + 1, len(self._tokens))
        self._here.forget_known(self._tokens, at, middle)
        self._jumps.append(_Jumps())
        after_body = self._block(at + 1, middle, state)
        jumps = self._jumps.pop()
        return _joined([after_body, *jumps.breaks, *jumps.continues])

    def _switch(self, at: int, behind: int, state: _State) -> _State:
        offset, closed = self._tokens[at][2], self._tokens.closing(at + 1)
        value = text_of(self._tokens, at + 2, closed)
        opening, end = closed + 1, behind - 1
        if self._text(opening) != "{":
            raise UnresolvedError("a statement inside `switch` is not followed")
        cases = self._labels(opening + 1, end)
        missed = state
        for label in cases.values():
            if label is not None:
                missed = missed.narrowed(self._differs(label, (at + 2, closed), value), self._tokens[label[0]][2])
        current = state.narrowed(NEVER, offset)
        self._jumps.append(_Jumps())
        index = opening + 1
        while index < end:
            if index not in cases:
                index, current = self._statement(index, end, current)
                continue
            label = cases[index]
            if label is None:
                current, index = _joined([current, missed]), index + 2
            else:
                equal = negation(self._differs(label, (at + 2, closed), value))
                current, index = _joined([current, state.narrowed(equal, self._tokens[index][2])]), label[1] + 1
        jumps = self._jumps.pop()
        self._jumps[-1].continues += jumps.continues
        has_default = None in cases.values()
        return _joined([current, *jumps.breaks, *(() if has_default else (missed,))])

    def _labels(self, at: int, end: int) -> dict[int, tuple[int, int] | None]:
        """Return the labels of a switch by index: the range of tokens of the value, None for `default`."""
        labels: dict[int, tuple[int, int] | None] = {}
        while at < end:
            text = self._texts[at]
            if text == "{":
                at = self._tokens.closing(at)
            elif text == "default" and self._text(at + 1) == ":":
                labels[at] = None
            elif text == "case":
                colon = at + 1
                while colon < end and self._texts[colon] != ":":
                    colon += 1
                labels[at] = (at + 1, colon)
            at += 1
        return labels

    def _differs(self, label: tuple[int, int], value: tuple[int, int], text: str) -> Condition:
        """Return the condition that the value of a switch differs from a label."""
        try:
            left, right = (evaluate(self._tokens, *span, self._here) for span in (label, value))
        except (UnresolvedError, ArithmeticError, LookupError, TypeError, ValueError):
            return requirement(f"{text} == {text_of(self._tokens, *label)}", holds=False)
        return NEVER if left == right else ALWAYS

    def _lambdas_in(self, at: int, stop: int, state: _State) -> None:
        """Follow the lambdas in a statement: where one is called, control reaches its body."""
        index = at
        while index < stop:
            body = self._lambda_body(index, stop)
            if body is None:
                index += 1
                continue
            closed = self._tokens.closing(body)
            variable = self._variable_before(index)
            if self._text(closed + 1) != "(" and variable is not None:
                self._lambdas.append((variable, body, closed, stop))
            elif self._text(closed + 1) != "(":
                called = requirement(f"`{text_of(self._tokens, at, index)}` calls a function that it is given")
                self._inner(body + 1, closed, state.narrowed(called, self._tokens[index][2]))
            else:
                self._inner(body + 1, closed, state)
            if self._hides(index, body):
                hidden = requirement("a parameter of a lambda does the same")
                self._note(body + 1, closed, _State(hidden, self._tokens[index][2]))
            index = closed + 1

    def _variable_before(self, index: int) -> str | None:
        """Return the variable that a lambda is assigned to: the name before `=`, perhaps with attributes."""
        at = index - 2
        if self._text(index - 1) == "=" and self._text(at) == "]":
            at = next((place for place in range(at, 0, -1) if self._texts[place] == "["), 1) - 2
        is_name = self._text(index - 1) == "=" and at >= 0 and self._tokens[at][0] == NAME
        return self._texts[at] if is_name else None

    def _inner(self, at: int, end: int, state: _State) -> None:
        """Follow the body of a lambda, and go on in the function around it."""
        around = self._here, self._assignments, self._jumps, self._gotos
        self._function(at, end, state)
        self._here, self._assignments, self._jumps, self._gotos = around

    def _lambda_body(self, index: int, stop: int) -> int | None:
        """Return the index of the brace of the lambda that begins at an index, None if none begins there."""
        kind, text, _ = self._tokens[index]
        if kind != SIGN or text != "[" or self._text(index - 1) in (")", "]", "["):
            return None
        if index and self._tokens[index - 1][0] == NAME and self._texts[index - 1] not in _LEAVING:
            return None
        at = self._tokens.closing(index) + 1
        if self._text(at) == "(":
            at = self._tokens.closing(at) + 1
        while at < stop and self._texts[at] not in ("{", ";", ",", ")"):
            at += 1
        return at if self._text(at) == "{" and at < stop else None

    def _hides(self, index: int, body: int) -> bool:
        """Return whether a parameter of a lambda has the name of an object whose methods matter."""
        opening = self._tokens.closing(index) + 1
        if not self._hidden or opening >= body or self._texts[opening] != "(":
            return False
        parameters = split_arguments(self._tokens, opening + 1, self._tokens.closing(opening))
        return any(self._texts[end - 1] in self._hidden for start, end in parameters if start < end)
