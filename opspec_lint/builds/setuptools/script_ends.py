"""The statements of a build script in Python behind which no statement runs: of its block, or of the whole script."""

from __future__ import annotations

import ast
from collections import Counter

from opspec_lint.builds.python_uses import function_name
from opspec_lint.kit.python_text import walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_ENDS = frozenset({"exit", "_exit", "abort"})
_MODULES = frozenset({"sys", "os"})
"""The modules of these functions: a method of this name, such as `server.abort()`, may be any other function."""
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
    return any(_never_returns(call.func, functions) for call in _certain_calls(statement.value))


def _never_returns(function: ast.expr, ending: Collection[str]) -> bool:
    """Return whether the function in a call ends the script, or is one of the script that never returns."""
    name = function_name(function)
    if isinstance(function, ast.Attribute):
        return name in _ENDS and function_name(function.value) in _MODULES
    return name in _ENDS or name in ending


def ending_functions(tree: ast.Module) -> set[str]:
    """Return the functions at the top of a script that never return: they raise an error, or end the script.

    A function whose name the script binds again, or that a decorator may replace, does not count.
    """
    bound = Counter(name for node in walk(tree) if (name := _bound_name(node)) is not None)
    definitions = [statement for statement in tree.body if isinstance(statement, ast.FunctionDef)]
    functions = [node for node in definitions if bound[node.name] == 1 and not node.decorator_list]
    ending: set[str] = set()
    for _ in range(_MAX_ROUNDS):  # a function may call one behind it
        names = {function.name for function in functions if _always_ends(function, ending)}
        if names == ending:
            break
        ending = names
    return ending


def _bound_name(node: ast.AST) -> str | None:
    """Return the name that a node of a script defines as a function or gives another value; None for any other node."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return node.name
    if isinstance(node, ast.alias):
        return node.asname or node.name
    return node.id if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) else None


def _always_ends(function: ast.FunctionDef, ending: Collection[str]) -> bool:
    """Return whether a function raises or ends the script before anything may return from it."""
    if any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in walk(function)):
        return False  # the call of a generator executes none of its statements
    for statement in function.body:
        if any(isinstance(node, ast.Return) for node in walk(statement)):
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
