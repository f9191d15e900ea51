"""Whether a loop certainly runs."""

from __future__ import annotations

import ast

from tools.vacuous.names import assigned_once, parameters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tools.vacuous.suite import Function, Module

_KEEPING = frozenset(("enumerate", "sorted", "reversed", "set", "list", "tuple", "combinations", "product", "pairwise"))
"""The functions that yield something of what is not empty."""
_LISTING = frozenset(("items", "values", "keys", "split", "splitlines", "names", "every", "load"))
"""The methods that return something of an object that is not empty."""


def is_filled(node: ast.expr, module: Module, test: Function) -> bool:
    """Tell whether what is looped over certainly has items: it is written out, a parameter of the test, or a constant.

    Args:
        node: what is looped over.
        module: the file.
        test: the test with the loop.
    """
    match node:
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return any(not isinstance(each, ast.Starred) or is_filled(each.value, module, test) for each in items)
        case ast.Dict(keys=items):
            return bool(items)
        case ast.Constant(value=value):
            return bool(value)
        case ast.Name(id=name) if name in (values := assigned_once(module, test)):
            return is_filled(values[name], module, test)
        case ast.Name(id=name):
            return name.isupper() or name in parameters(test)
        case ast.Attribute(attr=name):
            return name.isupper()
        case ast.Call(func=ast.Name(id="range")):
            return True
        case ast.Call(func=ast.Name(id="zip"), args=args, keywords=[ast.keyword(arg="strict")]):
            return any(is_filled(each, module, test) for each in args)
        case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in _KEEPING:
            return is_filled(first, module, test)
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _LISTING:
            return is_filled(value, module, test)
        case ast.BinOp(left=left, right=right):
            return is_filled(left, module, test) or is_filled(right, module, test)
        case ast.Subscript(value=value):
            return is_filled(value, module, test)
    return False
