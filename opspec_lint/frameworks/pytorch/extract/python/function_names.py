"""The meaning of the names in the signature of an evaluated function, from which its schema is inferred."""

from __future__ import annotations

import ast
import builtins

from opspec_lint.frameworks.pytorch.extract.python import inference
from opspec_lint.frameworks.pytorch.extract.python.state import Frame
from opspec_lint.frameworks.pytorch.extract.python.values import UNKNOWN, Annotation, Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.frameworks.pytorch.extract.python.expressions import Expressions
    from opspec_lint.frameworks.pytorch.extract.python.values import Function


class FunctionNames(inference.NameResolver):
    """The names in the signature of a function, as its file defines them."""

    def __init__(self, evaluator: Expressions, function: Function) -> None:
        self._evaluator = evaluator
        self._function = function
        self._frame = Frame(function.scope, function.module)

    def dotted_name(self, node: ast.expr) -> str:
        """Return the dotted name that an expression refers to, "" if it is no such name or nothing binds it."""
        if isinstance(node, ast.Name) and self._frame.scope.find(node.id) is None:
            has_all = self._frame.scope.find("*") is not None  # of a module outside the tree
            return node.id if has_all or hasattr(builtins, node.id) else ""
        return self._evaluator.path_of(node, self._frame)

    def expand_alias(self, node: ast.expr) -> ast.expr:
        """Return the annotation that a name is an alias of, or the expression itself."""
        if isinstance(node, ast.Name | ast.Attribute):
            value = self._evaluator.resolve(self._evaluator.evaluate(node, self._frame))
            if isinstance(value, Annotation) and value.scope is self._function.scope:
                return value.node
        return node

    def default_value(self, name: str) -> object:
        """Return the default value of a parameter: a constant, or a dotted name as `inference.Name`."""
        value = self._evaluator.resolve_deeply(self._function.defaults.get(name, UNKNOWN))
        return inference.Name(value.path) if isinstance(value, Unknown) else value
