"""Small faults that can be planted in a module: a fault replaces the text of one node of its syntax tree."""

from __future__ import annotations

import ast
import copy
import difflib
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_SWAPPED: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.Mult,),
    ast.Pow: (ast.Mult,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitXor: (ast.BitOr,),
}
_STATEMENTS = (ast.Expr, ast.Assign, ast.AugAssign, ast.Raise, ast.Continue, ast.Break, ast.Delete)
_UNEVALUATED = ("annotation", "returns")


class Fault(NamedTuple):
    """A fault: its kind, its line, the range of bytes that it replaces, and the text that replaces them."""

    kind: str
    line: int
    begin: int
    end: int
    written: str

    def planted_in(self, text: str) -> str:
        """Return the module with the fault."""
        data = text.encode()
        return (data[: self.begin] + self.written.encode() + data[self.end :]).decode()

    def diff(self, text: str) -> list[str]:
        """Return the removed and the added lines, as a diff without context shows them."""
        lines = difflib.unified_diff(text.splitlines(), self.planted_in(text).splitlines(), lineterm="", n=0)
        return [line for line in lines if not line.startswith(("---", "+++", "@@"))]


def faults(text: str) -> Iterator[Fault]:
    """Yield every fault that can be planted in the module `text`."""
    starts = [0]
    for line in text.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node, is_local in _running_nodes(ast.parse(text), is_local=False):
        for kind, place, faulty in _node_faults(node, is_local=is_local):
            begin = starts[place.lineno - 1] + place.col_offset
            end = starts[place.end_lineno - 1] + place.end_col_offset
            written = ast.unparse(faulty)
            yield Fault(kind, place.lineno, begin, end, f"({written})" if isinstance(faulty, ast.expr) else written)


def _running_nodes(node: ast.AST, *, is_local: bool) -> Iterator[tuple[ast.AST, bool]]:
    """Yield the nodes that run, each with whether it is inside a function; types and docstrings are left out.

    The parts of an f-string have no positions before Python 3.12, so only the f-string as a whole is yielded.
    """
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    if isinstance(node, (ast.If, ast.Assign)) and "TYPE_CHECKING" in ast.unparse(getattr(node, "test", node)):
        return
    yield node, is_local
    if isinstance(node, ast.JoinedStr):
        return
    is_local = is_local or isinstance(node, (ast.FunctionDef, ast.Lambda))
    for name, value in ast.iter_fields(node):
        if name not in _UNEVALUATED:
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _running_nodes(child, is_local=is_local)


def _node_faults(node: ast.AST, *, is_local: bool) -> Iterator[tuple[str, ast.AST, ast.AST]]:
    """Yield the faults of a node: their kind, the node to replace, and its replacement."""
    yield from ((kind, node, faulty) for kind, faulty in _expression_faults(node))
    for test in [node.test] if isinstance(node, (ast.If, ast.IfExp, ast.While)) else getattr(node, "ifs", ()):
        yield from (("condition", test, ast.Constant(value)) for value in (True, False))
        yield "condition", test, ast.UnaryOp(ast.Not(), test)
    if isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) != "None":
        yield "return", node, ast.Return(ast.Constant(value=None))
    if is_local and isinstance(node, _STATEMENTS):
        yield "statement", node, ast.Pass()


def _expression_faults(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node, ast.Compare):
        for index, sign in enumerate(node.ops):
            for replacement in _SWAPPED[type(sign)]:
                yield "comparison", _copy_with(node, ops=[*node.ops[:index], replacement(), *node.ops[index + 1 :]])
    elif isinstance(node, (ast.BoolOp, ast.BinOp, ast.AugAssign)):
        kind = "logic" if isinstance(node, ast.BoolOp) else "arithmetic"
        yield from ((kind, _copy_with(node, op=replacement())) for replacement in _SWAPPED[type(node.op)])
    elif isinstance(node, ast.UnaryOp):
        yield "negation", node.operand
    elif isinstance(node, ast.Constant) and node.value is not None and node.value is not ...:
        yield "constant", ast.Constant(_different(node.value))
    elif isinstance(node, ast.JoinedStr):
        yield "constant", ast.Constant("")
    elif isinstance(node, ast.Call):
        for field in ("args", "keywords"):
            given = getattr(node, field)
            for index in range(len(given)):
                yield "argument", _copy_with(node, **{field: [*given[:index], *given[index + 1 :]]})


def _copy_with(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _different(value: object) -> object:
    if isinstance(value, bool):
        return not value
    if isinstance(value, (str, bytes)):
        return type(value)() if value else type(value)(b"XX") if isinstance(value, bytes) else "XX"
    return value + 1
