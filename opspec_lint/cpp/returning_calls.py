"""The conditions under which calls of the functions of a C++ file return, instead of throwing or ending the process.

`ending_functions` has the functions that never return; these here depend on their arguments.
"""

from __future__ import annotations

from opspec_lint.cpp.call_arguments import CallArguments, may_change
from opspec_lint.cpp.classes import defined_functions
from opspec_lint.cpp.expressions import evaluate
from opspec_lint.cpp.file_names import FileNames
from opspec_lint.cpp.limits import MAX_DEPTH
from opspec_lint.cpp.reach import Reach
from opspec_lint.cpp.straight import ENDING_KEYWORDS
from opspec_lint.cpp.tokens import tokenize
from opspec_lint.cpp.unresolved import UnresolvedError, attempt
from opspec_lint.cpp.variables import Variables
from opspec_lint.kit.record import Record
from opspec_lint.spec.condition import ALWAYS, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from typing import Any

    from opspec_lint.cpp.classes import Body
    from opspec_lint.cpp.endings import ControlFlowNames
    from opspec_lint.cpp.preprocessed import Code
    from opspec_lint.spec.condition import Condition


class _Function(Record):
    """A function: the condition under which it returns, and its parameters.

    `defaults` are the values of arguments that a call omits, None for an unknown one, and `changed` the parameters that
    the function may change.
    """

    body: Body
    returns: Condition
    defaults: Sequence[Any] = ()
    changed: Collection[str] = ()


class ReturningCalls:
    """The calls of the functions of a file.

    Args:
        code: the file.
        outside: returns the condition of the preprocessor at an offset.
        names: the functions and macros of the file that decide where control goes.
    """

    def __init__(self, code: Code, outside: Callable[[int], Condition], names: ControlFlowNames) -> None:
        self._code = code
        self._outside = outside
        self.control_names = names._replace(returning=self)
        self._may_end = bool(names.leaving) or any(keyword in code.bare for keyword in ENDING_KEYWORDS)
        self._functions: dict[str, list[_Function]] = {}
        self._depth = 0

    def condition(self, name: str, arguments: Sequence[Any], shown: str) -> Condition:
        """Return the condition under which a call returns; `arguments` are its values, None for an unknown one."""
        if not self._may_end:
            return ALWAYS
        callable_with = [function for function in self._named(name) if _accepts(function.body, len(arguments))]
        conditions = {_returns(function, arguments, shown) for function in callable_with}
        if len(conditions) > 1:  # overloads, of which the types of the arguments select one
            return requirement(f"`{shown}` returns")
        return next(iter(conditions), ALWAYS)

    def may_leave(self, name: str) -> bool:
        """Return whether any call of a function may not return."""
        return self._may_end and any(function.returns != ALWAYS for function in self._named(name))

    def _named(self, name: str) -> list[_Function]:
        """Return the functions of a name; none while they are followed, as for a function that calls itself."""
        if name not in self._functions:
            self._functions[name] = []
            if self._depth < MAX_DEPTH:
                self._depth += 1
                self._functions[name] = attempt(lambda: self._follow(name))
                self._depth -= 1
        return self._functions[name]

    def _follow(self, name: str) -> list[_Function]:
        """Return the functions of a name, with the conditions under which they return."""
        return [self._function(body) for body in defined_functions(self._code, name)]

    def _function(self, body: Body) -> _Function:
        """Return a function with the condition under which it returns."""
        try:
            reach = Reach(self._code, body.start, body.end, self._outside, control_names=self.control_names)
        except UnresolvedError:
            return _Function(body=body, returns=requirement(f"`{body.name}` returns"))
        if reach.returns == ALWAYS:
            return _Function(body=body, returns=ALWAYS)
        tokens = tokenize(self._code.text, body.start, body.end)
        names = [parameter.name for parameter in body.parameters if parameter.name]
        return _Function(
            body=body,
            returns=reach.returns,
            defaults=[self._value(parameter.default) for parameter in body.parameters],
            changed=[name for name in names if may_change(tokens, 0, len(tokens), name)],
        )

    def _value(self, text: str) -> Any:
        """Return the value of a constant expression, None if it is unknown."""
        try:
            tokens = tokenize(text, 0, len(text))
            return attempt(lambda: evaluate(tokens, 0, len(tokens), Variables(FileNames(self._code))))
        except UnresolvedError:
            return None


def _accepts(body: Body, count: int) -> bool:
    """Return whether a function may be called with a number of arguments."""
    least = sum(1 for parameter in body.parameters if not parameter.default)
    return least <= count <= len(body.parameters) or any("..." in parameter.type for parameter in body.parameters)


def _returns(function: _Function, arguments: Sequence[Any], shown: str) -> Condition:
    """Return the condition under which a function returns, with the arguments of a call."""
    if function.returns == ALWAYS:
        return ALWAYS
    given = [*arguments, *function.defaults[len(arguments) :]]
    values = {
        parameter.name: None if parameter.name in function.changed else value
        for parameter, value in zip(function.body.parameters, given, strict=False)
    }
    return CallArguments(shown=shown, values=values).apply(function.returns)
