"""Names that a test binds."""

from __future__ import annotations

import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tools.vacuous.suite import Function, Module


def assigned_once(module: Module, test: Function) -> dict[str, ast.expr]:
    """Return the values of the names that a test assigns exactly once."""
    values: dict[str, ast.expr] = {}
    stored: list[str] = []
    for node in module.inside(test):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                values[name] = value
            case ast.Name(id=name, ctx=ast.Store()):
                stored.append(name)
    return {name: value for name, value in values.items() if stored.count(name) == 1}


def bound_around(module: Module, test: Function) -> set[str]:
    """Return the names that a test binds: its arguments, such as fixtures, and what it assigns."""
    arguments = {node.arg for node in module.inside(test) if isinstance(node, ast.arg)}
    stored = {node.id for node in module.inside(test) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return arguments | stored


def parameters(test: Function) -> set[str]:
    """Return the arguments of a test that `parametrize` names."""
    names_of_parameters: set[str] = set()
    for node in test.decorator_list:
        match node:
            case ast.Call(func=ast.Attribute(attr="parametrize"), args=[names, _, *_]):
                strings = [
                    node_inside.value for node_inside in ast.walk(names) if isinstance(node_inside, ast.Constant)
                ]
                names_of_parameters |= {name.strip() for text in strings for name in str(text).split(",")}
    return names_of_parameters
