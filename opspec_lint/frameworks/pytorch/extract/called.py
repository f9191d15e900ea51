"""The functions that a call with the library may call, and the conditions in them under the arguments of the call."""

from __future__ import annotations

from itertools import combinations

from opspec_lint.cpp.call_arguments import CallArguments, may_change
from opspec_lint.cpp.lambdas import HIDING_PARAMETER
from opspec_lint.cpp.liveness import local_method_called
from opspec_lint.cpp.tokens import NAME, NUMBER, STRING, split_arguments
from opspec_lint.frameworks.pytorch.extract.callees import CONSTRUCTOR, LAMBDA, METHOD, OPERATOR, class_of
from opspec_lint.frameworks.pytorch.extract.definitions import (
    call_operators,
    definitions_of,
    lambda_at,
    library_functions,
)
from opspec_lint.kit.record import Record
from opspec_lint.spec.condition import ALWAYS, NEVER, assume, conjunction, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.frameworks.pytorch.extract.callees import Callee
    from opspec_lint.frameworks.pytorch.extract.cpp_source import CppSource, Span
    from opspec_lint.frameworks.pytorch.extract.definitions import Function
    from opspec_lint.spec.condition import Condition

_NUMBERS = frozenset({"bool", "char", "short", "int", "long", "unsigned", "float", "double", "int64_t", "size_t"})
_TEXTS = frozenset({"string", "string_view", "*"})
_BOOLS = ("true", "false")


class Call(Record):
    """A call of a function, with the condition under which it calls this one among functions of the same name."""

    function: Function
    condition: Condition
    arguments: CallArguments

    def inside(self, condition: Condition) -> Condition:
        """Return a condition in the function during this call."""
        texts = self.function.head_texts
        name = texts[texts.index("(") - 1] if "(" in texts[1:] else ""
        # The parameter that hides the library of the block is the library that the call hands on.
        held = (*local_method_called(name)[0], *((HIDING_PARAMETER,) if texts[0] == "[" else ()))
        return self.arguments.apply(assume(condition, held))


def called_functions(source: CppSource, callee: Callee) -> list[Call]:
    """Return the functions that a call may call: of several, a compiler selects one by their types."""
    given = source.arguments(callee.opening)
    functions = [function for function in _named(source, callee) if _takes(function, source, given)]
    if callee.template is not None and any(function.template_parameters for function in functions):
        functions = [function for function in functions if "template" in function.head_texts]
    functions = _specialized(functions, source, callee)
    shown = _shown(source, callee)
    exclusive = all(
        conjunction(_compiled(first), _compiled(second)) == NEVER for first, second in combinations(functions, 2)
    )
    return [
        _call(source, callee, function, ALWAYS if exclusive else _selected(function, shown), given)
        for function in functions
    ]


def possible_calls(source: CppSource, callee: Callee) -> list[Call]:
    """Return the functions of the file that a call of an unknown callee, such as a pointer, may call.

    They take a library, and no name calls them.
    """
    given = source.arguments(callee.opening)
    return [
        _call(source, callee, function, _selected(function, _shown(source, callee)), given)
        for function in library_functions(source)
        if _takes(function, source, given)
    ]


def _call(source: CppSource, callee: Callee, function: Function, selected: Condition, given: list[Span]) -> Call:
    """Return the call of a function under the condition that it is selected."""
    if any("weak" in text for text in function.head_texts):
        selected = conjunction(selected, requirement(f"no other file defines `{callee.name}`"))
    values = {**_values(function, source, given), **_template_values(function, source, callee)}
    arguments = CallArguments(shown=_shown(source, callee), values=values)
    return Call(function=function, condition=selected, arguments=arguments)


def _selected(function: Function, shown: str) -> Condition:
    """Return the condition that a call selects one of several functions."""
    return requirement(f"the call `{shown}` selects `{' '.join(function.head_texts)}`")


def _shown(source: CppSource, callee: Callee) -> str:
    """Return the text of a call."""
    end = source.tokens.closing(callee.opening) + 1
    return "".join(text for _, text, _ in source.tokens[callee.start : end])


