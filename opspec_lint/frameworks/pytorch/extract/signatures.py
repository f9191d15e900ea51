"""The schema that PyTorch infers from the type of a C++ function, such as `(Tensor _0, int _1) -> Tensor`.

See `infer_schema.h` of PyTorch. The type is read from tokens: qualifiers and macros are dropped, names that `using`
defines are followed, and the rest is translated.
"""

from __future__ import annotations

from itertools import compress, zip_longest

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
"""Names of types that lead from one to the next by `using`."""
_LISTS = ("vector", "List", "ArrayRef", "array", "IListRef")
_DICTS = ("Dict", "unordered_map")
_IGNORED_TOKENS = (
    "const",
    "&",
    "&&",
    "static",
    "inline",
    "typename",
    "extern",
    "virtual",
)
"""Tokens of a type that do not change its type in a schema."""
_COMPOUND = {">=": (">", "="), "&=": ("&", "=")}
"""Tokens that consist of the end of a type and the `=` before a default value: `vector<int>=`."""
_ENDS = (";", "{", "}")
_BREAKS = (")", ":", "return", "=", "(", ",")
"""Tokens that precede a type, unless they are in the arguments of a template."""
_WRAPPERS = ("TORCH_FN", "TORCH_BOX", "TORCH_FN_TYPE")


def function_name(argument: Sequence[Token]) -> str | None:
    """Return the function that an argument such as `&f` or `TORCH_FN(ns::f)` names, None for any other argument."""
    signs = {"&", "::", "(", ")"}
    names = [text for _, text, _ in argument if text not in (*signs, *_WRAPPERS)]
    is_expression = any(text not in signs and not text.isidentifier() for _, text, _ in argument)
    return names[-1] if names and not is_expression else None


def lambda_schema(source: CppSource, span: Span) -> str | None:
    """Return the schema, without a name, of `[](Tensor x) -> Tensor {...}`, or of `[] { return f(); }`; else None.

    Raises:
        UnresolvedError: a bracket is not closed.
    """
    tokens = source.tokens
    start, end = span
    behind_parameters = tokens.closing(start) + 1  # behind the brackets of the captures, if there are no parameters
    parameters: list[Span] = []
    if behind_parameters < end and tokens[behind_parameters][1] == "(":
        closed = tokens.closing(behind_parameters)
        parameters, behind_parameters = split_arguments(tokens, behind_parameters + 1, closed), closed + 1
    brace = next((index for index in range(behind_parameters, end) if tokens[index][1] == "{"), end)
    if behind_parameters < end and tokens[behind_parameters][1] == "->":
        return _schema(source, (behind_parameters + 1, brace), parameters)
    # Without a return type, only the function that the body calls tells what the lambda returns.
    called = _returned_call_schema(source, (brace + 1, end - 1))
    if called is None:
        return None
    _, _, returns = called.rpartition(" -> ")
    return _schema(source, (0, 0), parameters, returns=returns)


def _returned_call_schema(source: CppSource, body: Span) -> str | None:
    """Return the schema of `f` in a body that is only `return f(...);`, None for any other body."""
    tokens = source.tokens
    start, end = body
    opening = next((index for index in range(start, end) if tokens[index][1] == "("), end)
    if opening == end or tokens[start][1] != "return" or tokens.closing(opening) < end - 2:
        return None
    function = function_name(tokens[start + 1 : opening])
    return function_schema(source, function) if function else None


def function_schema(source: CppSource, name: str) -> str | None:
    """Return the schema, without a name, of a function that this file declares, or another file of the tree."""
    own = _schema_in_file(source, name)
    if own:
        return own
    others = (_schema_in_file(file, name) for file in source.tree.files_naming(name, source.file))
    return next((schema for schema in others if schema), None)


def _schema_in_file(source: CppSource, name: str) -> str | None:
    """Return the schema, without a name, of a function that a file declares, None if its type is not known."""
    tokens = source.tokens
    for index in range(1, len(tokens) - 1):
        if tokens[index][1] != name or tokens[index + 1][1] != "(":
            continue
        try:
            closed = tokens.closing(index + 1)
            end = closed + 1
            while end < len(tokens) and tokens[end][1] in ("noexcept", "const", "override"):
                end += 1
            returned = _type_start(tokens, index), index
            if end < len(tokens) and tokens[end][1] == "->":
                last = next((place for place in range(end, len(tokens)) if tokens[place][1] in ("{", ";")), end)
                returned, end = (end + 1, last), last
            if end < len(tokens) and tokens[end][1] in ("{", ";"):
                schema = _schema(source, returned, split_arguments(tokens, index + 2, closed))
                if schema is not None:
                    return schema
        except UnresolvedError:
            continue  # a bracket is not closed
    return None


