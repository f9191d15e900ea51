"""Follows the statements of a function in their order: blocks, conditions, loops, variables.

What a statement does beyond variables is the business of its `Effects`. A statement that neither of them understands is
passed over only where it cannot do more than change variables; the values of those are unknown from then on.
"""

from __future__ import annotations

from opspec_lint.cpp.assignments import Assignments
from opspec_lint.cpp.expressions import evaluate, text_of
from opspec_lint.cpp.tokens import NAME, SIGN, split_arguments, statement_end
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.values import Chars, Unordered, held, truth

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.cpp.effects import Effects
    from opspec_lint.cpp.preprocessed import Code
    from opspec_lint.cpp.steps import Steps
    from opspec_lint.cpp.tokens import Tokens
    from opspec_lint.cpp.variables import Variables


_CONTROL = frozenset({"if", "for", "while", "do", "switch", "try"})
_LEAVING = frozenset({"return", "break", "continue", "goto", "co_return", "co_yield", "co_await"})


class Outcome:
    """Why statements are not followed to their end: `break`, `continue` or `return`, and what is returned."""

    __slots__ = ("span", "value", "word")

    def __init__(self, word: str, span: tuple[int, int] | None = None, value: Any = None) -> None:
        self.word = word
        self.span = span
        self.value = value


