"""The libraries that are alive after all files are evaluated; PyTorch removes the ops of a library together with it."""

from __future__ import annotations

import ast

from opspec_lint.frameworks.pytorch.extract.python.values import (
    CONTAINER,
    PRIMITIVE,
    Choice,
    Class,
    Deferred,
    Function,
    Instance,
    Library,
    Method,
    OpDecorator,
    Partial,
    Scope,
)
from opspec_lint.kit.python_text import walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def live_libraries(roots: Iterable[object]) -> set[int]:
    """Return the ids of the libraries that values refer to, directly or through others."""
    waiting = list(roots)
    seen: set[int] = set()
    libraries: set[int] = set()
    while waiting:
        value = waiting.pop()
        if isinstance(value, PRIMITIVE) or id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, Library):
            libraries.add(id(value))
        else:
            waiting += _referred(value)
    return libraries


def _referred(value: object) -> Iterable[object]:
    """Return the values that a value refers to."""
    if isinstance(value, dict):
        return value.values()
    if isinstance(value, CONTAINER):
        return value
    if isinstance(value, Scope):
        return value.values.values()
    if isinstance(value, Choice):
        return [element for _, element in value.alternatives]
    if isinstance(value, Function):
        return [value.owner, *value.defaults.values(), *_closure(value)]
    if isinstance(value, Class):
        return [value.scope, *value.bases]
    if isinstance(value, Instance):
        return [value.cls, value.scope]
    if isinstance(value, Partial | Deferred):
        result = [value.result] if isinstance(value, Deferred) else []
        return [value.function, *value.arguments, *value.keywords.values(), *result]
    if isinstance(value, OpDecorator):
        return value.arguments.values()
    return [value.owner] if isinstance(value, Method) else ()


def _closure(function: Function) -> list[object]:
    """Return the values of names that a function uses from the functions around it."""
    if function.scope is function.module.scope:
        return []
    names = {part.id for part in walk(function.node) if isinstance(part, ast.Name)}
    scopes = ((name, function.scope.find(name)) for name in names)
    return [scope.values[name] for name, scope in scopes if scope is not None and scope is not function.module.scope]
