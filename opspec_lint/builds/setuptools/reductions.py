"""The statements of a build script in Python that take items out of a list: `x = x[1:]`, `x.clear()`."""

from __future__ import annotations

import ast

from opspec_lint.builds.python_uses import changed_variable, function_name
from opspec_lint.kit.python_text import walk
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class Reduction(Record):
    """A statement that takes items out of the list in a variable, or out of the arguments in a dict.

    `takes_all`: it takes all items. `tests` are the tests that an item has to pass to stay, each with the name of the
    item: `s` for `[s for s in sources if "test" not in s]`.
    """

    variable: str
    takes_all: bool = False
    tests: tuple[tuple[str, ast.expr], ...] = ()


def reduction_of(statement: ast.stmt) -> Reduction | None:
    """Return what a statement takes out of a variable; None for any other statement."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name):
        if call.func.attr in ("clear", "pop"):
            return Reduction(variable=call.func.value.id, takes_all=call.func.attr == "clear")
    elif isinstance(statement, ast.Delete):
        return _deletion(statement)
    elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        return _part_of_itself(statement.targets[0].id, statement.value)
    return None


def last_reductions(statements: Sequence[ast.stmt]) -> Iterator[tuple[ast.stmt, Reduction]]:
    """Yield the statements of a block that take items out of a variable which no later one adds items to."""
    changed: set[str] = set()
    for statement in reversed(statements):
        reduction = reduction_of(statement)
        if reduction is not None and reduction.variable not in changed:
            yield statement, reduction
        elif reduction is None:
            changed.update(_changed_variables(statement))


def _deletion(statement: ast.Delete) -> Reduction | None:
    """Return what `del x[:]` or `del x[1]` takes out."""
    target = statement.targets[0]
    if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name):
        return None
    part = target.slice
    takes_all = isinstance(part, ast.Slice) and part.lower is None and part.upper is None and part.step is None
    return Reduction(variable=target.value.id, takes_all=takes_all)


def _part_of_itself(variable: str, value: ast.expr) -> Reduction | None:
    """Return what an assignment of a part of a variable to the variable takes out."""
    if isinstance(value, ast.Call) and function_name(value.func) in ("list", "tuple", "sorted", "set") and value.args:
        return _part_of_itself(variable, value.args[0])
    if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice):
        return Reduction(variable=variable) if _is_name(value.value, variable) else None
    if isinstance(value, ast.Call) and function_name(value.func) == "filter" and len(value.args) > 1:
        test = value.args[0]
        if not _is_name(value.args[1], variable):
            return None
        if not isinstance(test, ast.Lambda) or not test.args.args:
            return Reduction(variable=variable)
        return Reduction(variable=variable, tests=((test.args.args[0].arg, test.body),))
    if isinstance(value, (ast.ListComp, ast.SetComp, ast.GeneratorExp)) and len(value.generators) == 1:
        generator = value.generators[0]
        if _is_name(generator.iter, variable) and generator.ifs and isinstance(generator.target, ast.Name):
            item = generator.target.id
            return Reduction(variable=variable, tests=tuple((item, test) for test in generator.ifs))
    return None


def _is_name(value: ast.expr, name: str) -> bool:
    """Return whether an expression is the variable of a name."""
    return isinstance(value, ast.Name) and value.id == name


def _changed_variables(statement: ast.stmt) -> Iterable[str]:
    """Return the variables that a statement, or one in its block, assigns or adds items to."""
    for node in walk(statement):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.stmt) and (name := changed_variable(node)) is not None:
            yield name
