"""The operators of Python, applied to evaluated values: an unknown operand makes the result unknown."""

from __future__ import annotations

import ast
import operator
from functools import partial

from opspec_lint.frameworks.pytorch.extract.python.resolver import Resolver
from opspec_lint.frameworks.pytorch.extract.python.values import (
    CONTAINER,
    PRIMITIVE,
    UNKNOWN,
    Annotation,
    Choice,
    Instance,
    Method,
    Package,
    Unknown,
    is_known,
    is_same,
)
from opspec_lint.kit.guarded import MAX_SIZE, apply_function
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, disjunction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from opspec_lint.spec.condition import Condition


def _multiply(left: Any, right: Any) -> Any:
    """Return a product. Raises OverflowError for a text or list that is repeated too often."""
    repeated, times = (right, left) if isinstance(left, int) else (left, right)
    if isinstance(repeated, str | bytes | list | tuple) and len(repeated) * times > MAX_SIZE:
        raise OverflowError
    return left * right


_BINARY: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Mod: operator.mod,
    ast.Sub: operator.sub,
    ast.Mult: _multiply,
    ast.FloorDiv: operator.floordiv,
    ast.Div: operator.truediv,
}
_COMPARE: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda item, container: item in container,
    ast.NotIn: lambda item, container: item not in container,
}
# False whenever the code is run: `if TYPE_CHECKING:` defines no op.
_FALSE_NAMES = ("typing.TYPE_CHECKING", "typing_extensions.TYPE_CHECKING")


class Operators(Resolver):
    """The evaluation of operators, comparisons and truth values."""

    def truth_condition(self, value: object, text: Callable[[], str]) -> Condition:
        """Return the condition under which a value is true; `text` returns the source text of an unknown one."""
        value = self.resolve(value)
        if isinstance(value, Choice):
            return disjunction(
                conjunction(condition, self.truth_condition(element, text)) for condition, element in value.alternatives
            )
        if isinstance(value, Unknown):
            return NEVER if value.path in _FALSE_NAMES else self.condition_for(text())
        if isinstance(value, Method | Annotation | Instance | Package):
            return self.condition_for(text()) if isinstance(value, Instance) else ALWAYS
        return ALWAYS if not isinstance(value, (*PRIMITIVE, *CONTAINER)) or value else NEVER

    def apply_operator(self, sign: ast.operator, left: object, right: object) -> object:
        """Return the result of a binary operator."""
        return self.apply(_BINARY.get(type(sign)), self.resolve_deeply(left), self.resolve_deeply(right))

    def apply(self, function: Callable[..., Any] | None, *operands: object) -> object:
        """Return the result of a function of Python for known operands, for each alternative of a choice."""
        if function is None:
            return UNKNOWN
        for place, operand in enumerate(operands):
            if isinstance(operand, Choice):
                return self.map_alternatives(operand, partial(self._apply_with_operand, function, operands, place))
        if not all(map(is_known, operands)):
            return UNKNOWN
        result = apply_function(function, operands, {}, UNKNOWN)
        return result if isinstance(result, (*PRIMITIVE, *CONTAINER)) else UNKNOWN

    def _apply_with_operand(
        self, function: Callable[..., Any], operands: Sequence[object], place: int, value: object
    ) -> object:
        """Return the result of a function of Python after the operand at a place is replaced by a value."""
        return self.apply(function, *operands[:place], self.resolve_deeply(value), *operands[place + 1 :])

    def compare_values(self, sign: ast.cmpop, left: object, right: object) -> object:
        """Return the result of a comparison such as `left < right`, `left is right` or `left in right`."""
        if isinstance(sign, ast.Is | ast.IsNot):
            for value, opposite in ((left, right), (right, left)):
                if isinstance(value, Choice):
                    return self.map_alternatives(value, lambda element: self.compare_values(sign, element, opposite))  # noqa: B023 - called now
                if isinstance(value, Unknown) and value.path == "torch" and opposite is None:
                    return isinstance(sign, ast.IsNot)
            if isinstance(left, Unknown | Annotation) or isinstance(right, Unknown | Annotation):
                return UNKNOWN
            return is_same(left, right) == isinstance(sign, ast.Is)
        if isinstance(right, Unknown) and right.path == "torch.library._defs" and not isinstance(left, Choice):
            # PyTorch's registry of ops: `if NAME not in torch.library._defs: define(NAME)` defines a new op.
            return isinstance(sign, ast.NotIn)
        return self.apply(_COMPARE.get(type(sign)), left, right)
