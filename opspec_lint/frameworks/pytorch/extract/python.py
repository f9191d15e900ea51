"""Reads definitions of ops in Python, which is never run.

These are `torch.library.define`, `define` of a `torch.library.Library`, and functions that `torch.library.custom_op`
or `triton_op` makes ops of.
"""

from __future__ import annotations

import ast

from opspec_lint.frameworks.pytorch.extract import inference
from opspec_lint.frameworks.pytorch.schemas.table import Line
from opspec_lint.spec.model import Origin, Remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MARKS = (b".define(", b"library import", b"library.custom_op", b"library.triton_op")
"""One of these stands in every file with definitions."""
_MODULE = "torch.library"
_MAKERS = (f"{_MODULE}.custom_op", f"{_MODULE}.triton_op")


def read(text: str, file: str) -> Iterator[Line | Remark]:
    """Yield the schemas that a file defines, and remarks about those that cannot be told.

    Args:
        text: the file.
        file: what reports call it.
    """
    try:
        module = ast.parse(text)
        calls = [each for each in ast.walk(module) if isinstance(each, ast.Call)]
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        yield _unread(Origin(file=file, line=line), file, f"the file is no Python: {type(error).__name__}", is_op=False)
        return
    names = _imported(module)
    constants = _constants(module)
    yield from _made(module, names, constants, file)
    libraries = {key: space for key, call in _assigned(module) if (space := _namespace(call, names, constants))}
    for call in calls:
        origin = Origin(file=file, line=call.lineno)
        called = _dotted(call.func, names)
        owner, _, method = called.rpartition(".")
        if called == f"{_MODULE}.define" and len(call.args) + len(call.keywords) > 1:
            yield _defined(call, constants, origin)
        elif method == "define" and call.args and owner and owner != _MODULE:
            namespace = libraries.get(_dotted(call.func, {}).rpartition(".")[0]) or _namespace(
                getattr(call.func, "value", None), names, constants
            )
            schema = _text(call.args[0], constants)
            if namespace is not None and schema is not None:
                yield Line(text=f"{namespace}::{_one_line(schema)}", file=origin.file, line=origin.line)
            elif namespace is not None or (schema is not None and ") ->" in schema):
                reason = "the schema is no literal" if schema is None else f"the namespace of '{owner}' is not known"
                yield _unread(origin, _one_line(schema or namespace or owner), reason, is_op=False)


def _defined(call: ast.Call, constants: Mapping[str, str], origin: Origin) -> Line | Remark:
    """Return the op that `torch.library.define("ns::name", "(...) -> ...")` defines."""
    given = {each.arg: each.value for each in call.keywords if each.arg}
    given |= dict(zip(("qualname", "schema"), call.args, strict=False))
    name, schema = (_text(given.get(key), constants) for key in ("qualname", "schema"))
    if name is None or schema is None:
        return _unread(origin, name or "define", "the schema is no literal", is_op=name is not None)
    return Line(text=f"{name}{_one_line(schema)}", file=origin.file, line=origin.line)


def _made(
    module: ast.Module, names: Mapping[str, str], constants: Mapping[str, str], file: str
) -> Iterator[Line | Remark]:
    """Yield the ops that are made of functions: by a decorator, or by a call that is given the function."""
    functions = {each.name: each for each in ast.walk(module) if isinstance(each, ast.FunctionDef)}
    calls = [(each, function) for function in functions.values() for each in function.decorator_list]
    for call in ast.walk(module):
        if isinstance(call, ast.Call) and len(call.args) > 1 and isinstance(call.args[1], ast.Name):
            calls += [(call, functions[name]) for name in [call.args[1].id] if name in functions]
    for call, function in calls:
        if isinstance(call, ast.Call) and _dotted(call.func, names) in _MAKERS:
            yield _op_of(call, function, names, constants, Origin(file=file, line=call.lineno))


