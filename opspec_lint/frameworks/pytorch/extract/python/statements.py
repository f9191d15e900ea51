"""Evaluates the statements of Python files.

Both branches of an unknown condition are evaluated, each under its condition; a value that differs between them is a
`Choice`. A loop over a known list runs for each item, any other one once for an unknown item. An import is taken to
succeed, except in a `try` that catches its failure.
"""

from __future__ import annotations

import ast

from opspec_lint.frameworks.pytorch.extract.python.expressions import Expressions
from opspec_lint.frameworks.pytorch.extract.python.state import Frame
from opspec_lint.frameworks.pytorch.extract.python.values import (
    UNKNOWN,
    Choice,
    Class,
    Function,
    Imported,
    Library,
    Package,
    Scope,
    Unknown,
)
from opspec_lint.spec.condition import ALWAYS, NEVER, both, either, negation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from opspec_lint.frameworks.pytorch.extract.python.values import Module
    from opspec_lint.spec.condition import Condition

_MAX_TURNS = 10_000
"""Turns of one loop."""
_ENDS = ("sys.exit", "os._exit", "exit", "quit", "os.abort")
"""Functions that end the program."""
_IMPORT_ERRORS = frozenset(("", "ImportError", "ModuleNotFoundError", "Exception", "BaseException", "OSError"))
"""Errors that an import raises; "" is a handler of all errors."""


