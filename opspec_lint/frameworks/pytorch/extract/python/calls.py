"""Calls of evaluated values: functions and classes of the tree, and what Python or PyTorch provides."""

from __future__ import annotations

import ast
from functools import partial

from opspec_lint.frameworks.pytorch.extract.python.analysis import Analysis, analyse, changed_names
from opspec_lint.frameworks.pytorch.extract.python.builtin_calls import BuiltinCalls
from opspec_lint.frameworks.pytorch.extract.python.resolver import MAX_VALUE_STEPS
from opspec_lint.frameworks.pytorch.extract.python.state import Frame, merge_alternatives
from opspec_lint.frameworks.pytorch.extract.python.values import (
    UNKNOWN,
    Choice,
    Class,
    Deferred,
    Function,
    Instance,
    Iteration,
    Library,
    Method,
    Module,
    OpDecorator,
    Partial,
    Scope,
    Unknown,
)
from opspec_lint.kit.python_text import parse_module, walk
from opspec_lint.spec.condition import NEVER, disjunction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opspec_lint.frameworks.pytorch.extract.python.analysis import LoopNode
    from opspec_lint.frameworks.pytorch.extract.python.values import FunctionNode

_MAX_CALLS = 12
"""Calls within each other."""
_NAMESPACES = ("globals", "locals", "vars")
"""Functions that return the names of a module or call; their results have the name of the function with `()`."""