class Statements:
    """Follows the statements of one function.

    Args:
        words: the tokens of its body.
        code: where they stand.
        here: its variables.
        steps: counts what is followed.
        effects: does what statements do beyond variables.
        is_void: whether it returns no value: what it returns is a statement.
    """

    def __init__(  # noqa: PLR0913 - what surrounds a function
        self, words: Tokens, code: Code, here: Variables, steps: Steps, effects: Effects, *, is_void: bool = False
    ) -> None:
        self._words = words
        self._code = code
        self._here = here
        self._steps = steps
        self._effects = effects
        self._is_void = is_void
        self._assignments = Assignments(words, here, effects)

    def run(self) -> Outcome | None:
        """Follow all statements.

        Raises:
            UnresolvedError: a statement cannot be followed.
        """
        return self._block(0, len(self._words))

    def _block(self, at: int, end: int) -> Outcome | None:
        self._here.enter()
        try:
            while at < end:
                outcome, at = self._placed(at, end)
                if outcome is not None:
                    return outcome
        finally:
            self._here.leave()
        return None

    def _placed(self, at: int, end: int) -> tuple[Outcome | None, int]:
        try:
            return self._statement(at, end)
        except UnresolvedError as error:
            offset = self._words[min(at, len(self._words) - 1)][2]
            raise error.at(self._code.path, self._code.place(offset)[0]) from None

    def _statement(self, at: int, end: int) -> tuple[Outcome | None, int]:
        """Follow one statement; return why it leads away, and the index behind it."""
        self._steps.take()
        words = self._words
        kind, text, _ = words[at]
        if kind == SIGN and text == ";":
            return None, at + 1
        if kind == SIGN and text == "{":
            closed = words.closing(at)
            return self._block(at + 1, closed), closed + 1
        if kind == NAME and text in _CONTROL:
            return self._control(at, end)
        stop = min(statement_end(words, at), end)
        if kind == NAME and text in ("break", "continue"):
            return Outcome(text), stop + 1
        if kind == NAME and text == "return":
            return self._returned(at + 1, stop), stop + 1
        if stop >= len(words) and not self._is_void:
            raise UnresolvedError(f"{text_of(words, at, stop)} does not end")
        self._simple(at, stop)
        return None, stop + 1

    def _returned(self, start: int, end: int) -> Outcome:
        if start >= end:
            return Outcome("return")
        if self._is_void:
            self._simple(start, end)
            return Outcome("return")
        return Outcome("return", (start, end), evaluate(self._words, start, end, self._here))

    def _simple(self, start: int, end: int) -> None:
        """Follow a statement without statements in it."""
        if start >= end:
            return
        if self._effects.expression(self._words, start, end) or self._assignments.follow(start, end):
            return
        self._pass_over(start, end)

    def _pass_over(self, start: int, end: int) -> None:
        """Pass over statements that can only change variables.

        Raises:
            UnresolvedError: the statements may do more.
        """
        if self._leaves(start, end) or self._effects.may_have_effect(self._words, start, end):
            raise UnresolvedError(f"{text_of(self._words, start, end)} is not followed")
        self._here.forget(self._words, start, end)

    def _control(self, at: int, end: int) -> tuple[Outcome | None, int]:
        behind = behind_control(self._words, at, end)
        keyword = self._words[at][1]
        # What may do more than change variables has to be followed; anything else may be passed over.
        if self._effects.may_have_effect(self._words, at, behind) or self._leaves(at, behind):
            return self._followed(keyword, at, behind), behind
        try:
            outcome = self._followed(keyword, at, behind)
        except UnresolvedError:
            self._pass_over(at, behind)
            outcome = None
        return outcome, behind

    def _leaves(self, start: int, end: int) -> bool:
        return any(kind == NAME and text in _LEAVING for kind, text, _ in self._words[start:end])

    def _followed(self, keyword: str, at: int, end: int) -> Outcome | None:
        self._here.enter()  # a variable of the condition lives as long as the statement
        try:
            if keyword == "if":
                return self._if(at, end)
            if keyword == "for":
                return self._for(at, end)
            if keyword == "while":
                return self._while(at)
            if keyword == "do":
                return self._do(at)
            if keyword == "switch":
                return self._switch(at)
        finally:
            self._here.leave()
        raise UnresolvedError(f"a statement inside `{keyword}` is not followed")

    def _if(self, at: int, end: int) -> Outcome | None:
        words = self._words
        at += 1
        if words[at][1] == "constexpr":
            at += 1
        closed = words.closing(at)
        condition = self._condition(at + 1, closed)
        behind = behind_statement(words, closed + 1, end)
        if condition:
            return self._branch(closed + 1, behind)
        if behind < end and words[behind][1] == "else":
            return self._branch(behind + 1, end)
        return None

    def _condition(self, start: int, end: int) -> bool:
        """The value of a condition, after the statement that may stand before it."""
        at = self._separator(start, end)
        if at >= 0:
            self._simple(start, at)
            start = at + 1
        declared = self._assignments.declared(start, end)
        if declared is not None:
            self._simple(start, end)
            return truth(self._here.constant((), declared))
        return truth(evaluate(self._words, start, end, self._here))

    def _separator(self, start: int, end: int) -> int:
        at = start
        while at < end:
            kind, text, _ = self._words[at]
            if kind == SIGN and text == ";":
                return at
            if kind == SIGN and text in "({[":
                at = self._words.closing(at)
            at += 1
        return -1

    def _branch(self, at: int, end: int) -> Outcome | None:
        """Follow the statement that depends on another."""
        if at >= end:
            raise UnresolvedError("a statement that ends early")
        return self._block(at, end)

    def _for(self, at: int, end: int) -> Outcome | None:
        words = self._words
        closed = words.closing(at + 1)
        body = (closed + 1, end)
        first = self._separator(at + 2, closed)
        if first < 0:
            return self._for_each(at + 2, closed, body)
        second = self._separator(first + 1, closed)
        if second < 0:
            raise UnresolvedError("a loop without an end")
        self._simple(at + 2, first)
        while first + 1 == second or truth(evaluate(words, first + 1, second, self._here)):
            outcome = self._round(*body)
            if outcome is not None:
                return _behind_loop(outcome)
            for start, stop in split_arguments(words, second + 1, closed):
                self._simple(start, stop)
        return None

    def _for_each(self, start: int, end: int, body: tuple[int, int]) -> Outcome | None:
        words = self._words
        colon = next((at for at in range(start, end) if words[at][1] == ":"), -1)
        if colon < start + 2 or words[colon - 1][0] != NAME:
            raise UnresolvedError("a loop that is not followed")
        items = evaluate(words, colon + 1, end, self._here)
        if not isinstance(items, list) or isinstance(items, Unordered):
            raise UnresolvedError("a loop over something that is not a list")
        kind, is_reference = self._assignments.type_of(start, colon - 1)
        for item in items:
            value = held(item, kind)
            if kind == "auto" and isinstance(value, list):
                raise UnresolvedError("a loop over lists")
            variable = self._here.declare(words[colon - 1][1], value, kind)
            variable.is_fixed = is_reference
            outcome = self._round(*body)
            if outcome is not None:
                return _behind_loop(outcome)
        return None

    def _round(self, at: int, end: int) -> Outcome | None:
        """Follow the body of a loop once; return what ends the loop."""
        self._steps.take()
        outcome = self._branch(at, end)
        return None if outcome is not None and outcome.word == "continue" else outcome

    def _while(self, at: int) -> Outcome | None:
        closed = self._words.closing(at + 1)
        end = behind_statement(self._words, closed + 1, len(self._words))
        while self._condition(at + 2, closed):
            outcome = self._round(closed + 1, end)
            if outcome is not None:
                return _behind_loop(outcome)
        return None

    def _do(self, at: int) -> Outcome | None:
        words = self._words
        end = behind_statement(words, at + 1, len(words))
        if end + 1 >= len(words) or words[end][1] != "while":
            raise UnresolvedError("a `do` without its `while`")
        closed = words.closing(end + 1)
        while True:
            outcome = self._round(at + 1, end)
            if outcome is not None:
                return _behind_loop(outcome)
            if not truth(evaluate(words, end + 2, closed, self._here)):
                return None

    def _switch(self, at: int) -> Outcome | None:
        words = self._words
        closed = words.closing(at + 1)
        value = evaluate(words, at + 2, closed, self._here)
        if closed + 1 >= len(words) or words[closed + 1][1] != "{":
            raise UnresolvedError("a statement inside `switch` is not followed")
        end = words.closing(closed + 1)
        labels = self._labels(closed + 2, end)
        start = next((behind for label, behind in labels if label is not None and label == value), -1)
        if start < 0:
            start = next((behind for label, behind in labels if label is None), end)
        behind_labels = dict(self._spans)
        while start < end:
            start = behind_labels.get(start, start)  # a case without `break` goes on behind the next label
            if start >= end:
                return None
            outcome, start = self._placed(start, end)
            if outcome is not None:
                return _behind_loop(outcome) if outcome.word == "break" else outcome
        return None

    def _labels(self, at: int, end: int) -> list[tuple[Any, int]]:
        """Return the labels of a switch, None for `default`, each with the index behind it."""
        words = self._words
        found: list[tuple[Any, int]] = []
        self._spans: list[tuple[int, int]] = []
        while at < end:
            text = words[at][1]
            if text == "{":
                at = words.closing(at) + 1
            elif text in ("case", "default"):
                colon = at + 1
                while colon < end and words[colon][1] != ":":
                    colon = words.closing(colon) + 1 if words[colon][1] in ("(", "{", "[") else colon + 1
                value = evaluate(words, at + 1, colon, self._here) if text == "case" else None
                if isinstance(value, (Chars, str)):
                    raise UnresolvedError("a label that is not followed")
                found.append((value, colon + 1))
                self._spans.append((at, colon + 1))
                at = colon + 1
            elif text in _CONTROL:
                at = behind_control(words, at, end)
            else:
                at = statement_end(words, at) + 1
        return found


