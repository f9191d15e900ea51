"""Calls of evaluated values: functions and classes of the tree, and what Python or PyTorch provides."""

from __future__ import annotations

import ast
from functools import partial

from opspec_lint.frameworks.pytorch.extract.python.analysis import PROGRAM_ENDS, Analysis, analyse, changed_names
from opspec_lint.frameworks.pytorch.extract.python.builtin_calls import BuiltinCalls
from opspec_lint.frameworks.pytorch.extract.python.resolver import MAX_VALUE_STEPS
from opspec_lint.frameworks.pytorch.extract.python.state import UNCAUGHT, EvaluatedCall, Frame, merge_alternatives
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
    OpDecorator,
    Partial,
    Scope,
    Unknown,
)
from opspec_lint.kit.python_text import parse_module, walk
from opspec_lint.spec.condition import NEVER, conjunction, disjunction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.frameworks.pytorch.extract.python.analysis import LoopNode
    from opspec_lint.frameworks.pytorch.extract.python.state import Site
    from opspec_lint.frameworks.pytorch.extract.python.values import FunctionNode

_MAX_CALLS = 12
"""Calls within each other."""
SINGLE_DISPATCH = "functools.singledispatch"
"""The decorator that chooses a function by the type of its argument, and the kind of a function that it decorates."""
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
        self._raising: dict[int, bool] = {}
        self._rebinders: set[str] = set()
        self._callers: dict[str, set[str]] = {}
        self._is_stepped = False
        self._executed_texts: list[object] = []  # kept, as analyses are cached by the ids of nodes

    def run(self, statements: Sequence[ast.stmt], frame: Frame) -> None:
        """Evaluate statements (`statements.py`)."""
        raise NotImplementedError

    def evaluate(self, node: ast.expr, frame: Frame) -> object:
        """Return the value of an expression (`expressions.py`)."""
        raise NotImplementedError

    def call_provided(self, path: str, call: EvaluatedCall) -> object:
        """Return the result of a function of PyTorch (`library.py`); None where `path` is none that defines ops."""
        raise NotImplementedError

    def call_library(self, method: Method, call: EvaluatedCall) -> object:
        """Return the result of a method of a `torch.library.Library` (`library.py`)."""
        raise NotImplementedError

    def make_op(self, decorator: OpDecorator, function: object, site: Site) -> object:
        """Define the op that a decorator makes of a function, and return the function (`library.py`)."""
        raise NotImplementedError

    def call(self, function: object, call: EvaluatedCall) -> object:
        """Return the result of a call of a value."""
        function = self.resolve(function)
        if isinstance(function, Choice):
            return self.map_alternatives(function, lambda element: self.call(element, call))
        if isinstance(function, Partial):
            arguments, keywords = (*function.arguments, *call.arguments), {**function.keywords, **call.keywords}
            return self.call(function.function, call.replace(arguments, keywords))
        if isinstance(function, Function):
            return self._call_function(function, call)
        if isinstance(function, Class):
            instance = Instance(function)
            start = self.resolve(function.member("__init__"))
            if isinstance(start, Function):
                self.enter_function(start.bound_to(instance), call)
            elif isinstance(text := self.resolve(call.argument(0)), str) and function.is_text:
                return text
            else:
                self.escaped += call.values
            return instance
        if isinstance(function, Instance):
            return self.call(self.get_attribute(function, "__call__"), call)
        if isinstance(function, OpDecorator):
            return self.make_op(function, call.argument(0), call.site)
        if isinstance(function, Method):
            if isinstance(function.owner, Library):
                return self.call_library(function, call)
            return self.call_method(function.owner, function.name, call.arguments, call.keywords)
        if isinstance(function, Unknown):
            return self._call_unknown(function, call)
        self.escaped += call.values
        return UNKNOWN

    def _call_unknown(self, function: Unknown, call: EvaluatedCall) -> object:
        """Return the result of a call of code that is not in the tree: PyTorch's, Python's own, or unknown."""
        if function.path in ("exec", "eval") and call.has_caller and call.arguments:
            text, *given = call.arguments
            named = (call.keywords[name] for name in ("globals", "locals") if name in call.keywords)
            namespaces = [value for value in map(self.resolve, (*given, *named)) if value is not None]
            return self._execute_text(self.resolve(text), namespaces, call.site)
        if function.path in PROGRAM_ENDS:
            self.stop(UNCAUGHT if function.path.startswith("os.") else SystemExit)
            return UNKNOWN
        if function.path in _NAMESPACES and not call.arguments:
            return Unknown(f"{function.path}()")
        if function.path == "next" and self._step_generator(call.argument(0)):
            return UNKNOWN
        if function.path != "map":
            call = call.replace(list(map(self.consume, call.arguments)), call.keywords)
        result = self.call_provided(function.path, call)
        if result is None:
            result = self.call_builtin(function.path, call)
            if result is UNKNOWN:
                self.escaped += call.values
        return result

    def _step_generator(self, value: object) -> bool:
        """Execute a generator up to its first `yield` for sure; return False for any other value."""
        if not isinstance(self.resolve(value), Iteration):
            return False
        self._is_stepped = True
        self.known_items(value)
        self._is_stepped = False
        return True

    def suspend(self, frame: Frame) -> None:
        """Note that a generator waits behind a `yield`; one that `next` executes may wait for ever."""
        if frame.is_stepped:
            frame.is_stepped, frame.is_suspended = False, True
            self.condition = conjunction(self.condition, self.condition_for(f"`{frame.qualified}` is resumed"))

    def _execute_text(self, text: object, namespaces: Sequence[object], site: Site) -> object:
        """Evaluate a known text that `exec` or `eval` executes, as if it stood in the line of the call.

        Args:
            text: the text.
            namespaces: the dicts of global and of local names that the call gives.
            site: the site of the call.
        """
        if not isinstance(text, str) or self.depth > _MAX_CALLS:
            return UNKNOWN
        try:
            tree = parse_module(text.strip())
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return UNKNOWN
        for part in walk(tree):
            if isinstance(part, ast.stmt | ast.expr):
                part.lineno = getattr(site.node, "lineno", 1)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        self._executed_texts.append((tree, last))
        frame, scope = site.frame, site.frame.scope
        for place, namespace in enumerate(namespaces):
            scope = _scope_of(namespace, scope if place else None, frame)
        inside = frame if scope is frame.scope else Frame(scope, frame.module, "", site)
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

    def _call_function(self, function: Function, call: EvaluatedCall) -> object:
        """Return the result of a call of a function of the tree, deferred where the call can have no effect."""
        if self.can_define_ops(function) or any(map(self.can_define_ops, call.values)):
            return self._enter_chosen(function, call)
        if self.may_collect(function.node) or self.may_rebind(function) or self.may_raise(function):
            return self.run_limited(MAX_VALUE_STEPS, partial(self.enter_function, function, call))
        return Deferred(function, call.arguments, call.keywords)

    def can_define_ops(self, value: object) -> bool:
        """Return whether a function that is given the value may define ops with it."""
        if isinstance(value, Function):
            return self.may_define(value.node) or any(map(self.can_define_ops, self._enclosed_functions(value)))
        if isinstance(value, Method):
            return isinstance(value.owner, Library)
        return isinstance(value, Library | OpDecorator | Partial | Iteration) or (
            isinstance(value, Unknown) and value.path.startswith("torch.library.")
        )

    def _enclosed_functions(self, function: Function) -> Iterator[Function]:
        """Yield the functions that a function calls by names of the calls around it, as a decorator's wrapper does."""
        scope: Scope | None = function.scope
        while scope is not None and scope is not function.module.scope:
            for name in self.analyse(function.node).called & scope.values.keys():
                value = scope.values[name]
                # Functions of one scope may call each other without an end; a wrapper's function is of another one.
                if isinstance(value, Function) and value.scope is not function.scope:
                    yield value
            scope = scope.outer

    def _enter_chosen(self, function: Function, call: EvaluatedCall) -> object:
        """Return the result of a function, under a condition if `functools.singledispatch` chooses it by a type."""
        if function.kind != SINGLE_DISPATCH:
            return self.enter_function(function, call)
        results: list[object] = [UNKNOWN]
        chosen = self.condition_for(f"`{function.qualified}` has no other function for the type of its argument")
        line = getattr(call.site.node, "lineno", function.node.lineno)
        self.run_branches(chosen, line, lambda: results.append(self.enter_function(function, call)), lambda: None)
        return results[-1]

    def may_raise(self, function: Function) -> bool:
        """Return whether a function raises an error or ends the program, or calls a function that does so."""
        key = id(function.node)
        if key not in self._raising:
            self._raising |= self._find_raise(function)
        return self._raising[key]

    def _find_raise(self, function: Function) -> dict[int, bool]:
        """Return whether a function raises an error by its calls, by the id of its node, and also of its callees.

        The callees that a search did not follow to their ends are left out.
        """
        # Not by recursion: functions that call each other would take an unfinished result for the final one.
        waiting, callers = [function], {id(function.node): 0}
        while waiting:
            caller = waiting.pop()
            key, analysis = id(caller.node), self.analyse(caller.node)
            if analysis.raises or self._raising.get(key, False):
                chain = [key]
                while chain[-1]:
                    chain.append(callers[chain[-1]])
                return dict.fromkeys(chain, True)
            for callee in self._callees(caller, analysis):
                if id(callee.node) not in callers:
                    callers[id(callee.node)] = key
                    waiting.append(callee)
        return dict.fromkeys(callers, False)

    @staticmethod
    def _callees(function: Function, analysis: Analysis) -> Iterator[Function]:
        """Yield the functions of the same file that a function calls by their names."""
        for name in analysis.called:
            scope = function.scope.find(name)
            value = None if scope is None else scope.values.get(name)
            if isinstance(value, Function):
                yield value

    def may_rebind(self, function: Function) -> bool:
        """Return whether a function binds names of a scope around it, or calls a function that does so."""
        analysis = self.analyse(function.node)
        return function.module.rebinds and (analysis.rebinds or not analysis.called.isdisjoint(self._rebinders))

    def note_calls(self, function: Function) -> Function:
        """Return a function; note its calls and whether it binds names outside, if any function of its file does."""
        if not function.module.rebinds or isinstance(function.node, ast.Lambda):
            return function
        analysis = self.analyse(function.node)
        for name in analysis.called:
            self._callers.setdefault(name, set()).add(function.name)
        waiting = [function.name] if analysis.rebinds or not analysis.called.isdisjoint(self._rebinders) else []
        while waiting:
            name = waiting.pop()
            if name not in self._rebinders:
                self._rebinders.add(name)
                waiting += self._callers.get(name, ())
        return function

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

    def enter_function(self, function: Function, call: EvaluatedCall) -> object:
        """Return the result of a function of the tree, by evaluation of its body: at once, or when it is consumed."""
        if not isinstance(function.node, ast.AsyncFunctionDef) and not self.analyse(function.node).is_generator:
            return self._execute_function(function, call)

        def start() -> None:
            self._execute_function(function, call)

        return Iteration(start)

    def _execute_function(self, function: Function, call: EvaluatedCall) -> object:
        """Return the result of a function of the tree, by evaluation of its body."""
        self.step()
        if self.depth > _MAX_CALLS:
            return UNKNOWN
        scope = Scope(function.scope)
        scope.values = self._bind_parameters(function, call)
        inside = Frame(scope, function.module, function.qualified, call.site)
        inside.is_stepped, self._is_stepped = self._is_stepped, False
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
        if inside.is_suspended or (ends and stops == self.stops):
            self.condition = before
        else:
            self.condition = disjunction(ends) if ends else NEVER
        if function.node.decorator_list:  # `functools.lru_cache` keeps the result
            self.escaped += [value for _, value in results]
        return merge_alternatives(results)

    @staticmethod
    def _bind_parameters(function: Function, call: EvaluatedCall) -> dict[str, object]:
        """Return the values of the parameters of a function in a call."""
        signature = function.node.args
        values: dict[str, object] = {}
        positional = [element.arg for element in (*signature.posonlyargs, *signature.args)]
        passed = [*((function.owner,) if function.owner is not None else ()), *call.arguments]
        values |= dict(zip(positional, passed, strict=False))
        if signature.vararg:
            values[signature.vararg.arg] = tuple(passed[len(positional) :])
        names = {*positional, *(element.arg for element in signature.kwonlyargs)}
        values |= {name: value for name, value in call.keywords.items() if name in names}
        if signature.kwarg:
            values[signature.kwarg.arg] = {name: value for name, value in call.keywords.items() if name not in names}
        return {**{name: function.defaults.get(name, UNKNOWN) for name in names}, **values}

    def apply_decorator(self, node: ast.expr, value: object, frame: Frame) -> object:
        """Return what a decorator makes of a function or class; an unknown decorator leaves it unchanged."""
        decorator = self.resolve(self.evaluate(node, frame))
        path = decorator.path if isinstance(decorator, Unknown) else ""
        if path in ("classmethod", "staticmethod", "property") and isinstance(value, Function):
            return Function(value.node, value.scope, value.module, value.defaults, value.qualified, path)
        call = EvaluatedCall((value,), {}, node, frame)
        if path == SINGLE_DISPATCH and isinstance(value, Function):
            return Function(value.node, value.scope, value.module, value.defaults, value.qualified, path)
        if isinstance(decorator, Unknown):
            result = self.call_provided(path, call)
            return value if result is None else result
        result = self.call(decorator, call)
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
