"""The loops of Python files, evaluated: over a known list for each item, any other loop once for an unknown item."""

from __future__ import annotations

import ast

from opspec_lint.frameworks.pytorch.extract.python.expressions import Expressions
from opspec_lint.frameworks.pytorch.extract.python.state import Frame
from opspec_lint.frameworks.pytorch.extract.python.values import UNKNOWN, Choice, Iteration, Scope
from opspec_lint.kit.guarded import MAX_SIZE
from opspec_lint.kit.python_text import show_syntax, walk
from opspec_lint.spec.condition import ALWAYS, NEVER, disjunction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opspec_lint.frameworks.pytorch.extract.python.analysis import LoopNode

_MAX_TURNS = 10_000
"""Iterations of one loop."""


class Loops(Expressions):
    """The evaluation of loops and comprehensions, and of the statements that leave loops.

    `watched` are the containers that loops have defined ops from, each with its number of items then.
    """

    def __init__(self) -> None:
        super().__init__()
        self.watched: list[tuple[list[object] | dict[object, object], int, ast.expr, Frame]] = []

    def watch_items(self, iterated: ast.expr, loop: LoopNode, frame: Frame) -> None:
        """Note the containers that a loop iterates over and defines ops from: none may get further items later."""
        if self.may_define(loop):
            for node in walk(iterated):
                value = self.evaluate(node, frame) if isinstance(node, ast.Name | ast.Attribute) else None
                container = self.resolve(value)
                if isinstance(container, list | dict):
                    self.watched.append((container, len(container), iterated, frame))

    def _eval_comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, frame: Frame
    ) -> object:
        """Return the items as a list or dict; UNKNOWN if an iterated value is not known. A set is a list, too."""
        if isinstance(node, ast.GeneratorExp) and self.may_define(node):
            return Iteration(lambda: self._run_comprehension(node, frame))
        condition = self.condition
        collected = self._run_comprehension(node, frame)
        if collected is None or isinstance(node, ast.GeneratorExp):
            self.condition = condition  # a raise is not certain: the items, or their number, are not known here
        if collected is None:
            return UNKNOWN
        if not isinstance(node, ast.DictComp):
            return collected
        try:
            return dict(collected)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            return UNKNOWN

    def _run_comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, frame: Frame
    ) -> list[object] | None:
        """Return the items of a comprehension, None if an iterated value is not known."""
        inside = Frame(Scope(frame.scope), frame.module, frame.qualified, frame.call)
        collected: list[object] = []
        for generator in node.generators:
            self.watch_items(generator.iter, node, frame)
        return collected if self._collect_items(node, list(node.generators), inside, collected) else None

    def _collect_items(
        self,
        node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp,
        generators: list[ast.comprehension],
        frame: Frame,
        collected: list[object],
    ) -> bool:
        """Add the item of each turn of a comprehension to `collected`; return whether all turns are known."""
        if not generators:
            if isinstance(node, ast.DictComp):
                collected.append(
                    (self.resolve_deeply(self.evaluate(node.key, frame)), self.evaluate(node.value, frame))
                )
            else:
                collected.append(self.evaluate(node.elt, frame))
            return True
        items = self.known_items(self.evaluate(generators[0].iter, frame))
        # An unknown list is run through once all the same, for the ops that the item of the comprehension defines.
        for item in [UNKNOWN] if items is None else items[:MAX_SIZE]:
            self.step()
            self.bind(generators[0].target, item, frame)
            tests = [self.condition_of(test, frame) for test in generators[0].ifs]
            if NEVER in tests:
                continue
            if any(test != ALWAYS for test in tests) or not self._collect_items(node, generators[1:], frame, collected):
                return False
        return items is not None

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

    evaluators: Mapping[type[ast.expr], Callable[..., object]] = {
        **Expressions.evaluators,
        ast.ListComp: _eval_comprehension,
        ast.SetComp: _eval_comprehension,
        ast.GeneratorExp: _eval_comprehension,
        ast.DictComp: _eval_comprehension,
    }
