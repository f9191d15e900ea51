"""Infers the schema of a Python function from its annotations, as `torch.library.custom_op` does (infer_schema)."""

from __future__ import annotations

import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Dotted = Callable[[ast.expr], str]
    """The name that an expression is, such as `torch.Tensor`."""

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
}
_ALONE = ("str", "ScalarType", "Device")
"""Types of which there are no lists."""
_OPTIONAL_LISTS = ("SymInt", "float", "bool")
"""Types whose lists can be None."""
_RETURNED = ("Tensor", "Tensor[]", "SymInt", "float", "bool", "Scalar")
_LISTS = ("Sequence", "List", "list")


class NotInferableError(Exception):
    """An annotation or a default value has no counterpart in schemas; the message says which."""


def infer(function: ast.FunctionDef, mutated: tuple[str, ...] | str, dotted: Dotted) -> str:
    """Return the schema of a function without its name, such as `(Tensor x, SymInt n=1) -> Tensor`.

    Args:
        function: the definition.
        mutated: the names of the tensors that are written to, or `UNKNOWN`.
        dotted: tells what a name stands for.

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
        kind = _type(argument.annotation, dotted, argument.arg)
        if kind.startswith("Tensor") if mutated == UNKNOWN else argument.arg in mutated:
            kind = f"Tensor(a{place}!){kind.removeprefix('Tensor')}"
        value = "" if default is None else f"={_default(default, dotted, argument.arg)}"
        arguments.append(f"{kind} {argument.arg}{value}")
    return f"({', '.join(arguments)}) -> {_returns(function.returns, dotted)}"


def _parameters(given: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    """Yield the parameters with their default values."""
    required = len(given.args) - len(given.defaults)
    yield from zip(given.args, [*[None] * required, *given.defaults], strict=True)
    yield from zip(given.kwonlyargs, given.kw_defaults, strict=True)


def _type(node: ast.expr | None, dotted: Dotted, name: str) -> str:
    """Return the type of a parameter.

    Raises:
        NotInferableError: the parameter has no type, or one that schemas do not have.
    """
    kind = None if node is None else _written(node, dotted)
    if kind is None:
        raise NotInferableError(f"the annotation of '{name}' is no type of a schema")
    return kind


def _written(node: ast.expr, dotted: Dotted) -> str | None:
    """Return the type of a schema that an annotation stands for, None where there is none."""
    node = _unquoted(node)
    inner = _optional(node, dotted)
    if inner is not None:
        kind = _written(inner, dotted)
        is_list = kind is not None and kind.endswith("[]")
        allowed = kind is not None and not kind.endswith("?") and (not is_list or kind[:-2] in _OPTIONAL_LISTS)
        return f"{kind}?" if allowed else None
    if isinstance(node, ast.Subscript) and dotted(node.value).rpartition(".")[2] in _LISTS:
        kind = _written(node.slice, dotted)
        allowed = kind == "Tensor?" or (kind in _TYPES.values() and kind not in _ALONE)
        return f"{kind}[]" if allowed else None
    name = dotted(node)
    return _TYPES.get(name) or _TYPES.get(f"torch.{name}")


def _optional(node: ast.expr, dotted: Dotted) -> ast.expr | None:
    """Return X of `Optional[X]`, `Union[X, None]` and `X | None`; None for anything else."""
    members: list[ast.expr] = []
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        members = [node.left, node.right]
    elif isinstance(node, ast.Subscript):
        outer = dotted(node.value).rpartition(".")[2]
        if outer == "Optional":
            return node.slice
        if outer == "Union" and isinstance(node.slice, ast.Tuple):
            members = node.slice.elts
    others = [each for each in members if not (isinstance(each, ast.Constant) and each.value is None)]
    return others[0] if len(others) == 1 and len(members) == 2 else None


def _unquoted(node: ast.expr) -> ast.expr:
    """Return an annotation without its quotes."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            return ast.parse(node.value, mode="eval").body
        except (SyntaxError, ValueError):
            return node
    return node


def _default(node: ast.expr, dotted: Dotted, name: str) -> str:
    """Return a default value.

    Raises:
        NotInferableError: the value is not a literal.
    """
    try:
        value = ast.literal_eval(node)
    except ValueError:
        first, _, rest = dotted(node).partition(".")
        if first == "torch" and rest:
            return rest
        value = ...
    if value is None or isinstance(value, int | float):
        return str(value)
    if isinstance(value, str):
        return f'"{value}"'
    raise NotInferableError(f"the default value of '{name}' is no literal of a schema")


def _returns(node: ast.expr | None, dotted: Dotted) -> str:
    """Return the returns of a schema.

    Raises:
        NotInferableError: the annotation is missing, or no type of a return.
    """
    node = None if node is None else _unquoted(node)
    if isinstance(node, ast.Constant) and node.value is None:
        return "()"
    if isinstance(node, ast.Subscript) and dotted(node.value).rpartition(".")[2] in ("Tuple", "tuple"):
        members = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        kinds = [_written(each, dotted) for each in members]
        text = ", ".join(map(str, kinds))
        text = f"(({text}))" if len(kinds) == 1 else f"({text})"
    else:
        kinds = [None if node is None else _written(node, dotted)]
        text = str(kinds[0])
    if any(each not in _RETURNED for each in kinds):
        raise NotInferableError("the annotation of what it returns is no type of a schema")
    return text
