"""The schema of a Python function, inferred from its annotations as by `torch.library.infer_schema`.

See PyTorch's torch/_library/infer_schema.py.
"""

from __future__ import annotations

import ast

from opspec_lint.kit.python_text import parse_expression

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

UNKNOWN = "unknown"
"""The value of `mutates_args` with which every tensor counts as written to."""
_TYPES = {
    "torch.Tensor": "Tensor",
    # infer_schema.py infers SymInt for `int`, so that an op takes symbolic sizes.
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
_NO_LISTS = ("str", "ScalarType", "Device")
"""Types that no list type exists for."""
_OPTIONAL_LIST_ITEMS = ("SymInt", "float", "bool")
"""Item types of the lists that may be None, such as `SymInt[]?`."""
_RETURN_TYPES = ("Tensor", "Tensor[]", "SymInt", "float", "bool", "Scalar")
_LISTS = ("Sequence", "List", "list")


class NotInferableError(Exception):
    """An annotation or a default value has no equivalent in schemas; the message names it."""


class Name(str):
    """A default value that is given as a dotted name of another library, such as `torch.float32`."""

    __slots__ = ()


class NameResolver:
    """The meaning of the names in the signature of a function, which the caller of `infer` knows."""

    def dotted_name(self, node: ast.expr) -> str:
        """Return the dotted name that an expression refers to, such as `torch.Tensor`; "" if it is no such name."""
        raise NotImplementedError

    def expand_alias(self, node: ast.expr) -> ast.expr:
        """Return the annotation that a name is an alias of, or the expression itself."""
        raise NotImplementedError

    def default_value(self, name: str) -> object:
        """Return the default value of a parameter: a constant, or a `Name`."""
        raise NotImplementedError


def infer(function: ast.FunctionDef | ast.AsyncFunctionDef, mutated: tuple[str, ...] | str, names: NameResolver) -> str:
    """Return the schema of a function without its name, such as `(Tensor x, SymInt n=1) -> Tensor`.

    `mutated` are the names of the tensors that the function writes to, or `UNKNOWN`.

    Raises:
        NotInferableError: PyTorch refuses the function, or the text does not decide its schema.
    """
    signature = function.args
    # infer_schema.py refuses parameters that a call cannot give by name.
    if signature.posonlyargs or signature.vararg or signature.kwarg:
        raise NotInferableError("it has arguments without a name, or any number of them")
    arguments = []
    for position, (argument, default) in enumerate(_parameters_with_defaults(signature)):
        if position == len(signature.args):
            arguments.append("*")
        kind = _parameter_type(argument.annotation, names, argument.arg)
        if kind.startswith("Tensor") if mutated == UNKNOWN else argument.arg in mutated:
            kind = f"Tensor(a{position}!){kind.removeprefix('Tensor')}"
        value = "" if default is None else f"={_default_text(names, argument.arg)}"
        arguments.append(f"{kind} {argument.arg}{value}")
    return f"({', '.join(arguments)}) -> {_returns_text(function.returns, names)}"


def _parameters_with_defaults(signature: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    """Yield the parameters in order, each with its default value or None."""
    required = len(signature.args) - len(signature.defaults)
    yield from zip(signature.args, [*[None] * required, *signature.defaults], strict=True)
    yield from zip(signature.kwonlyargs, signature.kw_defaults, strict=True)


def _parameter_type(node: ast.expr | None, names: NameResolver, name: str) -> str:
    """Return the schema type of a parameter, such as `Tensor` or `SymInt[]`."""
    kind = None if node is None else _schema_type(node, names)
    if kind is None:
        raise NotInferableError(f"the annotation of '{name}' is no type of a schema")
    return kind


def _schema_type(node: ast.expr, names: NameResolver) -> str | None:
    """Return the schema type of an annotation, None if schemas have no such type."""
    node = names.expand_alias(_unquote(node))
    members = list(_union_members(node, names))
    present = [member for member in members if not (isinstance(member, ast.Constant) and member.value is None)]
    if len(members) > 1 and {names.dotted_name(member) for member in present} == _NUMBER:
        return "Scalar" if len(present) == len(members) else "Scalar?"
    if len(members) > 1:
        kind = _schema_type(present[0], names) if len(present) == 1 else None
        is_list = kind is not None and kind.endswith("[]")
        allowed = kind is not None and not kind.endswith("?") and (not is_list or kind[:-2] in _OPTIONAL_LIST_ITEMS)
        return f"{kind}?" if allowed else None
    if isinstance(node, ast.Subscript) and names.dotted_name(node.value).rpartition(".")[2] in _LISTS:
        kind = _schema_type(node.slice, names)
        allowed = kind == "Tensor?" or (kind in _TYPES.values() and kind not in _NO_LISTS)
        return f"{kind}[]" if allowed else None
    name = names.dotted_name(node)
    return _TYPES.get(name) or _TYPES.get(f"torch.{name}")


def _union_members(node: ast.expr, names: NameResolver) -> Iterator[ast.expr]:
    """Yield the members of `Optional[X]`, `Union[X, Y]` and `X | Y`, nested ones too; any other annotation itself."""
    node = names.expand_alias(_unquote(node))
    outer = names.dotted_name(node.value).rpartition(".")[2] if isinstance(node, ast.Subscript) else ""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        yield from _union_members(node.left, names)
        yield from _union_members(node.right, names)
    elif isinstance(node, ast.Subscript) and outer == "Optional":
        yield from _union_members(node.slice, names)
        yield ast.Constant(None)
    elif isinstance(node, ast.Subscript) and outer == "Union":
        for member in node.slice.elts if isinstance(node.slice, ast.Tuple) else (node.slice,):
            yield from _union_members(member, names)
    else:
        yield node


def _unquote(node: ast.expr) -> ast.expr:
    """Return the expression in a quoted annotation such as `"Tensor"`; any other annotation unchanged."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            return parse_expression(node.value)
        except (SyntaxError, ValueError):
            return node
    return node


def _default_text(names: NameResolver, name: str) -> str:
    """Return the default value of a parameter as a schema writes it, such as `1`, `"mean"` or `float32`."""
    value = names.default_value(name)
    if isinstance(value, Name):
        first, _, rest = value.partition(".")
        if first == "torch" and rest:
            return rest
    elif value is None or isinstance(value, int | float):
        return str(value)
    elif isinstance(value, str):
        return f'"{value}"'
    raise NotInferableError(f"the default value of '{name}' is no literal of a schema")


def _returns_text(node: ast.expr | None, names: NameResolver) -> str:
    """Return the part of a schema behind `->`, such as `Tensor` or `(Tensor, Tensor)`."""
    node = None if node is None else names.expand_alias(_unquote(node))
    if isinstance(node, ast.Constant) and node.value is None:
        return "()"
    if isinstance(node, ast.Subscript) and names.dotted_name(node.value).rpartition(".")[2] in ("Tuple", "tuple"):
        members = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        kinds = [_schema_type(element, names) for element in members]
        text = ", ".join(map(str, kinds))
        text = f"(({text}))" if len(kinds) == 1 else f"({text})"
    else:
        kinds = [None if node is None else _schema_type(node, names)]
        text = str(kinds[0])
    if any(kind not in _RETURN_TYPES for kind in kinds):
        raise NotInferableError("the return annotation is not a type of a schema")
    return text
