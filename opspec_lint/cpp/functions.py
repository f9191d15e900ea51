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

_NO_CONVERSION = 99
_INTEGERS = pattern(r"(?:unsigned |signed )?(?:char|short|int|long)|bool")


def resolve_overload(functions: Sequence[Body], arguments: list[Any], names: NameResolver) -> Body:
    """Return the overload that a call with some arguments selects.

    Raises:
        UnresolvedError: no function takes the arguments, or several do.
    """
    viable = [body for body in _merge_declarations(functions) if _accepts_count(body, len(arguments))]
    if not viable:
        raise UnresolvedError(f"no function {functions[0].name} takes {len(arguments)} arguments")
    if len(viable) == 1:
        return viable[0]
    ranked = [(_conversion_ranks(body, arguments, names), body) for body in viable]
    ranked = [candidate for candidate in ranked if _NO_CONVERSION not in candidate[0]]
    # [over.match.best]: the best overload is for no argument worse than any other, and for one argument better.
    best = [
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


def _merge_declarations(functions: Sequence[Body]) -> list[Body]:
    """Return the distinct functions: of several declarations, the one with a body, with the defaults of all."""
    by_signature: dict[tuple[str, ...], Body] = {}
    # Sorted with the definition last, as it replaces declarations.
    for body in sorted(functions, key=lambda body: body.is_open):
        key = tuple(_normalise_type(parameter.type) for parameter in body.parameters)
        known = by_signature.get(key)
        parameters = tuple(map(_with_default, body.parameters, known.parameters)) if known else body.parameters
        by_signature[key] = body.replace(parameters=parameters)
    return list(by_signature.values())


def _with_default(parameter: TypedParameter, declared_before: TypedParameter) -> TypedParameter:
    """Return a parameter with the default value of an earlier declaration, unless it has one."""
    return parameter if parameter.default else parameter.replace(default=declared_before.default)


def bind_arguments(body: Body, arguments: list[Any], names: NameResolver, template: Sequence[str] = ()) -> Variables:
    """Return the variables of a function at its beginning: its parameters.

    An unknown argument is given as its `UnresolvedError`. `template` are the arguments of the template.

    Raises:
        UnresolvedError: an argument cannot be evaluated.
    """
    environment = Variables(names)
    environment.aliases |= dict(zip(body.template, template, strict=False))
    if len(arguments) > len(body.parameters):
        raise UnresolvedError(f"{body.name} takes {len(body.parameters)} arguments")
    for index, parameter in enumerate(body.parameters):
        if index < len(arguments):
            value = arguments[index]
        elif parameter.default:
            default_tokens = tokenize(parameter.default, 0, len(parameter.default))
            value = evaluate(default_tokens, 0, len(default_tokens), environment)
        else:
            raise UnresolvedError(f"{body.name} has no value for {parameter.name}")
        _bind_parameter(environment, parameter, value, body.template)
    return environment


def call_function(body: Body, environment: Variables, steps: StepLimit, effects: Effects) -> Any:
    """Execute a function, and return its result.

    Raises:
        UnresolvedError: the returned value cannot be evaluated.
    """
    if not body.is_open:
        raise UnresolvedError(f"the function {body.name} has no known body")
    kind = c_type(body.result, environment)
    body_tokens = tokenize(body.code.text, body.start, body.end)
    with steps.call():
        outcome = Statements(body_tokens, body.code, environment, steps, effects).run()
    if outcome is None or outcome.span is None:
        raise UnresolvedError(f"the function {body.name} returns nothing")
    return convert(outcome.value, kind)


def _bind_parameter(environment: Variables, parameter: TypedParameter, value: Any, template: tuple[str, ...]) -> None:
    """Declare a parameter with the value of its argument, converted to its type."""
    plain = _normalise_type(parameter.type)
    if isinstance(value, (This, UnresolvedError)):
        environment.declare(parameter.name, value, "auto")
        return
    is_const = re.search(r"\bconst\b", parameter.type) is not None
    if "&" in parameter.type and not is_const and "&&" not in parameter.type:
        raise UnresolvedError(f"the parameter {parameter.name} may be changed")
    if plain in template and plain not in environment.aliases:
        # The template parameter is deduced from the argument ([temp.deduct.call]).
        kind: CType | None = "auto"
        environment.aliases[plain] = kind_of(value) or ""
        if not environment.aliases[plain]:
            raise UnresolvedError(f"the type {plain} is not known")
    else:
        kind = c_type(parameter.type, environment)
    try:
        environment.declare(parameter.name, convert(value, kind), kind)
    except UnresolvedError as error:
        environment.declare(parameter.name, error, kind)


def _normalise_type(text: str) -> str:
    """Return a type without `const`, `std::`, `&` and blanks, in which declarations of one function agree."""
    return "".join(re.sub(r"\bconst\b|\bstd\s*::|&", " ", text).split())


def _accepts_count(body: Body, count: int) -> bool:
    """Return whether a function can be called with a number of arguments."""
    needed = sum(1 for parameter in body.parameters if not parameter.default)
    return needed <= count <= len(body.parameters) or any("..." in parameter.type for parameter in body.parameters)


def _conversion_ranks(body: Body, arguments: list[Any], names: NameResolver) -> list[int]:
    """Return the conversion rank of each argument: 0 for the exact type, `_NO_CONVERSION` if there is none."""
    if body.template or any("..." in parameter.type for parameter in body.parameters):
        raise UnresolvedError(f"the call of {body.name} is ambiguous")
    return [
        _conversion_rank(argument, c_type(parameter.type, names))
        for argument, parameter in zip(arguments, body.parameters, strict=False)
    ]


def _conversion_rank(value: Any, kind: CType | None) -> int:
    """Return the rank of the conversion of a value to a type: 0 exact, 1 promotion, 2 conversion, 3 constructor."""
    own = kind_of(value)
    is_list = type(value) is list and bool(value) and all(type(item) is str for item in value)
    if is_list and (isinstance(kind, tuple) or kind == "string"):
        return 0 if kind == ("vector", "string") else _NO_CONVERSION
    if isinstance(value, str) and kind == ("vector", "string"):
        return _NO_CONVERSION
    if kind is None or isinstance(value, (UnresolvedError, This, list, Null)) or isinstance(kind, tuple):
        raise UnresolvedError("an ambiguous overload")
    if own is not None:
        if kind not in NUMBERS:
            return _NO_CONVERSION
        if own == kind:
            return 0
        is_promotion = (_INTEGERS.fullmatch(own) and promote(own) == kind) or (own, kind) == ("float", "double")
        # A promotion is better than a conversion ([over.ics.rank]).
        return 1 if is_promotion else 2
    if isinstance(value, Chars):
        return {"chars": 0, "bool": 2, "string": 3}.get(str(kind), _NO_CONVERSION)
    return 0 if kind == "string" else _NO_CONVERSION
