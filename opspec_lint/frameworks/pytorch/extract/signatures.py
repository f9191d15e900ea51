"""The schema that PyTorch infers from the type of a C++ function: its arguments are `_0`, `_1` and so on.

See `infer_schema.h` of PyTorch.
"""

from __future__ import annotations

from opspec_lint.cpp.tokens import STRING, split_arguments
from opspec_lint.cpp.unresolved import UnresolvedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opspec_lint.cpp.tokens import Token, Tokens

    Span = tuple[int, int]
    """The indices of the first token of a part, and of the one behind it."""

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
_SAID = ("const", "&", "&&", "static", "inline", "std", "at", "torch", "c10", "::", "typename", "extern", "virtual")
"""What does not change the type in a schema."""
_COMPOUND = {">=": (">", "="), "&=": ("&", "=")}
"""Signs that join the end of a type with the `=` before a default value."""
_ENDS = (";", "{", "}")
_BREAKS = (")", ":", "return", "=", "(", ",")
"""What stands before a type, unless it is in the arguments of a template."""
_WRAPPERS = ("TORCH_FN", "TORCH_BOX", "TORCH_FN_TYPE")


def function_of(argument: Sequence[Token]) -> str | None:
    """Return the name of the function that an argument such as `&f` or `TORCH_FN(ns::f)` names, None for none."""
    words = [text for _, text, _ in argument if text not in ("&", "::", *_WRAPPERS, "(", ")")]
    signs = {"&", "::", "(", ")"}
    is_name = words and all(text in signs or text.isidentifier() for _, text, _ in argument)
    return words[-1] if is_name else None


def of_lambda(tokens: Tokens, span: Span, declared: Callable[[str], str | None]) -> str | None:
    """Return the schema, without a name, of `[](Tensor x) -> Tensor {...}`, or of `[] { return f(); }`.

    Args:
        tokens: the tokens of the file.
        span: those of the lambda.
        declared: returns the schema of a function, None for an unknown one.

    Raises:
        UnresolvedError: a bracket is not closed.
    """
    at, end = tokens.closing(span[0]) + 1, span[1]
    given: list[Span] = []
    if at < end and tokens[at][1] == "(":
        closed = tokens.closing(at)
        given, at = split_arguments(tokens, at + 1, closed), closed + 1
    body = next((index for index in range(at, end) if tokens[index][1] == "{"), end)
    if at < end and tokens[at][1] == "->":
        return _schema(tokens, (at + 1, body), given)
    start, end = body + 1, end - 1  # without the braces
    opening = next((index for index in range(start, end) if tokens[index][1] == "("), end)
    if opening == end or tokens[start][1] != "return" or tokens.closing(opening) < end - 2:
        return None
    function = function_of(tokens[start + 1 : opening])
    found = declared(function) if function else None
    taken = _schema(tokens, (0, 0), given, returns="")
    return None if found is None or taken is None else taken + found.rpartition(" -> ")[2]


def of_function(tokens: Tokens, name: str) -> str | None:
    """Return the schema, without a name, of a function that is declared or defined among tokens."""
    for index in range(1, len(tokens) - 1):
        if tokens[index][1] != name or tokens[index + 1][1] != "(":
            continue
        try:
            closed = tokens.closing(index + 1)
            end = closed + 1
            while end < len(tokens) and tokens[end][1] in ("noexcept", "const", "override"):
                end += 1
            if end < len(tokens) and tokens[end][1] in ("{", ";"):
                given = split_arguments(tokens, index + 2, closed)
                found = _schema(tokens, (_type_start(tokens, index), index), given)
                if found is not None:
                    return found
        except UnresolvedError:
            continue  # a bracket is not closed
    return None


def _type_start(tokens: Tokens, end: int) -> int:
    """Return the index of the first token of the type that stands before a name."""
    start = end
    depth = 0
    while start > 0:
        kind, text, _ = tokens[start - 1]
        depth += (text == ">") - (text == "<")
        if kind == STRING or text in _ENDS or (text in _BREAKS and depth <= 0):
            break
        start -= 1
    return start


def _schema(tokens: Tokens, returned: Span, given: Sequence[Span], returns: str | None = None) -> str | None:
    """Return the schema for the tokens of the return type, or the text of the returns, and of each parameter."""
    kinds = [_of_words(_without_name(tokens[slice(*parameter)])) for parameter in given]
    found = _returns(_type_words(tokens[slice(*returned)])) if returns is None else []
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
    written = (word for _, text, _ in tokens for word in _COMPOUND.get(text, (text,)))
    words = [word for word in written if word not in _SAID]
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