def _op_of(
    call: ast.Call, function: ast.FunctionDef, names: Mapping[str, str], constants: Mapping[str, str], origin: Origin
) -> Line | Remark:
    """Return the op that `custom_op("ns::name", mutates_args=...)` makes of a function."""
    given = {each.arg: each.value for each in call.keywords if each.arg}
    given |= dict(zip(("name", "fn"), call.args, strict=False))
    name = _text(given.get("name"), constants)
    if name is None:
        return _unread(origin, function.name, "its name is no literal", is_op=False)
    try:
        schema = _text(given.get("schema"), constants) or _inferred(given, function, names)
    except inference.NotInferableError as error:
        return _unread(origin, name, str(error), is_op=True)
    return Line(text=f"{name}{_one_line(schema)}", file=origin.file, line=origin.line)


def _inferred(given: Mapping[str, ast.expr], function: ast.FunctionDef, names: Mapping[str, str]) -> str:
    """Return the schema of a function that an op is made of.

    Raises:
        NotInferableError: the schema cannot be told.
    """
    if "tags" in given:
        raise inference.NotInferableError("its tags can change what it returns")
    try:
        mutated = ast.literal_eval(given["mutates_args"])
        return inference.infer(
            function, mutated if isinstance(mutated, str) else tuple(mutated), lambda node: _dotted(node, names)
        )
    except (KeyError, ValueError, TypeError):
        raise inference.NotInferableError("`mutates_args` is no literal") from None


def _imported(module: ast.Module) -> dict[str, str]:
    """Return the names of a file that are imported from PyTorch, and what they stand for."""
    found: dict[str, str] = {}
    for each in ast.walk(module):
        if isinstance(each, ast.ImportFrom) and (each.module or "").partition(".")[0] == "torch":
            found |= {alias.asname or alias.name: f"{each.module}.{alias.name}" for alias in each.names}
        elif isinstance(each, ast.Import):
            found |= {alias.asname: alias.name for alias in each.names if alias.asname}
    return found


def _assigned(module: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names that something is assigned to, such as `self.lib`, and what."""
    for each in ast.walk(module):
        if isinstance(each, ast.Assign | ast.AnnAssign) and each.value is not None:
            targets = each.targets if isinstance(each, ast.Assign) else [each.target]
            for target in targets:
                yield _dotted(target, {}), each.value


def _constants(module: ast.Module) -> dict[str, str]:
    """Return the strings that a file assigns to names, once each."""
    found: dict[str, str] = {}
    twice: set[str] = set()
    for name, value in _assigned(module):
        text = _text(value, found)
        if (text is not None and found.setdefault(name, text) != text) or text is None:
            twice.add(name)
    return {name: text for name, text in found.items() if name not in twice}


def _namespace(call: ast.expr | None, names: Mapping[str, str], constants: Mapping[str, str]) -> str | None:
    """Return the namespace of `torch.library.Library("ns", "DEF")`, None for anything else."""
    if not isinstance(call, ast.Call) or _dotted(call.func, names) != f"{_MODULE}.Library" or not call.args:
        return None
    return _text(call.args[0], constants)


def _dotted(node: ast.expr, names: Mapping[str, str]) -> str:
    """Return a name such as `torch.library.define`, with what its first part stands for."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    first = node.id if isinstance(node, ast.Name) else "()"
    return ".".join([names.get(first, first), *reversed(parts)])


def _text(node: ast.expr | None, constants: Mapping[str, str]) -> str | None:
    """Return the string that an expression is, None where that cannot be told."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.Name):
        return constants.get(node.id)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        parts = [_text(node.left, constants), _text(node.right, constants)]
    elif isinstance(node, ast.JoinedStr):
        inside = (each.value if isinstance(each, ast.FormattedValue) else each for each in node.values)
        parts = [_text(each, constants) for each in inside]
    else:
        return None
    return None if None in parts else "".join(map(str, parts))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _unread(origin: Origin, name: str, reason: str, *, is_op: bool) -> Remark:
    return Remark(
        event="op_unresolved",
        name=name[:60],
        op=name if is_op else None,
        digest=name,
        facts={"reason": reason},
        origin=origin,
    )
