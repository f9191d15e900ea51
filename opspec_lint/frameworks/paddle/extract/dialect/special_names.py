"""The names that op_compat_gen.py itself adds to the tables of the translation, beside op_compat.yaml.

The script is parsed, not run: its assignments of constants to the two tables count.
"""

from __future__ import annotations

from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator, Mapping

SCRIPTS = (
    "paddle/fluid/ir_adaptor/translator/op_compat_gen.py",
    "paddle/fluid/translator/op_compat_gen.py",
)
"""The paths of the script, newest first."""
_OPS, _ARGUMENTS = "op_name_mappings", "op_arg_name_mappings"
_SPARSE = "sparse_op_yaml_file"
"""A parameter of the script versions that rename sparse ops too."""


class SpecialNames(Record):
    """The names that the script adds.

    `ops` are PIR ops by ops of a ProgramDesc. `arguments` are names in a ProgramDesc by names in PIR, for each op of a
    ProgramDesc; `replaced` are ops whose names in op_compat.yaml do not count. `has_sparse`: ops of sparse tensors are
    renamed, `sparse_relu` to `relu_sp`.
    """

    ops: Mapping[str, str] = {}
    arguments: Mapping[str, Mapping[str, str]] = {}
    replaced: frozenset[str] = frozenset()
    has_sparse: bool = False


def read(text: str, file: str) -> SpecialNames:
    """Return the names that a script adds.

    Raises UnresolvedError if the script is no Python.
    """
    # Imported here: few trees have the script.
    from opspec_lint.kit.python_text import parse_module

    try:
        tree = parse_module(text)
    # The parser of CPython raises the last two for deeply nested or huge sources.
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UnresolvedError(f"it is no Python that can be read: {error}", file, 1) from None
    ops: dict[str, str] = {}
    arguments: dict[str, dict[str, str]] = {}
    replaced = set()
    for keys, value, is_update in _assignments(tree):
        if keys[0] == _OPS and isinstance(value, str):
            ops[keys[1]] = value
        elif keys[0] == _ARGUMENTS and len(keys) == 3 and isinstance(value, str):
            arguments.setdefault(keys[1], {})[keys[2]] = value
        elif keys[0] == _ARGUMENTS and isinstance(value, dict):
            if not is_update:
                replaced.add(keys[1])
                arguments[keys[1]] = {}
            arguments.setdefault(keys[1], {}).update(value)
    return SpecialNames(ops=ops, arguments=arguments, replaced=frozenset(replaced), has_sparse=_SPARSE in text)


def _assignments(tree: ast.AST) -> Iterator[tuple[list[str], object, bool]]:
    """Yield each assignment of a constant to an item of a variable: the variable and keys, the value, is an update.

    An update is `table["op"].update({...})`, which keeps the other names of the op.
    """
    import ast

    for node in ast.walk(tree):
        target: ast.expr | None = None
        value: ast.expr | None = None
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "update":
            target, value = node.func.value, node.args[0] if node.args else None
        keys = [] if target is None else _keys(target)
        if len(keys) > 1 and value is not None:
            try:
                yield keys, ast.literal_eval(value), isinstance(node, ast.Call)
            except ValueError:
                # A computed value: one of the loops over op_compat.yaml, whose names are read from that file.
                continue


def _keys(target: ast.expr) -> list[str]:
    """Return [variable, key, key] of `variable["key"]["key"]`; an empty list for another target."""
    import ast

    keys: list[str] = []
    while isinstance(target, ast.Subscript):
        if not isinstance(target.slice, ast.Constant):
            return []
        keys.append(str(target.slice.value))
        target = target.value
    return [target.id, *reversed(keys)] if isinstance(target, ast.Name) else []