def _type_start(tokens: Tokens, end: int) -> int:
    """Return the index of the first token of the type before a name."""
    start = end
    depth = 0
    while start > 0:
        kind, text, _ = tokens[start - 1]
        depth += (text == ">") - (text == "<")
        if kind == STRING or text in _ENDS or (text in _BREAKS and depth <= 0):
            break
        start -= 1
    return start


def _schema(source: CppSource, returned: Span, parameters: Sequence[Span], returns: str | None = None) -> str | None:
    """Return the schema by the tokens of the return type, or the text `returns` in its place, and of each parameter."""
    tokens = source.tokens
    kinds = [_schema_type(_parameter_type(tokens[slice(*parameter)]), source) for parameter in parameters]
    returned_kinds = _return_types(_type_tokens(tokens[slice(*returned)]), source) if returns is None else []
    if None in kinds or returned_kinds is None:
        return None
    parameters_text = ", ".join(f"{kind} _{place}" for place, kind in enumerate(kinds))
    if returns is None:
        listed = ", ".join(f"{kind} _{place}" for place, kind in enumerate(returned_kinds))
        returns = listed if len(returned_kinds) == 1 else f"({listed})"
    return f"({parameters_text}) -> {returns}"


def _return_types(names: list[str], source: CppSource) -> list[str] | None:
    """Return the schema types of the returns of a function, several for a tuple; None if one is not known."""
    if names == ["void"]:
        return []
    is_tuple = names[:2] == ["tuple", "<"]
    parts = (
        [_schema_type(part, source) for part in _split_template(names[2:-1])]
        if is_tuple
        else [_schema_type(names, source)]
    )
    kinds = [kind for kind in parts if kind is not None]
    return kinds if len(kinds) == len(parts) else None


def _parameter_type(tokens: Sequence[Token]) -> list[str]:
    """Return the tokens of the type of a parameter, without its name and default value."""
    names = _type_tokens(tokens)
    if "=" in names:
        names = names[: names.index("=")]
    return names[:-1] if len(names) > 1 and names[-1].isidentifier() and names[-2] != "<" else names


def _type_tokens(tokens: Sequence[Token]) -> list[str]:
    """Return the tokens that decide a type, without namespaces, qualifiers and macros such as `SCATTER_API`."""
    written = [name for _, text, _ in tokens for name in _COMPOUND.get(text, (text,))]
    is_plain = [
        "::" not in (name, following) and name not in _IGNORED_TOKENS
        for name, following in zip_longest(written, written[1:])
    ]
    names = list(compress(written, is_plain))
    while len(names) > 1 and names[0].isupper() and names[1] != "<":
        names = names[1:]
    return names


def _schema_type(names: list[str], source: CppSource, depth: int = 0) -> str | None:
    """Return the schema type for the tokens of a C++ type, None if schemas have no such type.

    `depth` is the number of names of types that were followed to this one.
    """
    if len(names) == 1:
        kind = _TYPES.get(names[0])
        if kind is not None or not names[0].isidentifier() or depth > _MAX_ALIASES:
            return kind
        alias = source.alias(names[0])
        return None if alias is None else _schema_type(_type_tokens(alias), source, depth + 1)
    if len(names) < 4 or names[1] != "<" or names[-1] != ">":
        return None
    template, template_arguments = names[0], _split_template(names[2:-1])
    if template == "array":
        template_arguments = template_arguments[:1]  # the second one is the length
    kinds = [_schema_type(argument, source, depth) for argument in template_arguments]
    known_kinds = [kind for kind in kinds if kind is not None]
    return _template_type(template, known_kinds) if len(known_kinds) == len(kinds) else None


def _template_type(template: str, kinds: Sequence[str]) -> str | None:
    """Return the schema type of a C++ template with arguments of these schema types, None for an unknown template."""
    if template in _LISTS and len(kinds) == 1:
        return f"{kinds[0]}[]"
    if template == "OptionalArrayRef":
        return f"{kinds[0]}[]?"
    if template == "optional":
        return f"{kinds[0]}?"
    if template in _DICTS:
        return f"Dict({', '.join(kinds)})"
    return f"({', '.join(kinds)})" if template == "tuple" else None


def _split_template(names: Sequence[str]) -> list[list[str]]:
    """Return the tokens of each template argument."""
    parts: list[list[str]] = [[]]
    depth = 0
    for name in names:
        if name == "," and not depth:
            parts.append([])
            continue
        depth += (name == "<") - (name == ">")
        parts[-1].append(name)
    return parts
