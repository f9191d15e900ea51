"""The errors that the statements of a `try` may raise, and the handlers that catch them."""

from __future__ import annotations

import ast
import builtins
from functools import partial

from opspec_lint.frameworks.pytorch.extract.python.containers import missing_item
from opspec_lint.frameworks.pytorch.extract.python.import_statements import first_import
from opspec_lint.frameworks.pytorch.extract.python.loops import Loops
from opspec_lint.frameworks.pytorch.extract.python.state import UNCAUGHT
from opspec_lint.frameworks.pytorch.extract.python.values import UNKNOWN, Class, Instance, Unknown
from opspec_lint.kit.python_text import show_syntax, walk
from opspec_lint.spec.condition import NEVER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.frameworks.pytorch.extract.python.state import Error, Frame

_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.GeneratorExp)
"""Nodes whose parts are executed later, or bind names of their own."""


class Errors(Loops):
    """The errors that a statement may raise, by its text and the values of its names."""

    def possible_errors(self, statement: ast.stmt, frame: Frame) -> Iterator[type[BaseException]]:
        """Yield the errors of imports, of names that nothing binds, and of items that a container lacks."""
        if first_import([statement]) is not None:
            yield from (ModuleNotFoundError, OSError)  # a shared library that cannot be loaded is an OSError
        for part in _executed_parts(statement):
            if not isinstance(getattr(part, "ctx", None), ast.Load):
                continue
            if isinstance(part, ast.Name) and self.unbound_names.contains(part.id, frame):
                yield NameError
            elif isinstance(part, ast.Subscript):
                yield from self._errors_of_item(part, frame)

    def catches(self, handler: ast.ExceptHandler, error: Error, frame: Frame) -> bool | None:
        """Return whether a handler catches an error; None if that is not known."""
        if handler.type is None:
            return error is not UNCAUGHT
        nodes = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        caught = [error_class(self.resolve(self.evaluate(node, frame))) for node in nodes]
        verdicts = [is_caught(kind, error) for kind in caught]
        return True if True in verdicts else None if None in verdicts else False

    def run_handlers(self, handlers: Sequence[ast.ExceptHandler], errors: Sequence[Error], frame: Frame) -> None:
        """Evaluate the handler that catches one of several errors, each under a condition where that is not known."""
        for place, handler in enumerate(handlers):
            verdicts = {self.catches(handler, error, frame) for error in errors}
            if verdicts == {True}:
                self.run(handler.body, frame)
                return
            if verdicts != {False}:
                kind = "" if handler.type is None else f" {show_syntax(handler.type)}"
                self.run_branches(
                    self.condition_for(f"`except{kind}` catches the error"),
                    handler.lineno,
                    partial(self.run, handler.body, frame),
                    partial(self.run_handlers, handlers[place + 1 :], errors, frame),
                )
                return
        self.condition = NEVER

    def _errors_of_item(self, node: ast.Subscript, frame: Frame) -> Iterator[type[BaseException]]:
        """Yield the error of an item that a container certainly lacks."""
        if any(isinstance(part, ast.Call | ast.Await | ast.Yield | ast.NamedExpr) for part in walk(node)):
            return  # not evaluated, as it would be so twice
        condition = self.condition
        owner = self.resolve(self.evaluate(node.value, frame))
        is_slice = isinstance(node.slice, ast.Slice)
        key: object = UNKNOWN if is_slice else self.resolve_deeply(self.evaluate(node.slice, frame))
        self.condition = condition  # what is doubtful in the parts is found by their own errors
        error = missing_item(owner, key)
        if error is not None:
            yield error


def is_caught(caught: Error, raised: Error) -> bool | None:
    """Return whether a handler of a class of errors catches an error of another class; None if that is not known."""
    if raised is UNCAUGHT:
        return False
    if caught in (BaseException, Exception) and not (isinstance(raised, type) and not issubclass(raised, Exception)):
        return True
    if caught is None or raised is None:
        return None
    if isinstance(raised, type):
        return isinstance(caught, type) and issubclass(raised, caught)
    if caught is raised:
        return True
    if not isinstance(raised, Class):
        return None
    verdicts = [is_caught(caught, error_class(base)) for base in raised.bases]
    return True if True in verdicts else None if None in verdicts else False


def error_class(value: object) -> Error:
    """Return the class of errors that a value is, or is an object of; None if it is not known."""
    if isinstance(value, Instance):
        return value.cls
    if isinstance(value, Class):
        return value
    kind = getattr(builtins, value.path, None) if isinstance(value, Unknown) else None
    return kind if isinstance(kind, type) and issubclass(kind, BaseException) else None


def _executed_parts(statement: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a statement that it evaluates by itself: of a block, only what its first line has."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        children = ast.iter_child_nodes(node)
        waiting += (child for child in children if not isinstance(child, (ast.stmt, ast.ExceptHandler, *_INNER)))