def behind_statement(words: Tokens, at: int, end: int) -> int:
    """Return the index behind the statement at an index."""
    if at >= end:
        return end
    if words[at][1] == "{":
        return words.closing(at) + 1
    if words[at][0] == NAME and words[at][1] in _CONTROL:
        return behind_control(words, at, end)
    return min(statement_end(words, at) + 1, end)


def behind_control(words: Tokens, at: int, end: int) -> int:
    """Return the index behind a statement that others depend on.

    Raises:
        UnresolvedError: the statement does not end.
    """
    keyword = words[at][1]
    at += 1
    if keyword in ("do", "try"):
        at = behind_statement(words, at, end)
        while keyword == "try" and at < end and words[at][1] == "catch":
            at = behind_statement(words, words.closing(at + 1) + 1, end)
        if keyword == "do":
            if at + 1 >= end or words[at][1] != "while":
                raise UnresolvedError("a `do` without its `while`")
            at = words.closing(at + 1) + 2
        return min(at, end)
    if at < end and words[at][1] == "constexpr":
        at += 1
    if at >= end:
        raise UnresolvedError(f"`{keyword}` at the end")
    if words[at][1] != "(":
        raise UnresolvedError(f"a `{keyword}` that is not followed")
    at = words.closing(at) + 1
    if at >= end:
        raise UnresolvedError(f"a `{keyword}` without a statement")
    at = behind_statement(words, at, end)
    if keyword == "if" and at < end and words[at][1] == "else":
        at = behind_statement(words, at + 1, end)
    return at


def _behind_loop(outcome: Outcome) -> Outcome | None:
    return outcome if outcome.word == "return" else None
