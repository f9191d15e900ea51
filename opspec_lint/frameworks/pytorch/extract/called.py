"""The functions that a call with the library may call, and the conditions in them under the arguments of the call."""

from __future__ import annotations

from itertools import combinations

from opspec_lint.cpp.call_arguments import CallArguments, may_change
from opspec_lint.cpp.tokens import NUMBER, STRING
from opspec_lint.kit.record import Record
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.frameworks.pytorch.extract.cpp_source import CppSource, Function, Span
    from opspec_lint.spec.condition import Condition

_NUMBERS = frozenset({"bool", "char", "short", "int", "long", "unsigned", "float", "double", "int64_t", "size_t"})
_TEXTS = frozenset({"string", "string_view", "*"})
_BOOLS = ("true", "false")


class Call(Record):
    """A call of a function, with the condition under which it calls this one among functions of the same name."""

    function: Function
    condition: Condition
    arguments: CallArguments


def called_functions(source: CppSource, index: int) -> list[Call]:
    """Return the functions that the call at a token may call: of several, a compiler selects one by their types."""
    name, given = source.tokens[index][1], source.arguments(index + 1)
    functions = [function for function in source.functions(name) if _takes(function, source, given)]
    shown = "".join(text for _, text, _ in source.tokens[index : source.tokens.closing(index + 1) + 1])
    exclusive = all(
        conjunction(_compiled(first), _compiled(second)) == NEVER for first, second in combinations(functions, 2)
    )
    calls: list[Call] = []
    for function in functions:
        head = [text for _, text, _ in function.source.tokens[slice(*function.head)]]
        selected = ALWAYS if exclusive else requirement(f"the call `{shown}` selects `{' '.join(head)}`")
        if any("weak" in text for text in head):
            selected = conjunction(selected, requirement(f"no other file defines `{name}`"))
        arguments = CallArguments(shown=shown, values=_values(function, source, given))
        calls.append(Call(function=function, condition=selected, arguments=arguments))
    return calls


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
