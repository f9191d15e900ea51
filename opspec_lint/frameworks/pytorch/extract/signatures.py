"""The schema that PyTorch infers from the type of a C++ function: its arguments are `_0`, `_1` and so on.

See `infer_schema.h` of PyTorch.
"""

from __future__ import annotations

from opspec_lint.frameworks.pytorch.extract.tokens import arguments, closing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opspec_lint.frameworks.pytorch.extract.tokens import Token

_TYPES = {
    "int64_t": "int",
    "double": "float",
    "string": "str",
    "string_view": "str",
    "IntArrayRef": "int[]",
    "SymIntArrayRef": "SymInt[]",
    "TensorList": "Tensor[]",
    **{name: name for name in ("Tensor", "bool", "Scalar", "ScalarType", "Layout", "MemoryFormat", "Device")},
    **{name: name for name in ("Generator", "SymInt", "Storage", "Stream")},
}
_LISTS = ("vector", "List", "ArrayRef", "array", "IListRef")
_DICTS = ("Dict", "unordered_map")
_SAID = ("const", "&", "static", "inline", "std", "at", "torch", "c10", "::", "typename", "extern", "virtual")
"""What does not change the type in a schema."""
_WRAPPERS = ("TORCH_FN", "TORCH_BOX", "TORCH_FN_TYPE")


def function_of(argument: Sequence[Token]) -> str | None:
    """Return the name of the function that an argument such as `&f` or `TORCH_FN(ns::f)` names, None for none."""
    words = [each.text for each in argument if each.text not in ("&", "::", *_WRAPPERS, "(", ")")]
    signs = {"&", "::", "(", ")"}
    is_name = words and all(each.text in signs or each.text.isidentifier() for each in argument)
    return words[-1] if is_name else None


def of_lambda(argument: Sequence[Token], declared: Callable[[str], str | None]) -> str | None:
    """Return the schema, without a name, of `[](Tensor x) -> Tensor {...}`, or of `[] { return f(); }`.

    Args:
        argument: the tokens of the lambda.
        declared: returns the schema of a function, None for an unknown one.
    """
    at = closing(argument, 0) + 1
    given: list[list[Token]] = []
    if argument[at : at + 1] and argument[at].text == "(":
        given, at = arguments(argument, at), closing(argument, at) + 1
    body = next((place for place in range(at, len(argument)) if argument[place].text == "{"), len(argument))
    if argument[at : at + 1] and argument[at].text == "->":
        return _schema(argument[at + 1 : body], given)
    statement = argument[body + 1 : -1]
    ends = [place for place, each in enumerate(statement) if each.text == "("]
    if not ends or statement[0].text != "return" or closing(statement, ends[0]) < len(statement) - 2:
        return None
    function = function_of(statement[1 : ends[0]])
    found = declared(function) if function else None
    taken = _schema([], given, returns="")
    return None if found is None or taken is None else taken + found.rpartition(" -> ")[2]


def of_function(every: Sequence[Token], name: str) -> str | None:
    """Return the schema, without a name, of a function that is declared or defined among tokens."""
    for place, each in enumerate(every[1:-1], 1):
        if each.text != name or each.is_string or every[place + 1].text != "(":
            continue
        end = closing(every, place + 1) + 1
        while end < len(every) and every[end].text in ("noexcept", "const", "override"):
            end += 1
        if end < len(every) and every[end].text in ("{", ";"):
            found = _schema(_before(every, place), arguments(every, place + 1))
            if found is not None:
                return found
    return None


def _before(every: Sequence[Token], place: int) -> list[Token]:
    """Return the tokens of the type that stands before a name."""
    begin = place
    depth = 0
    while begin > 0:
        sign = every[begin - 1].text
        depth += (sign == ">") - (sign == "<")
        if every[begin - 1].is_string or (sign in (";", "{", "}", ")", ":", "return", "=", "(", ",") and depth <= 0):
            break
        begin -= 1
    return list(every[begin:place])


def _schema(returned: Sequence[Token], given: Sequence[Sequence[Token]], returns: str | None = None) -> str | None:
    """Return the schema for the tokens of the return type, or the text of the returns, and of each parameter."""
    kinds = [_of_words(_without_name(each)) for each in given]
    found = _returns(_type_words(returned)) if returns is None else []
    if None in kinds or found is None:
        return None
    taken = ", ".join(f"{kind} _{place}" for place, kind in enumerate(kinds))
    if returns is None:
        listed = ", ".join(f"{kind} _{place}" for place, kind in enumerate(found))
        returns = listed if len(found) == 1 else f"({listed})"
    return f"({taken}) -> {returns}"


def _returns(words: list[str]) -> list[str] | None:
    """Return the types of the returns of a function; None where one is not known."""
    if words == ["void"]:
        return []
    found = [_of_words(each) for each in _split(words[2:-1])] if words[:2] == ["tuple", "<"] else [_of_words(words)]
    kinds = [each for each in found if each is not None]
    return kinds if len(kinds) == len(found) else None


def _without_name(tokens: Sequence[Token]) -> list[str]:
    """Return the words of the type of a parameter, without its name and default value."""
    words = _type_words(tokens)
    if "=" in words:
        words = words[: words.index("=")]
    return words[:-1] if len(words) > 1 and words[-1].isidentifier() and words[-2] != "<" else words


def _type_words(tokens: Sequence[Token]) -> list[str]:
    """Return the words of a type that count; a macro such as `SCATTER_API` before it does not."""
    words = [each.text for each in tokens if each.text not in _SAID]
    while len(words) > 1 and words[0].isupper() and words[1] != "<":
        words = words[1:]
    return words


def _of_words(words: list[str]) -> str | None:
    """Return the type of a schema for the words of a C++ type, None where there is none."""
    if len(words) == 1:
        return _TYPES.get(words[0])
    if len(words) < 4 or words[1] != "<" or words[-1] != ">":
        return None
    items = [_of_words(each) for each in _split(words[2:-1])]
    if words[0] == "array":
        items = items[:1]
    if None in items or not items:
        return None
    if words[0] in _LISTS and len(items) == 1:
        return f"{items[0]}[]"
    if words[0] == "OptionalArrayRef":
        return f"{items[0]}[]?"
    if words[0] == "optional":
        return f"{items[0]}?"
    inside = ", ".join(map(str, items))
    return f"Dict({inside})" if words[0] in _DICTS else f"({inside})" if words[0] == "tuple" else None


def _split(words: Sequence[str]) -> list[list[str]]:
    """Return the texts between the commas of template arguments."""
    found: list[list[str]] = [[]]
    depth = 0
    for word in words:
        if word == "," and not depth:
            found.append([])
            continue
        depth += (word == "<") - (word == ">")
        found[-1].append(word)
    return found
