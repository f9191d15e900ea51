"""Checks for tests that cannot fail: each yields the places, with the reason."""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

from tools.vacuous.filled import certainly_loops
from tools.vacuous.names import assigned_once, bound_around
from tools.vacuous.suite import dotted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from tools.vacuous.suite import Function, Module, Suite

    Place: TypeAlias = ast.stmt | ast.expr | ast.excepthandler
    Problems: TypeAlias = Iterator[tuple[Place, str]]

_BROAD = frozenset(("Exception", "BaseException", "OpspecError", "InputError", "UsageError"))
"""Exceptions that many faults raise; ruff (PT011) has its own list of those of Python."""
_SWALLOWED = frozenset(("Exception", "BaseException", "AssertionError"))
_EMPTY = frozenset(("[]", "()", "{}", "set()", "list()", "tuple()", "dict()", "frozenset()", "''"))


class Finding(NamedTuple):
    """A test that cannot fail: its file, its name ("" for the file), the line, the check, and what is wrong."""

    path: str
    test: str
    line: int
    check: str
    problem: str


def check(suite: Suite) -> Iterator[Finding]:
    """Yield the tests of a suite that cannot fail."""
    for module in suite.modules:
        if not module.path.name.startswith("test_"):
            continue
        if not module.tests:
            yield Finding(str(module.path), "", 1, "no-test", "the file has no test")
        for test in module.tests:
            for name, of_test in _CHECKS.items():
                for place, problem in of_test(suite, module, test):
                    yield Finding(str(module.path), test.name, place.lineno, name, problem)


def _no_assertion(suite: Suite, module: Module, test: Function) -> Problems:
    if not suite.asserts(module, test):
        yield test, "it asserts nothing"


def _always_true(suite: Suite, module: Module, test: Function) -> Problems:  # noqa: ARG001
    for node in module.inside(test):
        if isinstance(node, ast.Assert) and _is_always_true(node.test, module, test):
            yield node, f"`{_abbreviated(node.test)}` holds always"


def _is_always_true(node: ast.expr, module: Module, test: Function) -> bool:
    """Return whether an expression is true, whatever the program does."""
    match node:
        case ast.Constant(value=value):
            return bool(value)
        case ast.GeneratorExp() | ast.Lambda() | ast.JoinedStr():
            return True
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return any(not isinstance(item, ast.Starred) for item in items)
        case ast.Name(id=name):
            return name in module.functions and name not in bound_around(module, test)
        case ast.BoolOp(op=ast.Or(), values=parts):
            return any(_is_always_true(part, module, test) for part in parts)
        case ast.BoolOp(op=ast.And(), values=parts):
            return all(_is_always_true(part, module, test) for part in parts)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return ast.unparse(operand) in {*_EMPTY, "False", "None", "0"}
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            return _compares_nothing(left, operator, right)
        case ast.Call(func=ast.Name(id="all"), args=[ast.GeneratorExp(generators=[*_, loop])]):
            return ast.unparse(loop.iter) in _EMPTY
    return False


def _compares_nothing(left: ast.expr, operator: ast.cmpop, right: ast.expr) -> bool:
    """Return whether a comparison always holds: a name with itself, or a length that is not negative."""
    if isinstance(operator, ast.GtE) and isinstance(right, ast.Constant) and right.value == 0:
        return isinstance(left, ast.Call) and dotted(left.func) == "len"
    is_plain = not any(isinstance(node, (ast.Call, ast.Await)) for node in ast.walk(left))
    return is_plain and isinstance(operator, (ast.Eq, ast.Is, ast.LtE, ast.GtE)) and ast.dump(left) == ast.dump(right)


def _same_value(suite: Suite, module: Module, test: Function) -> Problems:  # noqa: ARG001
    """Yield the comparisons of a call with the same call: they state no expected value."""
    values = assigned_once(module, test)
    for node in module.inside(test):
        match node:
            case ast.Assert(test=ast.Compare(left=left, ops=[ast.Eq()], comparators=[right])):
                sides = [values.get(side.id, side) if isinstance(side, ast.Name) else side for side in (left, right)]
                lines = [side.lineno for side in sides]
                is_called = any(isinstance(node, ast.Call) for node in ast.walk(sides[0]))
                is_same = is_called and ast.dump(sides[0]) == ast.dump(sides[1])
                if is_same and not _acts_between(module, test, min(lines), node.lineno):
                    yield node, f"both sides of `{_abbreviated(node.test)}` are computed in one way"


def _acts_between(module: Module, test: Function, first: int, last: int) -> bool:
    """Return whether a test calls anything between two lines, so that values before and after may differ."""
    return any(isinstance(node, ast.Call) and first < node.lineno < last for node in module.inside(test))