class Calls(BuiltinCalls):
    """The evaluation of calls.

    `registrars` are the names of functions that define ops, `collections` the names of containers that loops define ops
    from, and `entered` the ids of the syntax nodes of functions whose bodies were evaluated.
    """

    def __init__(self) -> None:
        super().__init__()
        self.entered: set[int] = set()
        self.registrars: set[str] = set()
        self.collections: set[str] = set()
        self._analyses: dict[int, Analysis] = {}
        self._changes: dict[int, frozenset[str]] = {}
        self._executed_texts: list[object] = []  # kept, as analyses are cached by the ids of nodes

    def run(self, statements: Sequence[ast.stmt], frame: Frame) -> None:
        """Evaluate statements (`statements.py`)."""
        raise NotImplementedError

    def evaluate(self, node: ast.expr, frame: Frame) -> object:
        """Return the value of an expression (`expressions.py`)."""
        raise NotImplementedError

    def call_provided(
        self, path: str, arguments: Sequence[object], keywords: Mapping[str, object], node: ast.AST, frame: Frame
    ) -> object:
        """Return the result of a function of PyTorch (`library.py`); None where `path` is none that defines ops."""
        raise NotImplementedError

    def call_library(
        self, method: Method, arguments: Sequence[object], keywords: Mapping[str, object], node: ast.AST, frame: Frame
    ) -> object:
        """Return the result of a method of a `torch.library.Library` (`library.py`)."""
        raise NotImplementedError

    def make_op(self, decorator: OpDecorator, function: object, node: ast.AST, frame: Frame) -> object:
        """Define the op that a decorator makes of a function, and return the function (`library.py`)."""
        raise NotImplementedError

    def call(
        self,
        function: object,
        arguments: Sequence[object],
        keywords: Mapping[str, object],
        node: ast.AST,
        frame: Frame | None,
    ) -> object:
        """Return the result of a call of a value.

        Args:
            function: the value.
            arguments: the arguments by position.
            keywords: the arguments by name.
            node: the call, or the decorator.
            frame: the frame of the caller, None for a call that has no text.
        """
        function = self.resolve(function)
        if isinstance(function, Choice):
            return self.map_alternatives(function, lambda element: self.call(element, arguments, keywords, node, frame))
        if isinstance(function, Partial):
            merged = {**function.keywords, **keywords}
            return self.call(function.function, (*function.arguments, *arguments), merged, node, frame)
        if isinstance(function, Function):
            return self._call_function(function, arguments, keywords, node, frame)
        if isinstance(function, Class):
            instance = Instance(function)
            start = self.resolve(function.member("__init__"))
            if isinstance(start, Function):
                self.enter_function(start.bound_to(instance), arguments, keywords, node, frame)
            elif arguments and isinstance(text := self.resolve(arguments[0]), str) and function.is_text:
                return text
            else:
                self.escaped += (*arguments, *keywords.values())
            return instance
        if isinstance(function, Instance):
            return self.call(self.get_attribute(function, "__call__"), arguments, keywords, node, frame)
        if isinstance(function, OpDecorator):
            return self.make_op(function, arguments[0] if arguments else UNKNOWN, node, frame or self.no_frame)
        if isinstance(function, Method):
            if isinstance(function.owner, Library):
                return self.call_library(function, arguments, keywords, node, frame or self.no_frame)
            return self.call_method(function.owner, function.name, arguments, keywords)
        if isinstance(function, Unknown):
            return self._call_unknown(function, arguments, keywords, node, frame)
        self.escaped += (*arguments, *keywords.values())
        return UNKNOWN

    def _call_unknown(
        self,
        function: Unknown,
        arguments: Sequence[object],
        keywords: Mapping[str, object],
        node: ast.AST,
        frame: Frame | None,
    ) -> object:
        """Return the result of a call of code that is not in the tree: PyTorch's, Python's own, or unknown."""
        if function.path in ("exec", "eval") and frame is not None and arguments:
            named = (keywords[name] for name in ("globals", "locals") if name in keywords)
            namespaces = [value for value in map(self.resolve, (*arguments[1:], *named)) if value is not None]
            return self._execute_text(self.resolve(arguments[0]), namespaces, node, frame)
        if function.path in _NAMESPACES and not arguments:
            return Unknown(f"{function.path}()")
        if function.path != "map":
            arguments = list(map(self.consume, arguments))
        result = self.call_provided(function.path, arguments, keywords, node, frame or self.no_frame)
        if result is None:
            result = self.call_builtin(function.path, arguments, keywords, node, frame)
            if result is UNKNOWN:
                self.escaped += (*arguments, *keywords.values())
        return result

    def _execute_text(self, text: object, namespaces: Sequence[object], node: ast.AST, frame: Frame) -> object:
        """Evaluate a known text that `exec` or `eval` executes, as if it stood in the line of the call.

        Args:
            text: the text.
            namespaces: the dicts of global and of local names that the call gives.
            node: the call.
            frame: the frame of the call.
        """
        if not isinstance(text, str) or self.depth > _MAX_CALLS:
            return UNKNOWN
        try:
            tree = parse_module(text.strip())
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return UNKNOWN
        for part in walk(tree):
            if isinstance(part, ast.stmt | ast.expr):
                part.lineno = getattr(node, "lineno", 1)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        self._executed_texts.append((tree, last))
        scope = frame.scope
        for place, namespace in enumerate(namespaces):
            scope = _scope_of(namespace, scope if place else None, frame)
        inside = frame if scope is frame.scope else Frame(scope, frame.module, "", (node, frame))
        self.depth += 1
        try:
            self.run(tree.body, inside)
            return self.evaluate(last.value, inside) if isinstance(last, ast.Expr) else UNKNOWN
        finally:
            self.depth -= 1
            if scope not in (frame.scope, frame.module.scope):
                self._export(scope, namespaces[-1])

    def _export(self, scope: Scope, namespace: object) -> None:
        """Store the names of an executed text in the dict that the call gives for them."""
        for name, value in scope.values.items():
            if not isinstance(namespace, dict):
                self.escaped.append(value)
            elif namespace.get(name) is not value:
                self.store_item(namespace, name, value)

    def _call_function(
        self,
        function: Function,
        arguments: Sequence[object],
        keywords: Mapping[str, object],
        node: ast.AST,
        frame: Frame | None,
    ) -> object:
        """Return the result of a call of a function of the tree, deferred where the call can have no effect."""
        if self.may_define(function.node) or any(map(self.can_define_ops, (*arguments, *keywords.values()))):
            return self.enter_function(function, arguments, keywords, node, frame)
        if not self.may_collect(function.node):
            return Deferred(function, arguments, keywords)
        enter = partial(self.enter_function, function, arguments, keywords, node, frame)
        # A raise in it is not followed, as it is not in a deferred call.
        condition = self.condition
        result = self.run_limited(MAX_VALUE_STEPS, enter)
        self.condition = condition
        return result

    def can_define_ops(self, value: object) -> bool:
        """Return whether a function that is given the value may define ops with it."""
        if isinstance(value, Function):
            return self.may_define(value.node)
        if isinstance(value, Method):
            return isinstance(value.owner, Library)
        return isinstance(value, Library | OpDecorator | Partial | Iteration) or (
            isinstance(value, Unknown) and value.path.startswith("torch.library.")
        )

    def may_define(self, node: FunctionNode | LoopNode) -> bool:
        """Return whether the body of a function or loop calls anything by the name of a registrar."""
        return not self.analyse(node).called.isdisjoint(self.registrars)

    def may_collect(self, node: FunctionNode) -> bool:
        """Return whether the body of a function changes a container that a loop defines ops from."""
        if not self.collections:
            return False
        if id(node) not in self._changes:
            self._changes[id(node)] = changed_names(node)
        return not self._changes[id(node)].isdisjoint(self.collections)

    def analyse(self, node: FunctionNode | LoopNode) -> Analysis:
        """Return the names that the body of a function or loop calls."""
        # Cache key: the id is not reused, as the syntax tree of the file keeps the node.
        if id(node) not in self._analyses:
            self._analyses[id(node)] = analyse(node)
        return self._analyses[id(node)]

    def enter_function(
        self,
        function: Function,
        arguments: Sequence[object],
        keywords: Mapping[str, object],
        node: ast.AST,
        frame: Frame | None,
    ) -> object:
        """Return the result of a function of the tree, by evaluation of its body: at once, or when it is consumed."""
        if not isinstance(function.node, ast.AsyncFunctionDef) and not self.analyse(function.node).is_generator:
            return self._execute_function(function, arguments, keywords, node, frame)

        def start() -> None:
            self._execute_function(function, arguments, keywords, node, frame)

        return Iteration(start)

    def _execute_function(
        self,
        function: Function,
        arguments: Sequence[object],
        keywords: Mapping[str, object],
        node: ast.AST,
        frame: Frame | None,
    ) -> object:
        """Return the result of a function of the tree, by evaluation of its body."""
        self.step()
        if self.depth > _MAX_CALLS:
            return UNKNOWN
        scope = Scope(function.scope)
        scope.values = self._bind_parameters(function, arguments, keywords)
        inside = Frame(scope, function.module, function.qualified, None if frame is None else (node, frame))
        self.entered.add(id(function.node))
        before, stops = self.condition, self.stops
        self.depth += 1
        try:
            if isinstance(function.node, ast.Lambda):
                return self.evaluate(function.node.body, inside)
            self.run(function.node.body, inside)
        finally:
            self.depth -= 1
        # Behind a call the condition of the caller holds again, unless a raise or exit in it ended some of its ways.
        results = inside.results if self.condition == NEVER else [*inside.results, (self.condition, None)]
        ends = [condition for condition, _ in results]
        self.condition = NEVER if not ends else before if stops == self.stops else disjunction(ends)
        if function.node.decorator_list:  # `functools.lru_cache` keeps the result
            self.escaped += [value for _, value in results]
        return merge_alternatives(results)

    @staticmethod
    def _bind_parameters(
        function: Function, arguments: Sequence[object], keywords: Mapping[str, object]
    ) -> dict[str, object]:
        """Return the values of the parameters of a function in a call."""
        signature = function.node.args
        values: dict[str, object] = {}
        positional = [element.arg for element in (*signature.posonlyargs, *signature.args)]
        passed = [*((function.owner,) if function.owner is not None else ()), *arguments]
        values |= dict(zip(positional, passed, strict=False))
        if signature.vararg:
            values[signature.vararg.arg] = tuple(passed[len(positional) :])
        names = {*positional, *(element.arg for element in signature.kwonlyargs)}
        values |= {name: value for name, value in keywords.items() if name in names}
        if signature.kwarg:
            values[signature.kwarg.arg] = {name: value for name, value in keywords.items() if name not in names}
        return {**{name: function.defaults.get(name, UNKNOWN) for name in names}, **values}

    @property
    def no_frame(self) -> Frame:
        """The frame of a call that no line of the tree makes, such as a deferred one."""
        return Frame(Scope(), Module("", "", ""))

    def apply_decorator(self, node: ast.expr, value: object, frame: Frame) -> object:
        """Return what a decorator makes of a function or class; an unknown decorator leaves it unchanged."""
        decorator = self.resolve(self.evaluate(node, frame))
        path = decorator.path if isinstance(decorator, Unknown) else ""
        if path in ("classmethod", "staticmethod", "property") and isinstance(value, Function):
            return Function(value.node, value.scope, value.module, value.defaults, value.qualified, path)
        if isinstance(decorator, Unknown):
            result = self.call_provided(path, (value,), {}, node, frame)
            return value if result is None else result
        result = self.call(decorator, (value,), {}, node, frame)
        if isinstance(result, Deferred) and isinstance(value, Function):
            return value.presented_as(result)
        return value if isinstance(result, Deferred) or result is UNKNOWN else result


def _scope_of(namespace: object, outer: Scope | None, frame: Frame) -> Scope:
    """Return the scope with the names of a namespace that a call gives to `exec`."""
    if isinstance(namespace, Unknown) and namespace.path.removesuffix("()") in _NAMESPACES:
        return frame.module.scope if namespace.path == "globals()" else frame.scope
    scope = Scope(outer)
    if isinstance(namespace, dict):
        scope.values |= {name: value for name, value in namespace.items() if isinstance(name, str)}
    return scope
