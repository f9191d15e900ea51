"""The `try` and the `with contextlib.suppress` of Python files, evaluated."""

from __future__ import annotations

import ast

from opspec_lint.frameworks.pytorch.extract.python.errors import Errors, is_caught
from opspec_lint.frameworks.pytorch.extract.python.import_statements import imports_torch
from opspec_lint.frameworks.pytorch.extract.python.state import without_left
from opspec_lint.kit.python_text import show_syntax
from opspec_lint.spec.condition import NEVER, conjunction, disjunction, negation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec_lint.frameworks.pytorch.extract.python.state import Error, Frame
    from opspec_lint.spec.condition import Condition


class Tries(Errors):
    """The evaluation of statements whose errors are caught, and of what catches them."""

    def run_try(self, statement: ast.Try, frame: Frame) -> None:
        """Evaluate a `try`: only an import, or code that surely raises, makes a handler take the place of its body."""
        before, outer, self.raised, mark = self.condition, self.raised, [], frame.mark()
        safe = next((n for n, part in enumerate(statement.body) if not imports_torch(part)), len(statement.body))
        self.run(statement.body[:safe], frame)
        body = statement.body[safe:]
        at, handler = self._run_until_doubt(body, statement.handlers, frame)
        if handler is not None:
            self.run_or_handle(body[at:], statement.orelse, handler.body, frame)
        elif self.condition == NEVER and statement.handlers:
            self._handle_end(statement, body, before, frame.left_since(mark), frame)
        else:
            for handler in statement.handlers if body else ():
                self.run_or_handle(body, (), handler.body, frame, has_run=True)
            self.run(statement.orelse, frame)
        self.raised = [*outer, *self.raised]
        # `finally` runs however the body ended, so under the condition of the whole statement.
        reached, self.condition = self.condition, before
        self.run(statement.finalbody, frame)
        self.condition = NEVER if self.condition == NEVER else reached

    def _handle_end(
        self,
        statement: ast.Try,
        body: Sequence[ast.stmt],
        before: Condition,
        left: Sequence[Condition],
        frame: Frame,
    ) -> None:
        """Evaluate the handlers of a `try` whose body is never executed to its end.

        Args:
            statement: the `try`.
            body: its statements, from the first one that may raise an error.
            before: the condition of the `try`.
            left: the conditions under which the body returned, or left or continued a loop.
            frame: the frame of the `try`.
        """
        raised_if = self._raised_condition(before, left)
        if raised_if != NEVER:
            self.condition = raised_if
            self.run_handlers(statement.handlers, self.raised or (None,), frame)
            return
        ends: list[Condition] = []
        for handler in statement.handlers if _may_raise(body) else ():
            self.condition = conjunction(before, self._failure_of(body))
            self.run(handler.body, frame)
            ends.append(self.condition)
        self.condition = disjunction((NEVER, *ends))

    def _raised_condition(self, before: Condition, left: Sequence[Condition]) -> Condition:
        """Return the condition under which code that never ends raised an error; NEVER if it was left otherwise."""
        if left and not self.raised:
            return NEVER
        return without_left(before, left)

    def _failure_of(self, body: Sequence[ast.stmt]) -> Condition:
        """Return the condition that the first statement of a body raises an error."""
        return negation(self.condition_for(f"try: {show_syntax(body[0])}"))

    def _run_until_doubt(
        self, body: Sequence[ast.stmt], handlers: Sequence[ast.ExceptHandler], frame: Frame
    ) -> tuple[int, ast.ExceptHandler | None]:
        """Evaluate a body up to a statement that may raise an error which a handler catches.

        Returns:
            The place of the statement and the handler; None for a body that was evaluated to its end.
        """
        for place, statement in enumerate(body):
            if self.condition == NEVER:
                break
            for error in self.possible_errors(statement, frame) if handlers else ():
                for handler in handlers:
                    if self.catches(handler, error, frame):
                        return place, handler
            self.run([statement], frame)
        return len(body), None

    def run_or_handle(
        self,
        body: Sequence[ast.stmt],
        behind: Sequence[ast.stmt],
        handler: Sequence[ast.stmt],
        frame: Frame,
        *,
        has_run: bool = False,
    ) -> None:
        """Evaluate a body under the condition that its first statement succeeds, and a handler under the opposite."""

        def succeed() -> None:
            if not has_run:
                follows_doubts, self.follows_doubts = self.follows_doubts, False
                try:
                    self.run(body[:1], frame)
                finally:
                    self.follows_doubts = follows_doubts
                self.run([*body[1:], *behind], frame)

        condition = negation(self._failure_of(body))
        self.run_branches(condition, body[0].lineno, succeed, lambda: self.run(handler, frame))

    def run_suppressing(self, classes: Sequence[Error], body: Sequence[ast.stmt], frame: Frame) -> None:
        """Evaluate the body of a `with` that suppresses errors of some classes; none for any other `with`."""
        before, outer, self.raised, mark = self.condition, self.raised, [], frame.mark()
        self.run(body, frame)
        raised_if = self._raised_condition(before, frame.left_since(mark))
        errors, self.raised = self.raised or [None], [*outer, *self.raised]
        if self.condition != NEVER or not classes:
            return
        verdicts = {is_caught(caught, error) for error in errors for caught in classes}
        if raised_if == NEVER:
            self.condition = conjunction(before, self._failure_of(body)) if _may_raise(body) else NEVER
        elif True in verdicts:
            self.condition = raised_if
        elif None in verdicts:
            self.condition = conjunction(raised_if, self.condition_for("`contextlib.suppress` catches the error"))


def _may_raise(body: Sequence[ast.stmt]) -> bool:
    """Return whether a statement of a body evaluates anything, which may raise an error."""
    return not all(
        isinstance(statement, ast.Pass | ast.Break | ast.Continue)
        or (isinstance(statement, ast.Return) and isinstance(statement.value, ast.Constant | None))
        for statement in body
    )