def _broad_raises(suite: Suite, module: Module, test: Function) -> Problems:  # noqa: ARG001
    read = {node.id for node in module.inside(test) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    for node in module.inside(test):
        for item in node.items if isinstance(node, (ast.With, ast.AsyncWith)) else ():
            match item:
                case ast.withitem(context_expr=ast.Call(func=function, args=[kinds, *_], keywords=keywords)):
                    is_kept = isinstance(item.optional_vars, ast.Name) and item.optional_vars.id in read
                    is_matched = any(keyword.arg == "match" for keyword in keywords)
                    if (
                        dotted(function) == "pytest.raises"
                        and not (is_kept or is_matched)
                        and _exception_names(kinds) & _BROAD
                    ):
                        yield item.context_expr, f"any {ast.unparse(kinds)} will do: `match` is missing"


def _exception_names(kinds: ast.expr) -> set[str]:
    """Return the names of exceptions, without their modules."""
    return {dotted(kind).rpartition(".")[2] for kind in (kinds.elts if isinstance(kinds, ast.Tuple) else [kinds])}


def _swallowed(suite: Suite, module: Module, test: Function) -> Problems:
    for node in module.inside(test):
        match node:
            case ast.ExceptHandler(type=kinds, body=body):
                is_broad = kinds is None or bool(_exception_names(kinds) & _SWALLOWED)
                if is_broad and not any(suite.asserts(module, statement) for statement in body):
                    yield node, f"it catches {'everything' if kinds is None else ast.unparse(kinds)} and goes on"
            case ast.Call(func=function, args=args) if dotted(function).rpartition(".")[2] == "suppress":
                if any(_exception_names(kinds) & _SWALLOWED for kinds in args):
                    yield node, "it suppresses what an assertion raises"


def _conditional(suite: Suite, module: Module, test: Function) -> Problems:
    """Yield tests whose assertions may all be skipped, and assertions on all items of a possibly empty sequence."""
    assertions = [node for node in module.inside(test) if suite.is_assertion(module, node)]
    around = [node for node in module.inside(test) if isinstance(node, (ast.For, ast.While, ast.If))]
    skipped = {
        node_inside
        for node in around
        for statement in _conditional_statements(suite, module, node, test)
        for node_inside in module.inside(statement)
    }
    if assertions and skipped.issuperset(assertions):
        yield around[0], "every assertion is in a loop that may run over nothing, or under a condition"
    elif len(assertions) == 1 and isinstance(assertions[0], ast.Assert):
        condition = assertions[0].test
        if _asserts_all_items(condition, module, test):
            yield condition, f"`{_abbreviated(condition)}` holds where there is nothing to look at"


def _conditional_statements(
    suite: Suite, module: Module, node: ast.For | ast.While | ast.If, test: Function
) -> list[ast.stmt]:
    """Return the statements of a node that may not run; if both branches assert, one of the two surely runs."""
    if isinstance(node, ast.For) and certainly_loops(node.iter, module, test):
        return []
    branches = (node.body, node.orelse)
    if isinstance(node, ast.If) and all(
        any(suite.asserts(module, statement) for statement in branch) for branch in branches
    ):
        return []
    return [*node.body, *node.orelse]


def _asserts_all_items(node: ast.expr, module: Module, test: Function) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="all"), args=[ast.GeneratorExp(generators=[loop, *_])]):
            return not certainly_loops(loop.iter, module, test)
        case ast.UnaryOp(
            op=ast.Not(), operand=ast.Call(func=ast.Name(id="any"), args=[ast.GeneratorExp(generators=[loop, *_])])
        ):
            return not certainly_loops(loop.iter, module, test)
    return False


def _patched(suite: Suite, module: Module, test: Function) -> Problems:  # noqa: ARG001
    """Yield the calls of a function that the test itself has replaced."""
    replaced: dict[str, int] = {}
    for node in module.inside(test):
        match node:
            case ast.Call(func=function, args=[owner, ast.Constant(value=str(name)), _]):
                if dotted(function) == "monkeypatch.setattr":
                    replaced[f"{dotted(owner)}.{name}"] = node.lineno
    for node in module.inside(test) if replaced else ():
        for call in ast.walk(node.test) if isinstance(node, ast.Assert) else ():
            if isinstance(call, ast.Call) and replaced.get(dotted(call.func), call.lineno) < call.lineno:
                yield call, f"`{dotted(call.func)}` was replaced by the test"


def _no_parameters(suite: Suite, module: Module, test: Function) -> Problems:  # noqa: ARG001
    for node in test.decorator_list:
        match node:
            case ast.Call(func=function, args=[_, values, *_]) if dotted(function) == "pytest.mark.parametrize":
                if ast.unparse(values) in _EMPTY:
                    yield node, "it has no parameters, and never runs"


def _abbreviated(node: ast.AST) -> str:
    text = re.sub(r"\s+", " ", ast.unparse(node))
    return text if len(text) <= 60 else f"{text[:57]}..."


_CHECKS = {
    "no-assertion": _no_assertion,
    "always-true": _always_true,
    "same-value": _same_value,
    "broad-raises": _broad_raises,
    "swallowed": _swallowed,
    "conditional": _conditional,
    "patched": _patched,
    "no-parameters": _no_parameters,
}
