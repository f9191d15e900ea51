"""The values behind imports, deferred calls and attributes of evaluated Python code."""

from __future__ import annotations

from functools import partial

from opspec_lint.frameworks.pytorch.extract.python.state import EvaluatedCall, State
from opspec_lint.frameworks.pytorch.extract.python.values import (
    CONTAINER,
    PRIMITIVE,
    UNKNOWN,
    Choice,
    Class,
    Deferred,
    Function,
    Imported,
    Instance,
    Iteration,
    Library,
    Method,
    Package,
    Partial,
    Unknown,
)
from opspec_lint.kit.guarded import MAX_SIZE
from opspec_lint.spec.condition import ALWAYS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.frameworks.pytorch.extract.python.values import Module

_MAX_LINKS = 12
"""Imports and deferred calls that lead from one to the next."""
_MAX_DEPTH = 4
"""Lists within each other whose items are resolved."""
MAX_VALUE_STEPS = 2000
"""Steps of a call that defines no op."""


class Resolver(State):
    """The evaluation of values that are looked up later: imports, deferred calls, and attributes."""

    def load(self, name: str) -> Module | None:
        """Return the evaluated module of a dotted name, None for a name outside the tree (`program.py`)."""
        raise NotImplementedError

    def is_package(self, name: str) -> bool:
        """Return whether a dotted name is a module or a folder of the tree (`program.py`)."""
        raise NotImplementedError

    def call(self, function: object, call: EvaluatedCall) -> object:
        """Return the result of a call of a value (`calls.py`)."""
        raise NotImplementedError

    def enter_function(self, function: Function, call: EvaluatedCall) -> object:
        """Return the result of a function of the tree, by evaluation of its body (`calls.py`)."""
        raise NotImplementedError

    def resolve(self, value: object) -> object:
        """Return the value that an import or a deferred call leads to; any other value unchanged."""
        for _ in range(_MAX_LINKS):
            if isinstance(value, Imported):
                value = self._resolve_import(value)
            elif isinstance(value, Deferred):
                if value.result is value:
                    call = EvaluatedCall(value.arguments, value.keywords, value.function.node)
                    value.result = UNKNOWN  # what a recursive call gets that needs its own result
                    condition = self.condition
                    value.result = self.run_limited(MAX_VALUE_STEPS, partial(self.enter_function, value.function, call))
                    self.condition = condition  # a raise in the call is not followed
                value = value.result
            else:
                return value
        return UNKNOWN

    def resolve_deeply(self, value: object) -> object:
        """Return a value resolved, and the items of a list or tuple in it as well."""
        value = self.resolve(value)
        return self._resolve_items(value, 0, [MAX_SIZE]) if isinstance(value, list | tuple) else value

    def _resolve_items(self, value: object, depth: int, left: list[int]) -> object:
        """Return a value resolved with its items; `left` has the number of items that may still be resolved."""
        value = self.resolve(value)
        if depth < _MAX_DEPTH and isinstance(value, list | tuple) and left[0] > 0:
            left[0] -= len(value)
            return type(value)(self._resolve_items(item, depth + 1, left) for item in value)
        return value

    def _resolve_import(self, value: Imported) -> object:
        """Return the value of an imported name: what its module binds it to, or a module of the tree."""
        module = self.load(value.module)
        if module is not None and value.name in module.scope.values:
            bound = module.scope.values[value.name]
            # `from . import ops` in a package binds the name `ops` of the package to the module itself.
            if not isinstance(bound, Imported) or (bound.module, bound.name) != (value.module, value.name):
                return bound
        name = f"{value.module}.{value.name}"
        return Package(name) if self.is_package(name) else UNKNOWN

    def known_items(self, value: object) -> list[object] | None:
        """Return the items of a container, None where they are unknown."""
        value = self.resolve(value)
        if isinstance(value, Iteration):
            start = value.state.values[Iteration.START]
            self.assign(value.state, Iteration.START, None)
            return self._start(start)
        return list(value) if isinstance(value, (*CONTAINER, str)) and len(value) <= MAX_SIZE else None

    def _start(self, start: object) -> list[object] | None:
        """Execute an iteration, and return its items; it has none where it was executed before."""
        if isinstance(start, Choice):  # it was executed in a branch
            items = self.map_alternatives(start, self._start)
            return items if isinstance(items, list) else None
        items = [] if start is None else start() if callable(start) else None
        return items if isinstance(items, list) else None

    def consume(self, value: object) -> object:
        """Execute a generator, iterator or coroutine, and return its items; any other value unchanged."""
        if isinstance(value, Iteration | Deferred) and isinstance(self.resolve(value), Iteration):
            items = self.known_items(value)
            return UNKNOWN if items is None else items
        return value

    def get_attribute(self, owner: object, name: str) -> object:
        """Return the attribute of a value by its name, UNKNOWN for one that is not followed."""
        if isinstance(owner, Unknown):
            return Unknown(f"{owner.path}.{name}") if owner.path else UNKNOWN
        owner = self.resolve(owner)
        if isinstance(owner, Choice):
            return self.map_alternatives(owner, lambda element: self.get_attribute(element, name))
        if isinstance(owner, Unknown):
            return self.get_attribute(owner, name) if owner.path else UNKNOWN
        if isinstance(owner, Package):
            return self._resolve_import(Imported(owner.name, name))
        if isinstance(owner, Instance | Class):
            return self._get_own_attribute(owner, name)
        if isinstance(owner, Function):
            return {"__name__": owner.name, "__qualname__": owner.qualified}.get(name, UNKNOWN)
        if isinstance(owner, Partial):
            return {"func": owner.function, "args": owner.arguments}.get(name, UNKNOWN)
        if isinstance(owner, Library) and name == "ns":
            return owner.namespace
        if name == "value" and isinstance(owner, PRIMITIVE):
            return owner  # a member of an enum is represented by its value
        return Method(owner, name) if isinstance(owner, (Library, *PRIMITIVE, *CONTAINER)) else UNKNOWN

    def _get_own_attribute(self, owner: Instance | Class, name: str) -> object:
        """Return an attribute of an object or class of the tree; functions are bound, and properties are called."""
        cls = owner if isinstance(owner, Class) else owner.cls
        if isinstance(owner, Instance):
            if name in owner.scope.values:
                return owner.scope.values[name]
            if name == "__class__":
                return cls
        elif name == "__name__":
            return cls.name.rpartition(".")[2]
        attribute = self.resolve(cls.member(name))
        if isinstance(attribute, Function):
            if attribute.kind == "classmethod":
                return attribute.bound_to(cls)
            if attribute.kind != "staticmethod" and isinstance(owner, Instance):
                bound = attribute.bound_to(owner)
                is_property = attribute.kind == "property"
                return self.call(bound, EvaluatedCall((), {}, attribute.node)) if is_property else bound
        return attribute

    def guard(self, value: object) -> object:
        """Return an item for a container; it carries the condition under which the current statement adds it."""
        return value if self.condition == ALWAYS else Choice(((self.condition, value),))
