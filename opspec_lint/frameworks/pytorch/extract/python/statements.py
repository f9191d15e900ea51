"""The statements of Python files, evaluated under conditions.

Both branches of an unknown condition are evaluated, each under its condition; a value that differs between them is a
`Choice`. An import succeeds, except in a `try` that catches its failure. A statement behind which no condition holds
(NEVER) ends the block.
"""

from __future__ import annotations

import ast

from opspec_lint.frameworks.pytorch.extract.python.analysis import assigned_names
from opspec_lint.frameworks.pytorch.extract.python.errors import error_class
from opspec_lint.frameworks.pytorch.extract.python.import_statements import (
    absolute_module,
    first_import,
)
from opspec_lint.frameworks.pytorch.extract.python.state import EvaluatedCall, Frame, StepsExceededError
from opspec_lint.frameworks.pytorch.extract.python.tries import Tries
from opspec_lint.frameworks.pytorch.extract.python.values import (
    DELETED,
    UNKNOWN,
    Class,
    Function,
    Imported,
    Instance,
    Library,
    Package,
    Scope,
    Unknown,
    is_known,
)
from opspec_lint.kit.guarded import MAX_SIZE
from opspec_lint.kit.python_text import show_syntax
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, disjunction, negation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opspec_lint.frameworks.pytorch.extract.python.state import Error
    from opspec_lint.spec.condition import Condition