def _named(source: CppSource, callee: Callee) -> list[Function]:
    """Return the functions that the callee of a call may be, by its name and class."""
    if callee.kind == LAMBDA:
        function = lambda_at(source, callee.lambda_at)
        return [] if function is None else [function]
    if callee.kind == OPERATOR:
        return _of_class(list(call_operators(source)), callee.name)
    functions = definitions_of(source, callee.name)
    members = [function for function in functions if function.owner]
    if callee.kind == METHOD:
        return _of_class(members, callee.owner)
    if callee.kind == CONSTRUCTOR:
        return [function for function in functions if function.owner == callee.name]
    if callee.owner:
        return _of_class(functions, callee.owner)
    others = [function for function in functions if not function.owner]
    return others or members or _of_object(source, callee)


def _of_class(functions: list[Function], owner: str) -> list[Function]:
    """Return the functions of a class, or all if the class has none: it may inherit, or be a namespace."""
    return [function for function in functions if owner and function.owner == owner] or functions


def _of_object(source: CppSource, callee: Callee) -> list[Function]:
    """Return the functions that the object of a name calls: its `operator()`, or its value."""
    name = callee.name
    values: list[Function] = []
    for at, (kind, text, _) in enumerate(source.tokens):
        if kind == NAME and text == name and source.sign_at(at + 1) in ("=", "{"):
            value = at + 2 + (source.sign_at(at + 2) == "&")
            if source.sign_at(value) == "[":
                function = lambda_at(source, value)
                values += [] if function is None else [function]
            elif source.sign_at(value + 1) in (";", "}", ","):
                values += definitions_of(source, source.tokens[value][1])
    owner = class_of(source, name, callee.start)
    return values or ([function for function in call_operators(source) if function.owner == owner] if owner else [])


def _specialized(functions: list[Function], source: CppSource, callee: Callee) -> list[Function]:
    """Return the functions without the specializations, or those alone, by the template arguments of a call."""
    if callee.template is None:
        return functions
    given = "".join(_texts(source, callee.template))
    special = [function for function in functions if function.specialized_for == given]
    return special or [function for function in functions if function.specialized_for is None]


def _template_values(function: Function, source: CppSource, callee: Callee) -> dict[str, Any]:
    """Return the values that the parameters of the template of a function have in a call, None for an unknown one."""
    names = [name for name in function.template_parameters if name]
    if callee.template is None or len(names) != len(function.template_parameters):
        return dict.fromkeys(names)
    parts = split_arguments(source.tokens, *callee.template)
    values = [_literal(_texts(source, part)) for part in parts]
    return dict.fromkeys(names) | dict(zip(names, values, strict=False))


def _compiled(function: Function) -> Condition:
    """Return the condition under which a function is compiled."""
    return function.source.conditions.at(function.source.tokens[function.head[1] - 1][2])[0]


def _takes(function: Function, source: CppSource, given: list[Span]) -> bool:
    """Return whether a function may take the arguments of a call, by their number and by literals among them."""
    parameters = [_texts(function.source, span) for span in function.parameters]
    if not sum("=" not in texts for texts in parameters) <= len(given) <= len(parameters):
        return False
    for texts, span in zip(parameters, given, strict=False):
        kinds = {kind for kind, _, _ in source.tokens[slice(*span)]}
        is_number = kinds == {NUMBER} or (span[1] - span[0] == 1 and source.tokens[span[0]][1] in _BOOLS)
        if (is_number and _TEXTS.intersection(texts)) or (
            kinds == {STRING} and _NUMBERS.intersection(texts) and not _TEXTS.intersection(texts)
        ):
            return False
    return True


def _values(function: Function, source: CppSource, given: list[Span]) -> dict[str, Any]:
    """Return the values that the parameters of a function have in a call, None for one that is not known."""
    values: dict[str, Any] = {}
    for number, span in enumerate(function.parameters):
        name = function.parameter_name(number)
        texts = _texts(function.source, span)
        argument = _texts(source, given[number]) if number < len(given) else texts[texts.index("=") + 1 :]
        if name and "Library" not in texts:
            values[name] = None if may_change(function.source.tokens, *function.body, name) else _literal(argument)
    return values


def _literal(texts: list[str]) -> bool | int | None:
    """Return the value of a literal of a bool or an integer, None for any other expression."""
    text = texts[0] if len(texts) == 1 else ""
    return text == "true" if text in _BOOLS else int(text) if text.isdecimal() else None


def _texts(source: CppSource, span: Span) -> list[str]:
    """Return the texts of the tokens in a span."""
    return [text for _, text, _ in source.tokens[slice(*span)]]
