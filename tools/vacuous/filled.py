"""Loops that certainly run."""

from __future__ import annotations

import ast

from tools.vacuous.names import assigned_once, parameters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tools.vacuous.suite import Function, Module

_ITEM_FUNCTIONS = frozenset(
    ("enumerate", "sorted", "reversed", "set", "list", "tuple", "combinations", "product", "pairwise")
)
"""Functions that yield items for an argument that is not empty."""
_ITEM_METHODS = frozenset(("items", "values", "keys", "split", "splitlines", "names", "every", "load"))
"""Methods that return items for an object that is not empty."""


def certainly_loops(node: ast.expr, module: Module, test: Function) -> bool:
    """Return whether the iterable of a loop certainly has items: a literal, a constant, or a parameter of the test."""
    match node:
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return any(not isinstance(item, ast.Starred) or certainly_loops(item.value, module, test) for item in items)
        case ast.Dict(keys=items):
            return bool(items)
        case ast.Constant(value=value):
            return bool(value)
        case ast.Name(id=name) if name in (values := assigned_once(module, test)):
            return certainly_loops(values[name], module, test)
        case ast.Name(id=name):
            return name.isupper() or name in parameters(test)
        case ast.Attribute(attr=name):
            return name.isupper()
        case ast.Call(func=ast.Name(id="range")):
            return True
        case ast.Call(func=ast.Name(id="zip"), args=args, keywords=[ast.keyword(arg="strict")]):
            return any(certainly_loops(argument, module, test) for argument in args)
        case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in _ITEM_FUNCTIONS:
            return certainly_loops(first, module, test)
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _ITEM_METHODS:
            return certainly_loops(value, module, test)
        case ast.BinOp(left=left, right=right):
            return certainly_loops(left, module, test) or certainly_loops(right, module, test)
        case ast.Subscript(value=value):
            return certainly_loops(value, module, test)
    return False
