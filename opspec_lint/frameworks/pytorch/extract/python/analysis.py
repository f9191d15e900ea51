"""The names that the body of a function or loop calls and changes, from its syntax alone."""

from __future__ import annotations

import ast

from opspec_lint.frameworks.pytorch.extract.python.containers import CHANGING_METHODS
from opspec_lint.kit.python_text import walk
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    from opspec_lint.frameworks.pytorch.extract.python.values import FunctionNode

    LoopNode: TypeAlias = ast.For | ast.AsyncFor | ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp

_DECORATED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_YIELDS = (ast.Yield, ast.YieldFrom)
PROGRAM_ENDS = ("sys.exit", "os._exit", "exit", "quit", "os.abort")
"""Functions that end the program."""
_ENDS = frozenset(path.rpartition(".")[2] for path in PROGRAM_ENDS)


class Analysis(Record):
    """The names that a body calls and decorates with, and the kinds of statements that it has.

    `is_generator`: it yields. `rebinds`: it binds names of a scope around it. `raises`: it may raise an error, or end
    the program, by itself.
    """

    called: frozenset[str]
    is_generator: bool
    rebinds: bool
    raises: bool


def analyse(node: FunctionNode | LoopNode) -> Analysis:
    """Return the calls of the body of a function, or of a loop."""
    called: list[ast.expr] = []
    is_generator = rebinds = raises = False
    for element in _body(node):
        for part in walk(element):
            if isinstance(part, ast.Call):
                called.append(part.func)
            elif isinstance(part, _DECORATED):
                called += part.decorator_list
            elif isinstance(part, _YIELDS):
                is_generator = True
            elif isinstance(part, ast.Global | ast.Nonlocal):
                rebinds = True
            elif isinstance(part, ast.Raise | ast.Assert):
                raises = True
    names = frozenset(call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "") for call in called)
    raises |= not names.isdisjoint(_ENDS)
    return Analysis(called=names, is_generator=is_generator, rebinds=rebinds, raises=raises)


def changed_names(node: FunctionNode) -> frozenset[str]:
    """Return the names in the expressions of values that the body of a function changes, and has not created.

    They are `registry` and `OPS` for `registry.OPS.append(x)`.
    """
    return frozenset(_changed_names([part for element in _body(node) for part in walk(element)]))


def _body(node: FunctionNode | LoopNode) -> Sequence[ast.AST]:
    """Return the parts that each call or turn executes: not the decorators of a function, which its definition runs."""
    if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
        return [node.elt]
    if isinstance(node, ast.DictComp):
        return [node.key, node.value]
    return node.body if isinstance(node.body, list) else [node.body]


def _changed_names(parts: Sequence[ast.AST]) -> Iterator[str]:
    """Yield the names in the expressions of values that a body changes, except those that it binds itself."""
    shared = {name for part in parts if isinstance(part, ast.Global | ast.Nonlocal) for name in part.names}
    yield from shared
    bound = {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)} - shared
    for part in parts:
        if isinstance(part, ast.Subscript | ast.Attribute) and not isinstance(part.ctx, ast.Load):
            changed: ast.expr = part.value
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in CHANGING_METHODS:
            changed = part.func.value
        else:
            continue
        names = list(names_in_path(changed))
        if names and names[-1] not in bound:
            yield from names


def assigned_names(statement: ast.stmt) -> list[str]:
    """Return the names that a statement binds, except those within a function or class that it defines."""
    if isinstance(statement, _DECORATED):
        return [statement.name]
    return sorted(
        {part.id for part in walk(statement) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    )


def names_in_path(node: ast.AST) -> Iterator[str]:
    """Yield the names in an expression such as `registry.OPS["cpu"]`, the last one first."""
    while True:
        if isinstance(node, ast.Attribute):
            yield node.attr
            node = node.value
        elif isinstance(node, ast.Subscript):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            node = node.func
        else:
            if isinstance(node, ast.Name):
                yield node.id
            return
