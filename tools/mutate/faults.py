"""Small faults that can be planted in a module: each is one node of its syntax tree, and the text to stand there."""

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
    """A fault: its kind, its line, the range of the bytes that it replaces, and what stands there then."""

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
        """Return the lines of a module that it takes away and brings, each behind its sign."""
        lines = difflib.unified_diff(text.splitlines(), self.planted_in(text).splitlines(), lineterm="", n=0)
        return [line for line in lines if not line.startswith(("---", "+++", "@@"))]


def faults(text: str) -> Iterator[Fault]:
    """Yield every fault that can be planted in a module."""
    starts = [0]
    for line in text.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node, is_local in _evaluated(ast.parse(text), is_local=False):
        for kind, place, faulty in _changes(node, is_local=is_local):
            begin = starts[place.lineno - 1] + place.col_offset
            end = starts[place.end_lineno - 1] + place.end_col_offset
            written = ast.unparse(faulty)
            yield Fault(kind, place.lineno, begin, end, f"({written})" if isinstance(faulty, ast.expr) else written)


def _evaluated(node: ast.AST, *, is_local: bool) -> Iterator[tuple[ast.AST, bool]]:
    """Yield what is evaluated when a program runs, with whether it stands in a function: no types, and no docstrings.

    What stands in an f-string has no place of its own before Python 3.12; the f-string as a whole does.
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
                    yield from _evaluated(child, is_local=is_local)


def _changes(node: ast.AST, *, is_local: bool) -> Iterator[tuple[str, ast.AST, ast.AST]]:
    """Yield the kind of each fault of a node, the node that it replaces, and what stands there then."""
    yield from ((kind, node, faulty) for kind, faulty in _of_expression(node))
    for test in [node.test] if isinstance(node, (ast.If, ast.IfExp, ast.While)) else getattr(node, "ifs", ()):
        yield from (("condition", test, ast.Constant(value)) for value in (True, False))
        yield "condition", test, ast.UnaryOp(ast.Not(), test)
    if isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) != "None":
        yield "return", node, ast.Return(ast.Constant(value=None))
    if is_local and isinstance(node, _STATEMENTS):
        yield "statement", node, ast.Pass()


def _of_expression(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node, ast.Compare):
        for index, sign in enumerate(node.ops):
            for other in _SWAPPED[type(sign)]:
                yield "comparison", _with(node, ops=[*node.ops[:index], other(), *node.ops[index + 1 :]])
    elif isinstance(node, (ast.BoolOp, ast.BinOp, ast.AugAssign)):
        kind = "logic" if isinstance(node, ast.BoolOp) else "arithmetic"
        yield from ((kind, _with(node, op=other())) for other in _SWAPPED[type(node.op)])
    elif isinstance(node, ast.UnaryOp):
        yield "negation", node.operand
    elif isinstance(node, ast.Constant) and node.value is not None and node.value is not ...:
        yield "constant", ast.Constant(_another(node.value))
    elif isinstance(node, ast.JoinedStr):
        yield "constant", ast.Constant("")
    elif isinstance(node, ast.Call):
        for field in ("args", "keywords"):
            given = getattr(node, field)
            for index in range(len(given)):
                yield "argument", _with(node, **{field: [*given[:index], *given[index + 1 :]]})


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _another(value: object) -> object:
    if isinstance(value, bool):
        return not value
    if isinstance(value, (str, bytes)):
        return type(value)() if value else type(value)(b"XX") if isinstance(value, bytes) else "XX"
    return value + 1
