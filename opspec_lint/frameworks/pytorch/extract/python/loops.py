"""The loops of Python files, evaluated: over a known list for each item, any other loop once for an unknown item."""

from __future__ import annotations

from opspec_lint.frameworks.pytorch.extract.python.expressions import Expressions
from opspec_lint.frameworks.pytorch.extract.python.values import UNKNOWN, Choice
from opspec_lint.kit.python_text import show_syntax
from opspec_lint.spec.condition import ALWAYS, NEVER, disjunction

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from collections.abc import Sequence

    from opspec_lint.frameworks.pytorch.extract.python.state import Frame

_MAX_TURNS = 10_000
"""Iterations of one loop."""


class Loops(Expressions):
    """The evaluation of loops, and of the statements that leave them."""

    def run_for(self, statement: ast.For | ast.AsyncFor, frame: Frame) -> None:
        """Evaluate a loop for each item of a known list; for any other, once under the condition that it has any."""
        items = self.known_items(self.evaluate(statement.iter, frame))
        self.watch_items(statement.iter, statement, frame)

        def turn(item: object) -> None:
            self.bind(statement.target, item, frame)
            self.run(statement.body, frame)

        self._open_loop(frame)
        items = None if items is not None and len(items) > _MAX_TURNS else items
        if items is None:
            text = f"for {show_syntax(statement.target)} in {show_syntax(statement.iter)}"
            self.run_branches(self.condition_for(text), statement.lineno, lambda: turn(UNKNOWN), lambda: None)
        for item in () if items is None else items:
            self.step()
            if isinstance(item, Choice):  # an item that the list has under conditions only
                self.map_alternatives(item, turn)
            else:
                turn(item)
            self._resume_after_continue(frame)
            if self.condition == NEVER:
                break
        self._close_loop(frame, statement.orelse)

    def run_while(self, statement: ast.While, frame: Frame) -> None:
        """Evaluate a loop as long as its condition is known to be true, and once under an unknown condition."""
        self._open_loop(frame)
        for _ in range(_MAX_TURNS):
            truth = self.condition_of(statement.test, frame)
            self.run_branches(truth, statement.test.lineno, lambda: self.run(statement.body, frame), lambda: None)
            self._resume_after_continue(frame)
            if truth != ALWAYS or self.condition == NEVER:
                break
        self._close_loop(frame, statement.orelse)

    @staticmethod
    def _open_loop(frame: Frame) -> None:
        """Start to collect the conditions under which a loop is left or continued."""
        frame.breaks.append([])
        frame.continues.append([])

    def _resume_after_continue(self, frame: Frame) -> None:
        """Add the conditions of `continue` to the current one: the next iteration is reached by it as well."""
        if frame.continues[-1]:
            self.condition = disjunction((self.condition, *frame.continues[-1]))
            frame.continues[-1] = []

    def _close_loop(self, frame: Frame, otherwise: Sequence[ast.stmt]) -> None:
        """Evaluate the `else` of a loop, and add the conditions of `break` to the current one."""
        # A `continue` in the last iteration leads here, too.
        self._resume_after_continue(frame)
        frame.continues.pop()
        break_conditions = frame.breaks.pop()
        self.run(otherwise, frame)
        if break_conditions:
            self.condition = disjunction((self.condition, *break_conditions))

    def run_break(self, _: ast.Break, frame: Frame) -> None:
        """Leave the loop under the current condition."""
        if frame.breaks:
            frame.breaks[-1].append(self.condition)
        self.condition = NEVER

    def run_continue(self, _: ast.Continue, frame: Frame) -> None:
        """End the iteration under the current condition."""
        if frame.continues:
            frame.continues[-1].append(self.condition)
        self.condition = NEVER