class Statements(Tries):
    """The evaluation of statements.

    `defined` are the functions, each with the condition of its definition. `methods` are the classes of methods, by the
    id of the syntax node of the method.
    """

    def __init__(self) -> None:
        super().__init__()
        self.defined: list[tuple[Function, Condition]] = []
        self.methods: dict[int, Class] = {}

    def run(self, statements: Sequence[ast.stmt], frame: Frame) -> None:
        """Evaluate statements up to the first one that is reached under no condition.

        Python itself raises for some: an expression that is nested too deep, a number that is too long to print.
        """
        for statement in statements:
            if self.condition == NEVER:
                return
            self.step()
            evaluate = self._statements.get(type(statement))
            start, loops = self.point(), len(frame.breaks)
            try:
                if evaluate is not None:
                    evaluate(self, statement, frame)
            except StepsExceededError:
                raise
            except Exception as error:
                self.return_to(start)
                del frame.breaks[loops:], frame.continues[loops:]
                for name in assigned_names(statement):
                    self.assign(frame.redirected.get(name, frame.scope), name, UNKNOWN)
                self.note_unevaluated(statement, error, frame)

    def note_unevaluated(self, statement: ast.stmt, error: Exception, frame: Frame) -> None:
        """Note that Python raises an error in the evaluation of a statement (`library.py`)."""
        raise NotImplementedError

    def _run_expression(self, statement: ast.Expr, frame: Frame) -> None:
        if not isinstance(statement.value, ast.Constant):
            self.evaluate(statement.value, frame)

    def _run_assign(self, statement: ast.Assign, frame: Frame) -> None:
        value = self.evaluate(statement.value, frame)
        for target in statement.targets:
            self.bind(target, value, frame)

    def _run_annotated_assign(self, statement: ast.AnnAssign, frame: Frame) -> None:
        if statement.value is not None:
            self.bind(statement.target, self.evaluate(statement.value, frame), frame)

    def _run_augmented_assign(self, statement: ast.AugAssign, frame: Frame) -> None:
        """Evaluate `target += value`; a list is extended even where its items are unknown."""
        old = self.resolve_deeply(self.evaluate(statement.target, frame))
        added = self.resolve_deeply(self.evaluate(statement.value, frame))
        if isinstance(old, list) and isinstance(added, list | tuple) and isinstance(statement.op, ast.Add):
            new: object = [*old, *added] if len(old) + len(added) <= MAX_SIZE else UNKNOWN
        else:
            new = self.apply_operator(statement.op, old, added)
            if new is UNKNOWN:
                self.escaped += (old, added)
        self.bind(statement.target, new, frame)

    def _run_if(self, statement: ast.If, frame: Frame) -> None:
        self.run_branches(
            self.condition_of(statement.test, frame),
            statement.test.lineno,
            lambda: self.run(statement.body, frame),
            lambda: self.run(statement.orelse, frame),
        )

    def _run_return(self, statement: ast.Return, frame: Frame) -> None:
        value = None if statement.value is None else self.evaluate(statement.value, frame)
        if self.condition != NEVER:
            frame.results.append((self.condition, value))
        self.condition = NEVER

    def _run_raise(self, statement: ast.Raise, frame: Frame) -> None:
        self.stop(None if statement.exc is None else self._raised_class(statement.exc, frame))

    def _raised_class(self, node: ast.expr, frame: Frame) -> Error:
        """Return the class of the error that a `raise` raises, None if it is not known."""
        kind = self.resolve(self.evaluate(node.func if isinstance(node, ast.Call) else node, frame))
        return error_class(kind)

    def _run_assert(self, statement: ast.Assert, frame: Frame) -> None:
        if self.condition_of(statement.test, frame) == NEVER:
            self.stop(AssertionError)

    def _run_with(self, statement: ast.With | ast.AsyncWith, frame: Frame) -> None:
        """Evaluate a `with`; `contextlib.suppress` around an import is like a `try` without a handler."""
        suppressed: list[Error] | None = None
        exits: list[tuple[object, EvaluatedCall]] = []
        for item in statement.items:
            node = item.context_expr
            entered = self.consume(self.resolve(self.evaluate(node, frame)))
            if isinstance(entered, Instance):
                leave = EvaluatedCall((entered, None, None, None), {}, statement, frame)
                exits.append((entered.cls.member("__exit__"), leave))
                enter = EvaluatedCall((entered,), {}, node, frame)
                entered = self._call_special_method(entered.cls.member("__enter__"), enter)
            if isinstance(node, ast.Call) and self.path_of(node.func, frame) == "contextlib.suppress":
                classes = [error_class(self.resolve(self.evaluate(part, frame))) for part in node.args]
                suppressed = [*(suppressed or ()), *classes]
            if item.optional_vars is not None:
                known = isinstance(entered, Library) or exits
                self.bind(item.optional_vars, entered if known else UNKNOWN, frame)
        at = None if suppressed is None else first_import(statement.body)
        self.run_suppressing(suppressed or (), statement.body[:at], frame)
        if at is not None:
            self.run_or_handle(statement.body[at:], (), (), frame)
        for method, call in reversed(exits):
            self._call_special_method(method, call)

    def _run_match(self, statement: ast.Match, frame: Frame) -> None:
        """Evaluate each case under the condition that its pattern matches and no earlier one did."""
        subject = self.resolve_deeply(self.evaluate(statement.subject, frame))
        remaining = ALWAYS
        for case in statement.cases:
            text = f"{show_syntax(statement.subject)} matches {show_syntax(case.pattern)}"
            chosen = conjunction(remaining, self._pattern_condition(case.pattern, subject, text, frame))
            if case.guard is not None and chosen != NEVER:
                chosen = conjunction(chosen, self.condition_of(case.guard, frame))
            self.run_branches(chosen, case.pattern.lineno, lambda: self.run(case.body, frame), lambda: None)  # noqa: B023 - called now
            remaining = conjunction(remaining, negation(chosen))

    def _pattern_condition(self, pattern: ast.pattern, subject: object, text: str, frame: Frame) -> Condition:
        """Return the condition under which a value matches a pattern; `text` describes the unknown one."""
        if isinstance(pattern, ast.MatchAs) and pattern.pattern is None:
            if pattern.name is not None:
                self.assign(frame.scope, pattern.name, subject)
            return ALWAYS
        if isinstance(pattern, ast.MatchOr) and is_known(subject):
            return disjunction(self._pattern_condition(part, subject, text, frame) for part in pattern.patterns)
        if isinstance(pattern, ast.MatchValue | ast.MatchSingleton) and is_known(subject):
            value = self.evaluate(pattern.value, frame) if isinstance(pattern, ast.MatchValue) else pattern.value
            return self.truth_condition(
                self.compare_values(ast.Eq(), subject, self.resolve_deeply(value)), lambda: text
            )
        return self.condition_for(text)

    def _run_function_def(self, statement: ast.FunctionDef | ast.AsyncFunctionDef, frame: Frame) -> None:
        function = self.make_function(statement, frame)
        self.defined.append((function, self.condition))
        self._decorate(statement, function, frame)

    def _run_class_def(self, statement: ast.ClassDef, frame: Frame) -> None:
        """Evaluate the body of a class, and bind its name to the decorated class."""
        bases = [self.resolve(self.evaluate(base, frame)) for base in statement.bases]
        metaclass = next(
            (self.evaluate(item.value, frame) for item in statement.keywords if item.arg == "metaclass"), None
        )
        # A nested class does not see the names of the class around it (execution model of Python).
        outer = frame.scope.outer or frame.scope if frame.scope.is_class else frame.scope
        scope = Scope(outer, is_class=True)
        qualified = f"{frame.qualified}.{statement.name}" if frame.qualified else statement.name
        self.run(statement.body, Frame(scope, frame.module, qualified, frame.call))
        cls = Class(qualified, scope, bases, self.resolve(metaclass))
        self.methods |= {id(element.node): cls for element in scope.values.values() if isinstance(element, Function)}
        self._create_class(cls, statement, frame)
        self._decorate(statement, cls, frame)

    def _create_class(self, cls: Class, statement: ast.ClassDef, frame: Frame) -> None:
        """Evaluate the code that Python executes when a class is created: of its metaclass, and of its base classes."""
        metaclass = cls.metaclass or next((base.metaclass for base in cls.bases if isinstance(base, Class)), None)
        if isinstance(metaclass, Class):
            arguments = cls.name, tuple(cls.bases), dict(cls.scope.values)
            for name, first in (("__new__", metaclass), ("__init__", cls)):
                call = EvaluatedCall((first, *arguments), {}, statement, frame)
                self._call_special_method(metaclass.member(name), call)
        inherited = Class("", Scope(), cls.bases).member("__init_subclass__")
        self._call_special_method(inherited, EvaluatedCall((cls,), {}, statement, frame))

    def _call_special_method(self, method: object, call: EvaluatedCall) -> object:
        """Return the result of a method that Python calls by itself, UNKNOWN where no class of the tree has it."""
        method = self.resolve(method)
        return self.call(method, call) if isinstance(method, Function) else UNKNOWN

    def _decorate(
        self, statement: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, value: object, frame: Frame
    ) -> None:
        """Apply the decorators of a function or class, the one next to it first, and bind its name to the result."""
        for decorator in reversed(statement.decorator_list):
            value = self.apply_decorator(decorator, value, frame)
        self.assign(frame.redirected.get(statement.name, frame.scope), statement.name, value)

    def _run_delete(self, statement: ast.Delete, frame: Frame) -> None:
        for target in statement.targets:
            if isinstance(target, ast.Subscript):
                owner, key = self.resolve(self.evaluate(target.value, frame)), self.evaluate(target.slice, frame)
                self.call_method(owner, "pop", (key,), {})
            elif not isinstance(target, ast.Name):
                self.bind(target, UNKNOWN, frame)
            elif self.unbound_names.contains(target.id, frame):
                self.doubt(f"`{target.id}` has a value")
            elif (scope := frame.redirected.get(target.id) or frame.scope.find(target.id)) is not None:
                self.assign(scope, target.id, DELETED)

    def _run_import(self, statement: ast.Import, frame: Frame) -> None:
        for alias in statement.names:
            # `import a.b` binds `a`, and `import a.b as c` binds the inner module.
            name = alias.name if alias.asname else alias.name.partition(".")[0]
            value = Package(name) if self.is_package(name) else Unknown(name)
            self.assign(frame.scope, alias.asname or name, value)

    def _run_import_from(self, statement: ast.ImportFrom, frame: Frame) -> None:
        """Bind imported names; only `import *` evaluates the module at once, as its names are not known before."""
        module = absolute_module(statement, frame.module)
        is_own = self.is_package(module)
        for alias in statement.names:
            if alias.name != "*":
                value: object = Imported(module, alias.name) if is_own else Unknown(f"{module}.{alias.name}")
                self.assign(frame.scope, alias.asname or alias.name, value)
                continue
            loaded = self.load(module) if is_own else None
            if loaded is None:
                self.assign(frame.scope, "*", Unknown(module))
            for name, value in list(loaded.scope.values.items()) if loaded else ():
                # `import *` leaves out names with an underscore, unless `__all__` lists them.
                if not name.startswith("_"):
                    self.assign(frame.scope, name, value)

    def _run_global(self, statement: ast.Global, frame: Frame) -> None:
        frame.redirected |= dict.fromkeys(statement.names, frame.module.scope)

    def _run_nonlocal(self, statement: ast.Nonlocal, frame: Frame) -> None:
        for name in statement.names:
            scope = frame.scope.outer.find(name) if frame.scope.outer else None
            frame.redirected[name] = scope or frame.scope

    _statements: Mapping[type[ast.stmt], Callable[..., None]] = {
        ast.Expr: _run_expression,
        ast.Assign: _run_assign,
        ast.AnnAssign: _run_annotated_assign,
        ast.AugAssign: _run_augmented_assign,
        ast.If: _run_if,
        ast.For: Tries.run_for,
        ast.AsyncFor: Tries.run_for,
        ast.While: Tries.run_while,
        ast.Break: Tries.run_break,
        ast.Continue: Tries.run_continue,
        ast.Return: _run_return,
        ast.Raise: _run_raise,
        ast.Assert: _run_assert,
        ast.Try: Tries.run_try,
        # `except*` is new in Python 3.11, and `ast` lacks its node before.
        getattr(ast, "TryStar", ast.Try): Tries.run_try,
        ast.With: _run_with,
        ast.AsyncWith: _run_with,
        ast.Match: _run_match,
        ast.FunctionDef: _run_function_def,
        ast.AsyncFunctionDef: _run_function_def,
        ast.ClassDef: _run_class_def,
        ast.Delete: _run_delete,
        ast.Import: _run_import,
        ast.ImportFrom: _run_import_from,
        ast.Global: _run_global,
        ast.Nonlocal: _run_nonlocal,
    }
