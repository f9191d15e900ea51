"""The names that a Python file uses and that nothing binds, so that Python raises NameError."""

from __future__ import annotations

import ast
import builtins

from opspec_lint.builds.python_uses import function_name
from opspec_lint.frameworks.pytorch.extract.python.values import DELETED
from opspec_lint.kit.python_text import walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.frameworks.pytorch.extract.python.state import Frame

_BINDING_CALLS = frozenset({"globals", "locals", "vars", "exec", "eval", "setattr", "update"})
"""Functions that may bind names."""
_MODULE_NAMES = frozenset(
    {
        *("__name__", "__file__", "__doc__", "__path__", "__spec__", "__package__", "__loader__", "__cached__"),
        *("__builtins__", "__annotations__", "__class__", "__dict__", "__module__", "__qualname__"),
    }
)
"""Names that Python itself binds in a module, a class or a method."""


class UnboundNames:
    """The names without a value, by frame; the names that a file binds are searched once."""

    def __init__(self) -> None:
        self._bound: dict[int, frozenset[str] | None] = {}

    def contains(self, name: str, frame: Frame) -> bool:
        """Return whether a name is deleted, or bound nowhere in its file and no name of Python."""
        scope = frame.redirected.get(name) or frame.scope.find(name)
        if scope is not None and name in scope.values:
            return scope.values[name] is DELETED
        tree = frame.module.tree
        if tree is None or hasattr(builtins, name) or name in _MODULE_NAMES:
            return False
        if id(tree) not in self._bound:
            self._bound[id(tree)] = _bound_names(tree)
        bound = self._bound[id(tree)]
        return bound is not None and name not in bound


def _bound_names(tree: ast.Module) -> frozenset[str] | None:
    """Return the names that a file binds anywhere; None if it may bind any name."""
    names: set[str] = set()
    for node in walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.alias):
            names.add(node.asname or node.name.partition(".")[0])
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            names.update(node.names)
        elif isinstance(node, ast.Call) and function_name(node.func) in _BINDING_CALLS:
            return None
        elif isinstance(node, ast.MatchMapping):
            names.add(node.rest or "")
        else:  # a function, a class, an exception, a part of a pattern, or a parameter of a type
            names.add(getattr(node, "name", None) or "")
    return None if "*" in names else frozenset(names)
