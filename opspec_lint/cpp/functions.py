"""Calls of C++ functions: overload resolution, binding of arguments, and the returned value."""

from __future__ import annotations

import re

from opspec_lint.cpp.expressions import evaluate
from opspec_lint.cpp.numbers import NUMBERS, kind_of, promote
from opspec_lint.cpp.statements import Statements
from opspec_lint.cpp.tokens import tokenize
from opspec_lint.cpp.type_names import c_type
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.values import Chars, Null, This, convert
from opspec_lint.cpp.variables import Variables
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from opspec_lint.cpp.classes import Body, TypedParameter
    from opspec_lint.cpp.effects import Effects
    from opspec_lint.cpp.expressions import NameResolver
    from opspec_lint.cpp.steps import StepLimit
    from opspec_lint.cpp.type_names import CType

_FORBIDDEN = 99
_WHOLE = pattern(r"(?:unsigned |signed )?(?:char|short|int|long)|bool")


def resolve_overload(functions: Sequence[Body], arguments: list[Any], names: NameResolver) -> Body:
    """Return the overload that a call with some arguments selects.

    Raises:
        UnresolvedError: no function takes the arguments, or several do.
    """
    viable = [body for body in _distinct(functions) if _takes(body, len(arguments))]
    if not viable:
        raise UnresolvedError(f"no function {functions[0].name} takes {len(arguments)} arguments")
    if len(viable) == 1:
        return viable[0]
    ranked = [(_costs(body, arguments, names), body) for body in viable]
    ranked = [candidate for candidate in ranked if _FORBIDDEN not in candidate[0]]
    best = [  # [over.match.best]: no argument costs more than with any other, and one costs less
        body
        for costs, body in ranked
        if all(
            rival is body or (all(a <= b for a, b in zip(costs, more, strict=True)) and costs != more)
            for more, rival in ranked
        )
    ]
    if len(best) != 1:
        raise UnresolvedError(f"the call of {functions[0].name} is ambiguous")
    return best[0]


def _distinct(functions: Sequence[Body]) -> list[Body]:
    """Return the distinct functions: of several declarations, the one with a body, with the defaults of all."""
    by_signature: dict[tuple[str, ...], Body] = {}
    for body in sorted(functions, key=lambda body: body.is_open):  # the definition last: it replaces declarations
        key = tuple(_normal(parameter.type) for parameter in body.parameters)
        known = by_signature.get(key)
        parameters = tuple(map(_completed, body.parameters, known.parameters)) if known else body.parameters
        by_signature[key] = body.replace(parameters=parameters)
    return list(by_signature.values())


def _completed(parameter: TypedParameter, declared_before: TypedParameter) -> TypedParameter:
    return parameter if parameter.default else parameter.replace(default=declared_before.default)


def bind_arguments(body: Body, arguments: list[Any], names: NameResolver, template: Sequence[str] = ()) -> Variables:
    """Return the variables of a function when it is entered: its parameters.

    Args:
        body: the function.
        arguments: the values of its arguments; an `UnresolvedError` for an unknown one.
        names: the meaning of names in it.
        template: the arguments of its template.

    Raises:
        UnresolvedError: an argument cannot be evaluated.
    """
    here = Variables(names)
    here.aliases |= dict(zip(body.template, template, strict=False))
    if len(arguments) > len(body.parameters):
        raise UnresolvedError(f"{body.name} takes {len(body.parameters)} arguments")
    for index, parameter in enumerate(body.parameters):
        if index < len(arguments):
            value = arguments[index]
        elif parameter.default:
            default_tokens = tokenize(parameter.default, 0, len(parameter.default))
            value = evaluate(default_tokens, 0, len(default_tokens), here)
        else:
            raise UnresolvedError(f"{body.name} has no value for {parameter.name}")
        _bind(here, parameter, value, body.template)
    return here


def call_function(body: Body, here: Variables, steps: StepLimit, effects: Effects) -> Any:
    """Execute a function, and return its result.

    Raises:
        UnresolvedError: the returned value cannot be evaluated.
    """
    if not body.is_open:
        raise UnresolvedError(f"the function {body.name} has no known body")
    kind = c_type(body.result, here)
    body_tokens = tokenize(body.code.text, body.start, body.end)
    with steps.call():
        outcome = Statements(body_tokens, body.code, here, steps, effects).run()
    if outcome is None or outcome.span is None:
        raise UnresolvedError(f"the function {body.name} returns nothing")
    return convert(outcome.value, kind)


def _bind(here: Variables, parameter: TypedParameter, value: Any, template: tuple[str, ...]) -> None:
    plain = _normal(parameter.type)
    if isinstance(value, (This, UnresolvedError)):
        here.declare(parameter.name, value, "auto")
        return
    is_const = re.search(r"\bconst\b", parameter.type) is not None
    if "&" in parameter.type and not is_const and "&&" not in parameter.type:
        raise UnresolvedError(f"the parameter {parameter.name} may be changed")
    if plain in template and plain not in here.aliases:
        kind: CType | None = "auto"  # the template parameter is deduced from the argument
        here.aliases[plain] = kind_of(value) or ""
        if not here.aliases[plain]:
            raise UnresolvedError(f"the type {plain} is not known")
    else:
        kind = c_type(parameter.type, here)
    try:
        here.declare(parameter.name, convert(value, kind), kind)
    except UnresolvedError as error:
        here.declare(parameter.name, error, kind)


def _normal(text: str) -> str:
    return "".join(re.sub(r"\bconst\b|\bstd\s*::|&", " ", text).split())


def _takes(body: Body, count: int) -> bool:
    needed = sum(1 for parameter in body.parameters if not parameter.default)
    return needed <= count <= len(body.parameters) or any("..." in parameter.type for parameter in body.parameters)


def _costs(body: Body, arguments: list[Any], names: NameResolver) -> list[int]:
    """Return the conversion rank of each argument: 0 for the type of the parameter, `_FORBIDDEN` for none."""
    if body.template or any("..." in parameter.type for parameter in body.parameters):
        raise UnresolvedError(f"the call of {body.name} is ambiguous")
    return [
        _cost(argument, c_type(parameter.type, names))
        for argument, parameter in zip(arguments, body.parameters, strict=False)
    ]


def _cost(value: Any, kind: CType | None) -> int:
    own = kind_of(value)
    is_list = type(value) is list and bool(value) and all(type(item) is str for item in value)
    if is_list and (isinstance(kind, tuple) or kind == "string"):
        return 0 if kind == ("vector", "string") else _FORBIDDEN
    if isinstance(value, str) and kind == ("vector", "string"):
        return _FORBIDDEN
    if kind is None or isinstance(value, (UnresolvedError, This, list, Null)) or isinstance(kind, tuple):
        raise UnresolvedError("an ambiguous overload")
    if own is not None:
        if kind not in NUMBERS:
            return _FORBIDDEN
        if own == kind:
            return 0
        is_promotion = (_WHOLE.fullmatch(own) and promote(own) == kind) or (own, kind) == ("float", "double")
        return 1 if is_promotion else 2  # a promotion is better than a conversion ([over.ics.rank])
    if isinstance(value, Chars):
        return {"chars": 0, "bool": 2, "string": 3}.get(str(kind), _FORBIDDEN)
    return 0 if kind == "string" else _FORBIDDEN
