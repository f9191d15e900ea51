"""The statements of a build script in Python behind which no statement runs: of its block, or of the whole script."""

from __future__ import annotations

import ast

from opspec_lint.builds.python_uses import function_name
from opspec_lint.kit.python_text import walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_ENDS = frozenset({"exit", "_exit", "abort"})
_MAX_ROUNDS = 8
"""The longest chain of functions that call each other, of which the last one raises or ends the script."""
_UNCERTAIN = (ast.BoolOp, ast.IfExp, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
"""Expressions whose parts are perhaps not evaluated."""


def leaves(statement: ast.stmt) -> bool:
    """Return whether a statement leaves its function or turn of a loop, so that the build goes on without the rest."""
    return isinstance(statement, (ast.Return, ast.Continue))


def ends(statement: ast.stmt, functions: Collection[str] = ()) -> bool:
    """Return whether no statement behind this one runs; `functions` are functions of the script that never return."""
    if isinstance(statement, (ast.Return, ast.Raise, ast.Continue, ast.Break)):
        return True
    if isinstance(statement, ast.Assert):
        return isinstance(statement.test, ast.Constant) and not statement.test.value
    if not isinstance(statement, (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign)) or statement.value is None:
        return False
    calls = (function_name(call.func) for call in _certain_calls(statement.value))
    return any(name in _ENDS or name in functions for name in calls)


def ending_functions(tree: ast.Module) -> set[str]:
    """Return the functions at the top of a script that never return: they raise an error, or end the script."""
    functions = [statement for statement in tree.body if isinstance(statement, ast.FunctionDef)]
    ending: set[str] = set()
    for _ in range(_MAX_ROUNDS):  # a function may call one behind it
        names = {function.name for function in functions if _never_returns(function, ending)}
        if names == ending:
            break
        ending = names
    return ending


def _never_returns(function: ast.FunctionDef, ending: Collection[str]) -> bool:
    """Return whether a function raises or ends the script before anything may return from it."""
    for statement in function.body:
        if any(isinstance(node, (ast.Return, ast.Yield, ast.YieldFrom)) for node in walk(statement)):
            return False
        if ends(statement, ending):
            return True
    return False


def _certain_calls(value: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls of an expression that are certainly executed."""
    if isinstance(value, _UNCERTAIN):
        return
    if isinstance(value, ast.Call):
        yield value
    for child in ast.iter_child_nodes(value):
        yield from _certain_calls(child)