class Statements(Expressions):
    """The evaluation of statements. `defined` are the functions, each with the condition of its definition.

    `methods` are the classes of functions, by the identity of the syntax tree of the function.
    """

    def __init__(self) -> None:
        super().__init__()
        self.defined: list[tuple[Function, Condition]] = []
        self.methods: dict[int, Class] = {}

    def library_deleted(self, library: Library) -> None:
        """Take away the ops of a library that nothing refers to any more."""
        raise NotImplementedError

    def run(self, statements: Sequence[ast.stmt], frame: Frame) -> None:
        """Evaluate statements as long as they are reached under any condition."""
        for statement in statements:
            if self.condition == NEVER:
                return
            self.step()
            evaluate = self._statements.get(type(statement))
            if evaluate is not None:
                evaluate(self, statement, frame)

    def _expression(self, statement: ast.Expr, frame: Frame) -> None:
        call = statement.value
        if isinstance(call, ast.Call) and self.path_of(call.func, frame) in _ENDS:
            self._stop()
        elif not isinstance(call, ast.Constant):
            self.value(call, frame)

    def _assign(self, statement: ast.Assign, frame: Frame) -> None:
        value = self.value(statement.value, frame)
        for target in statement.targets:
            self.bind(target, value, frame)

    def _annotated(self, statement: ast.AnnAssign, frame: Frame) -> None:
        if statement.value is not None:
            self.bind(statement.target, self.value(statement.value, frame), frame)

    def _augmented(self, statement: ast.AugAssign, frame: Frame) -> None:
        old = self.deep(self.value(statement.target, frame))
        added = self.deep(self.value(statement.value, frame))
        if isinstance(old, list) and isinstance(added, list | tuple) and isinstance(statement.op, ast.Add):
            new: object = [*old, *added]
        else:
            new = self.binary(statement.op, old, added)
        self.bind(statement.target, new, frame)

    def _if(self, statement: ast.If, frame: Frame) -> None:
        self.branch(
            self.truth(statement.test, frame),
            statement.test.lineno,
            lambda: self.run(statement.body, frame),
            lambda: self.run(statement.orelse, frame),
        )

    def _for(self, statement: ast.For | ast.AsyncFor, frame: Frame) -> None:
        items = self.items(self.value(statement.iter, frame))

        def turn(item: object) -> None:
            self.bind(statement.target, item, frame)
            self.run(statement.body, frame)

        self._open_loop(frame)
        if items is None:
            text = f"for {ast.unparse(statement.target)} in {ast.unparse(statement.iter)}"
            self.branch(self.requirement(text), statement.lineno, lambda: turn(UNKNOWN), lambda: None)
        for item in () if items is None else items[:_MAX_TURNS]:
            self.step()
            if isinstance(item, Choice):  # it is in the list under conditions only
                self.by_alternative(item, turn)
            else:
                turn(item)
            self._continue(frame)
            if self.condition == NEVER:
                break
        self._close_loop(frame, statement.orelse)

    def _while(self, statement: ast.While, frame: Frame) -> None:
        self._open_loop(frame)
        for _ in range(_MAX_TURNS):
            truth = self.truth(statement.test, frame)
            self.branch(truth, statement.test.lineno, lambda: self.run(statement.body, frame), lambda: None)
            self._continue(frame)
            if truth != ALWAYS or self.condition == NEVER:
                break
        self._close_loop(frame, statement.orelse)

    @staticmethod
    def _open_loop(frame: Frame) -> None:
        frame.breaks.append([])
        frame.continues.append([])

    def _continue(self, frame: Frame) -> None:
        """Go on with the next turn of a loop, where `continue` left the last one too."""
        if frame.continues[-1]:
            self.condition = either((self.condition, *frame.continues[-1]))
            frame.continues[-1] = []

    def _close_loop(self, frame: Frame, otherwise: Sequence[ast.stmt]) -> None:
        """Go on behind a loop, where `break` left it too."""
        self._continue(frame)
        frame.continues.pop()
        left = frame.breaks.pop()
        self.run(otherwise, frame)
        if left:
            self.condition = either((self.condition, *left))

    def _break(self, _: ast.Break, frame: Frame) -> None:
        if frame.breaks:
            frame.breaks[-1].append(self.condition)
        self.condition = NEVER

    def _next(self, _: ast.Continue, frame: Frame) -> None:
        if frame.continues:
            frame.continues[-1].append(self.condition)
        self.condition = NEVER

    def _return(self, statement: ast.Return, frame: Frame) -> None:
        value = None if statement.value is None else self.value(statement.value, frame)
        if self.condition != NEVER:
            frame.results.append((self.condition, value))
        self.condition = NEVER

    def _raise(self, _: ast.Raise, frame: Frame) -> None:  # noqa: ARG002 - every statement has a frame
        self._stop()

    def _stop(self) -> None:
        self.stops += 1
        self.condition = NEVER

    def _assert(self, statement: ast.Assert, frame: Frame) -> None:
        if self.truth(statement.test, frame) == NEVER:
            self._stop()

    def _try(self, statement: ast.Try, frame: Frame) -> None:
        caught = {name for handler in statement.handlers for name in _names(handler.type)}
        at = _first_import(statement.body) if caught & _IMPORT_ERRORS else None
        before = self.condition
        if at is not None:
            self.run(statement.body[:at], frame)
            self._attempt(statement.body[at:], statement.orelse, statement.handlers[0].body, frame)
        else:
            self.run(statement.body, frame)
            if self.condition == NEVER and not frame.results and statement.handlers:
                self.condition = before  # what it raises is caught
                self.run(statement.handlers[0].body, frame)
            else:
                for handler in statement.handlers:
                    self._attempt(statement.body, (), handler.body, frame, has_run=True)
                self.run(statement.orelse, frame)
        reached, self.condition = self.condition, before
        self.run(statement.finalbody, frame)
        self.condition = NEVER if self.condition == NEVER else reached

    def _attempt(
        self,
        body: Sequence[ast.stmt],
        behind: Sequence[ast.stmt],
        handler: Sequence[ast.stmt],
        frame: Frame,
        *,
        has_run: bool = False,
    ) -> None:
        """Evaluate a body under the condition that its first statement succeeds, and a handler under the opposite."""
        self.branch(
            self.requirement(f"try: {ast.unparse(body[0])}"),
            body[0].lineno,
            lambda: None if has_run else self.run([*body, *behind], frame),
            lambda: self.run(handler, frame),
        )

    def _with(self, statement: ast.With | ast.AsyncWith, frame: Frame) -> None:
        suppresses = False
        for item in statement.items:
            call = item.context_expr
            entered = self.value(call, frame)
            suppresses |= isinstance(call, ast.Call) and self.path_of(call.func, frame) == "contextlib.suppress"
            if item.optional_vars is not None:
                self.bind(item.optional_vars, entered if isinstance(entered, Library) else UNKNOWN, frame)
        at = _first_import(statement.body) if suppresses else None
        self.run(statement.body[:at], frame)
        if at is not None:
            self._attempt(statement.body[at:], (), (), frame)

    def _match(self, statement: ast.Match, frame: Frame) -> None:
        subject = ast.unparse(statement.subject)
        remaining = ALWAYS
        for case in statement.cases:
            is_default = isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None and case.guard is None
            text = f"{subject} matches {ast.unparse(case.pattern)}"
            chosen = both(remaining, ALWAYS if is_default else self.requirement(text))
            self.branch(chosen, case.pattern.lineno, lambda: self.run(case.body, frame), lambda: None)  # noqa: B023 - called now
            remaining = both(remaining, negation(chosen))

    def _function(self, statement: ast.FunctionDef | ast.AsyncFunctionDef, frame: Frame) -> None:
        function = self.function(statement, frame)
        self.defined.append((function, self.condition))
        self._decorate(statement, function, frame)

    def _class(self, statement: ast.ClassDef, frame: Frame) -> None:
        bases = [self.forced(self.value(base, frame)) for base in statement.bases]
        outer = frame.scope.outer or frame.scope if frame.scope.is_class else frame.scope
        scope = Scope(outer, is_class=True)
        qualified = f"{frame.qualified}.{statement.name}" if frame.qualified else statement.name
        self.run(statement.body, Frame(scope, frame.module, qualified, frame.call))
        cls = Class(qualified, scope, bases)
        self.methods |= {id(element.node): cls for element in scope.values.values() if isinstance(element, Function)}
        self._decorate(statement, cls, frame)

    def _decorate(
        self, statement: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, value: object, frame: Frame
    ) -> None:
        for decorator in reversed(statement.decorator_list):
            value = self.decorated(decorator, value, frame)
        self.assign(frame.redirected.get(statement.name, frame.scope), statement.name, value)

    def _delete(self, statement: ast.Delete, frame: Frame) -> None:
        for target in statement.targets:
            if not isinstance(target, ast.Name):
                self.bind(target, UNKNOWN, frame)
            elif (scope := frame.scope.find(target.id)) is not None:
                value = scope.values[target.id]
                self.assign(scope, target.id, UNKNOWN)
                if isinstance(value, Library) and not any(element is value for element in scope.values.values()):
                    self.library_deleted(value)

    def _import(self, statement: ast.Import, frame: Frame) -> None:
        for alias in statement.names:
            name = alias.name if alias.asname else alias.name.partition(".")[0]
            value = Package(name) if self.is_package(name) else Unknown(name)
            self.assign(frame.scope, alias.asname or name, value)

    def _import_from(self, statement: ast.ImportFrom, frame: Frame) -> None:
        module = _absolute(statement, frame.module)
        is_own = self.is_package(module)
        for alias in statement.names:
            if alias.name != "*":
                value: object = Imported(module, alias.name) if is_own else Unknown(f"{module}.{alias.name}")
                self.assign(frame.scope, alias.asname or alias.name, value)
                continue
            loaded = self.load(module) if is_own else None
            for name, value in list(loaded.scope.values.items()) if loaded else ():
                if not name.startswith("_"):
                    self.assign(frame.scope, name, value)

    def _global(self, statement: ast.Global, frame: Frame) -> None:
        frame.redirected |= dict.fromkeys(statement.names, frame.module.scope)

    def _nonlocal(self, statement: ast.Nonlocal, frame: Frame) -> None:
        for name in statement.names:
            scope = frame.scope.outer.find(name) if frame.scope.outer else None
            frame.redirected[name] = scope or frame.scope

    _statements: Mapping[type[ast.stmt], Callable[..., None]] = {
        ast.Expr: _expression,
        ast.Assign: _assign,
        ast.AnnAssign: _annotated,
        ast.AugAssign: _augmented,
        ast.If: _if,
        ast.For: _for,
        ast.AsyncFor: _for,
        ast.While: _while,
        ast.Break: _break,
        ast.Continue: _next,
        ast.Return: _return,
        ast.Raise: _raise,
        ast.Assert: _assert,
        ast.Try: _try,
        getattr(ast, "TryStar", ast.Try): _try,
        ast.With: _with,
        ast.AsyncWith: _with,
        ast.Match: _match,
        ast.FunctionDef: _function,
        ast.AsyncFunctionDef: _function,
        ast.ClassDef: _class,
        ast.Delete: _delete,
        ast.Import: _import,
        ast.ImportFrom: _import_from,
        ast.Global: _global,
        ast.Nonlocal: _nonlocal,
    }


def _first_import(statements: Sequence[ast.stmt]) -> int | None:
    """Return the index of the first statement that imports something, None if there is none."""
    imports = (ast.Import, ast.ImportFrom)
    return next(
        (n for n, element in enumerate(statements) if any(isinstance(part, imports) for part in ast.walk(element))),
        None,
    )


def _names(kind: ast.expr | None) -> Iterator[str]:
    """Yield the names of the errors that a handler catches, "" for all errors."""
    if kind is None:
        yield ""
    elif isinstance(kind, ast.Tuple):
        for element in kind.elts:
            yield from _names(element)
    else:
        yield kind.attr if isinstance(kind, ast.Attribute) else getattr(kind, "id", "")


def _absolute(statement: ast.ImportFrom, module: Module) -> str:
    """Return the dotted name of the module that a statement imports from."""
    if not statement.level:
        return statement.module or ""
    parts = module.package.split(".") if module.package else []
    parts = parts[: len(parts) - statement.level + 1]
    return ".".join((*parts, *((statement.module,) if statement.module else ())))
