"""Infers the schema of a Python function from its annotations, as `infer_schema` of `torch.library` does."""

from __future__ import annotations

import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

UNKNOWN = "unknown"
"""The value of `mutates_args` by which every tensor may be written to."""
_TYPES = {
    "torch.Tensor": "Tensor",
    "int": "SymInt",
    "float": "float",
    "bool": "bool",
    "str": "str",
    "torch.types.Number": "Scalar",
    "torch.dtype": "ScalarType",
    "torch.device": "Device",
    "torch.distributed.distributed_c10d.GroupName": "str",
}
_NUMBER = {"int", "float", "bool"}
"""The members of the union that `torch.types.Number` is."""
_ALONE = ("str", "ScalarType", "Device")
"""Types of which there are no lists."""
_OPTIONAL_LISTS = ("SymInt", "float", "bool")
"""Types whose lists can be None."""
_RETURNED = ("Tensor", "Tensor[]", "SymInt", "float", "bool", "Scalar")
_LISTS = ("Sequence", "List", "list")


class NotInferableError(Exception):
    """An annotation or a default value has no counterpart in schemas; the message says which."""


class Name(str):
    """The dotted name of something that another library provides, such as `torch.float32`."""

    __slots__ = ()


class Names:
    """The names in the definition of a function."""

    def path(self, node: ast.expr) -> str:
        """Return the dotted name of what an expression names, such as `torch.Tensor`, "" for anything else."""
        raise NotImplementedError

    def written(self, node: ast.expr) -> ast.expr:
        """Return the type that a name is an alias of, or the expression itself."""
        raise NotImplementedError

    def default(self, name: str) -> object:
        """Return the default value of a parameter: a constant, or a `Name`."""
        raise NotImplementedError


def infer(function: ast.FunctionDef | ast.AsyncFunctionDef, mutated: tuple[str, ...] | str, names: Names) -> str:
    """Return the schema of a function without its name, such as `(Tensor x, SymInt n=1) -> Tensor`.

    Args:
        function: the definition.
        mutated: the names of the tensors that are written to, or `UNKNOWN`.
        names: the names in it.

    Raises:
        NotInferableError: PyTorch refuses the function, or its schema cannot be told from the text.
    """
    given = function.args
    if given.posonlyargs or given.vararg or given.kwarg:
        raise NotInferableError("it has arguments without a name, or any number of them")
    arguments = []
    for place, (argument, default) in enumerate(_parameters(given)):
        if place == len(given.args):
            arguments.append("*")
        kind = _type(argument.annotation, names, argument.arg)
        if kind.startswith("Tensor") if mutated == UNKNOWN else argument.arg in mutated:
            kind = f"Tensor(a{place}!){kind.removeprefix('Tensor')}"
        value = "" if default is None else f"={_default(names, argument.arg)}"
        arguments.append(f"{kind} {argument.arg}{value}")
    return f"({', '.join(arguments)}) -> {_returns(function.returns, names)}"


def _parameters(given: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    """Yield the parameters with their default values."""
    required = len(given.args) - len(given.defaults)
    yield from zip(given.args, [*[None] * required, *given.defaults], strict=True)
    yield from zip(given.kwonlyargs, given.kw_defaults, strict=True)


def _type(node: ast.expr | None, names: Names, name: str) -> str:
    """Return the type of a parameter.

    Raises:
        NotInferableError: the parameter has no type, or one that schemas do not have.
    """
    kind = None if node is None else _written(node, names)
    if kind is None:
        raise NotInferableError(f"the annotation of '{name}' is no type of a schema")
    return kind


def _written(node: ast.expr, names: Names) -> str | None:
    """Return the type of a schema of an annotation, None if schemas have no such type."""
    node = names.written(_unquoted(node))
    members = list(_members(node, names))
    given = [member for member in members if not (isinstance(member, ast.Constant) and member.value is None)]
    if len(members) > 1 and {names.path(member) for member in given} == _NUMBER:
        return "Scalar" if len(given) == len(members) else "Scalar?"
    if len(members) > 1:
        kind = _written(given[0], names) if len(given) == 1 else None
        is_list = kind is not None and kind.endswith("[]")
        allowed = kind is not None and not kind.endswith("?") and (not is_list or kind[:-2] in _OPTIONAL_LISTS)
        return f"{kind}?" if allowed else None
    if isinstance(node, ast.Subscript) and names.path(node.value).rpartition(".")[2] in _LISTS:
        kind = _written(node.slice, names)
        allowed = kind == "Tensor?" or (kind in _TYPES.values() and kind not in _ALONE)
        return f"{kind}[]" if allowed else None
    name = names.path(node)
    return _TYPES.get(name) or _TYPES.get(f"torch.{name}")


def _members(node: ast.expr, names: Names) -> Iterator[ast.expr]:
    """Yield the members of `Optional[X]`, of a union and of `X | Y`; of another annotation, itself."""
    node = names.written(_unquoted(node))
    outer = names.path(node.value).rpartition(".")[2] if isinstance(node, ast.Subscript) else ""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        yield from _members(node.left, names)
        yield from _members(node.right, names)
    elif isinstance(node, ast.Subscript) and outer == "Optional":
        yield from _members(node.slice, names)
        yield ast.Constant(None)
    elif isinstance(node, ast.Subscript) and outer == "Union":
        for member in node.slice.elts if isinstance(node.slice, ast.Tuple) else (node.slice,):
            yield from _members(member, names)
    else:
        yield node


def _unquoted(node: ast.expr) -> ast.expr:
    """Return an annotation without its quotes."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            return ast.parse(node.value, mode="eval").body
        except (SyntaxError, ValueError):
            return node
    return node


def _default(names: Names, name: str) -> str:
    """Return a default value.

    Raises:
        NotInferableError: the value is not a literal.
    """
    value = names.default(name)
    if isinstance(value, Name):
        first, _, rest = value.partition(".")
        if first == "torch" and rest:
            return rest
    elif value is None or isinstance(value, int | float):
        return str(value)
    elif isinstance(value, str):
        return f'"{value}"'
    raise NotInferableError(f"the default value of '{name}' is no literal of a schema")


def _returns(node: ast.expr | None, names: Names) -> str:
    """Return the returns of a schema.

    Raises:
        NotInferableError: the annotation is missing, or no type of a return.
    """
    node = None if node is None else names.written(_unquoted(node))
    if isinstance(node, ast.Constant) and node.value is None:
        return "()"
    if isinstance(node, ast.Subscript) and names.path(node.value).rpartition(".")[2] in ("Tuple", "tuple"):
        members = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        kinds = [_written(element, names) for element in members]
        text = ", ".join(map(str, kinds))
        text = f"(({text}))" if len(kinds) == 1 else f"({text})"
    else:
        kinds = [None if node is None else _written(node, names)]
        text = str(kinds[0])
    if any(kind not in _RETURNED for kind in kinds):
        raise NotInferableError("the annotation of what it returns is no type of a schema")
    return text
