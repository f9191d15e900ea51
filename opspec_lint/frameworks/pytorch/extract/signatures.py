"""The schema that PyTorch infers from the type of a C++ function: its arguments are `_0`, `_1` and so on.

See `infer_schema.h` of PyTorch.
"""

from __future__ import annotations

from opspec_lint.cpp.tokens import STRING, split_arguments
from opspec_lint.cpp.unresolved import UnresolvedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec_lint.cpp.tokens import Token, Tokens
    from opspec_lint.frameworks.pytorch.extract.cpp_source import CppSource, Span

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
_MAX_ALIASES = 8
"""Names of types that are defined by each other."""
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


def of_lambda(source: CppSource, span: Span) -> str | None:
    """Return the schema, without a name, of `[](Tensor x) -> Tensor {...}`, or of `[] { return f(); }`.

    Args:
        source: the file.
        span: the tokens of the lambda.

    Raises:
        UnresolvedError: a bracket is not closed.
    """
    tokens = source.tokens
    at, end = tokens.closing(span[0]) + 1, span[1]
    given: list[Span] = []
    if at < end and tokens[at][1] == "(":
        closed = tokens.closing(at)
        given, at = split_arguments(tokens, at + 1, closed), closed + 1
    body = next((index for index in range(at, end) if tokens[index][1] == "{"), end)
    if at < end and tokens[at][1] == "->":
        return _schema(source, (at + 1, body), given)
    start, end = body + 1, end - 1  # without the braces
    opening = next((index for index in range(start, end) if tokens[index][1] == "("), end)
    if opening == end or tokens[start][1] != "return" or tokens.closing(opening) < end - 2:
        return None
    function = function_of(tokens[start + 1 : opening])
    called = of_named(source, function) if function else None
    taken = _schema(source, (0, 0), given, returns="")
    return None if called is None or taken is None else taken + called.rpartition(" -> ")[2]


def of_named(source: CppSource, name: str) -> str | None:
    """Return the schema, without a name, of a function that this file declares, or another one of the tree."""
    own = _of_function(source, name)
    if own:
        return own
    others = (_of_function(file, name) for file in source.tree.naming(name, source.file))
    return next((schema for schema in others if schema), None)


def _of_function(source: CppSource, name: str) -> str | None:
    """Return the schema, without a name, of a function that a file declares or defines."""
    tokens = source.tokens
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
                schema = _schema(source, (_type_start(tokens, index), index), given)
                if schema is not None:
                    return schema
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


def _schema(source: CppSource, returned: Span, given: Sequence[Span], returns: str | None = None) -> str | None:
    """Return the schema for the tokens of the return type, or the text of the returns, and of each parameter."""
    tokens = source.tokens
    kinds = [_of_names(_without_name(tokens[slice(*parameter)]), source) for parameter in given]
    returned_kinds = _returns(_type_names(tokens[slice(*returned)]), source) if returns is None else []
    if None in kinds or returned_kinds is None:
        return None
    taken = ", ".join(f"{kind} _{place}" for place, kind in enumerate(kinds))
    if returns is None:
        listed = ", ".join(f"{kind} _{place}" for place, kind in enumerate(returned_kinds))
        returns = listed if len(returned_kinds) == 1 else f"({listed})"
    return f"({taken}) -> {returns}"


def _returns(words: list[str], source: CppSource) -> list[str] | None:
    """Return the types of the returns of a function; None where one is not known."""
    if words == ["void"]:
        return []
    is_tuple = words[:2] == ["tuple", "<"]
    parts = [_of_names(part, source) for part in _split(words[2:-1])] if is_tuple else [_of_names(words, source)]
    kinds = [kind for kind in parts if kind is not None]
    return kinds if len(kinds) == len(parts) else None


def _without_name(tokens: Sequence[Token]) -> list[str]:
    """Return the words of the type of a parameter, without its name and default value."""
    words = _type_names(tokens)
    if "=" in words:
        words = words[: words.index("=")]
    return words[:-1] if len(words) > 1 and words[-1].isidentifier() and words[-2] != "<" else words


def _type_names(tokens: Sequence[Token]) -> list[str]:
    """Return the words of a type that count; a macro such as `SCATTER_API` before it does not."""
    written = (word for _, text, _ in tokens for word in _COMPOUND.get(text, (text,)))
    words = [word for word in written if word not in _SAID]
    while len(words) > 1 and words[0].isupper() and words[1] != "<":
        words = words[1:]
    return words


def _of_names(words: list[str], source: CppSource, depth: int = 0) -> str | None:
    """Return the type of a schema for the words of a C++ type, None where there is none.

    Args:
        words: the words.
        source: the file that they are in; it and the rest of the tree define other names for types.
        depth: the number of names that led to these words.
    """
    if len(words) == 1:
        kind = _TYPES.get(words[0])
        if kind is not None or not words[0].isidentifier() or depth > _MAX_ALIASES:
            return kind
        alias = source.alias(words[0])
        return None if alias is None else _of_names(_type_names(alias), source, depth + 1)
    if len(words) < 4 or words[1] != "<" or words[-1] != ">":
        return None
    items = [_of_names(part, source, depth) for part in _split(words[2:-1])]
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
    parts: list[list[str]] = [[]]
    depth = 0
    for word in words:
        if word == "," and not depth:
            parts.append([])
            continue
        depth += (word == "<") - (word == ">")
        parts[-1].append(word)
    return parts
