"""The lists of a build script in Python: literal lists, their parts, and paths that a test keeps."""

from __future__ import annotations

import ast
from functools import lru_cache

from opspec_lint.builds.python_uses import CHANGES, COPIES, GLOBS, NO_SOURCES, changed_variable, function_name
from opspec_lint.builds.source_lists import may_name
from opspec_lint.builds.starlark.values import Evaluator
from opspec_lint.cpp.steps import TooLongError
from opspec_lint.kit.python_text import walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import TypeVar

    from opspec_lint.builds.source_lists import PathFilter
    from opspec_lint.cpp.steps import StepLimit

    T = TypeVar("T")

_MAX_TEXT = 1_000
"""Characters of a text that may be a path."""
_MAX_CACHED = 10_000
"""Paths of which the result of a test is kept."""
_MAKE_PATHS = frozenset({"join", "abspath", "normpath", "Path", "str"})
_LAST_PARTS = frozenset({"basename", "name"})


class _Unconditional:
    """The algebra of a script without conditions."""

    every = True

    def where(self, setting: str) -> bool:  # noqa: ARG002 - Python has no settings
        """Return the only case."""
        return True

    def both(self, first: bool, second: bool) -> bool:
        """Return whether both hold."""
        return first and second

    def without(self, first: bool, second: bool) -> bool:
        """Return whether only the first holds."""
        return first and not second


class _NoNames:
    """A scope in which no name is known, apart from functions that return the last part of a path."""

    path = package = ""

    def variable(self, name: str) -> object | None:  # noqa: ARG002 - none is known
        """Return None: names of the script may have any value."""
        return None

    def call_function(self, name: str, given: list[object], named: dict[str, object]) -> object | None:
        """Return the last part of a path; None for another function."""
        if len(given) == 1 and not named and isinstance(given[0], str):
            return given[0].rpartition("/")[2] if name in _LAST_PARTS else None
        return None

    def glob(self, included: Iterable[str], excluded: Iterable[str]) -> Iterable[str]:  # noqa: ARG002 - files are unknown
        """Return no file."""
        return ()


def _evaluate(
    value: ast.expr, variables: Mapping[str, object], steps: StepLimit, use: Callable[[Evaluator[bool], object], T]
) -> T | None:
    """Return what a function makes of an evaluated expression; None if the evaluation takes too long."""
    evaluator = Evaluator(_NoNames(), _Unconditional(), variables, steps)
    try:
        with steps.evaluation():
            return use(evaluator, evaluator.value(value))
    except (TooLongError, RecursionError):
        return None


def evaluated_texts(value: ast.expr, steps: StepLimit) -> list[str] | None:
    """Return the texts of an expression whose operands are literals; None if they are not."""
    if any(function_name(node.func).endswith("glob") for node in walk(value) if isinstance(node, ast.Call)):
        return None
    known = _evaluate(value, {}, steps, lambda evaluator, result: evaluator.plain(result))
    if isinstance(known, str):
        return [known]
    if not isinstance(known, tuple) or not all(isinstance(text, str) for text in known):
        return None
    return [str(text) for text in known]


def path_filter(variable: str, test: ast.expr, steps: StepLimit) -> PathFilter:
    """Return a filter that keeps the paths for which a test is true; it returns the test where that is unknown."""
    text = ast.unparse(test)

    @lru_cache(maxsize=_MAX_CACHED)
    def leaves(path: str) -> bool | str:
        # The list may have paths below any folder, or bare names.
        parts = path.split("/")
        results = set()
        for start in range(len(parts)):
            names = {variable: "/".join(parts[start:])}
            results.add(_evaluate(test, names, steps, lambda evaluator, result: evaluator.truth(result)))
        known = results.pop() if len(results) == 1 else None
        return text if known is None else known

    return leaves


def left_out_filter(texts: Collection[str] | None, test: str) -> PathFilter:
    """Return the filter of `s not in excluded`: it keeps the paths that the list `excluded` certainly lacks.

    It returns `test` for a path that the list may have. `texts` are the texts of the list, None for unknown ones.
    """

    def leaves(path: str) -> bool | str:
        is_kept = bool(texts) and not any(may_name(text, path.split("/")) for text in texts or ())
        return True if is_kept else test

    return leaves


def weaken(keeps: PathFilter, test: str) -> PathFilter:
    """Return a filter for a test that is perhaps not made: it returns `test` where another filter drops a path."""

    def leaves(path: str) -> bool | str:
        return keeps(path) or test

    return leaves


def item_filter(item: str, test: ast.expr, texts: NamedTexts, steps: StepLimit) -> PathFilter:
    """Return the filter of a test that the items of a list have to pass.

    Args:
        item: the name of an item of the list in the test.
        test: the test.
        texts: the texts of the variables.
        steps: the limit of the evaluation of the test.
    """
    if isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == item:
        excluded = test.comparators[0]
        if isinstance(test.ops[0], ast.NotIn) and isinstance(excluded, ast.Name):
            return left_out_filter(texts.texts_of(excluded.id), ast.unparse(test))
    return path_filter(item, test, steps)


class NamedTexts:
    """The literal texts that the variables of a script may contain, also as parts of other variables.

    Unlike `constant_paths`, they may be more than a variable contains at a place, and never fewer.
    """

    def __init__(self, tree: ast.Module) -> None:
        self._values: dict[str, list[ast.expr]] = {}
        for statement in walk(tree):
            if isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                for target in targets:
                    if isinstance(target, ast.Name) and statement.value is not None:
                        self._values.setdefault(target.id, []).append(statement.value)
            elif isinstance(statement, (ast.For, ast.comprehension)) and isinstance(statement.target, ast.Name):
                self._values.setdefault(statement.target.id, []).append(statement.iter)
            elif isinstance(statement, ast.Expr) and (changed := changed_variable(statement)) is not None:
                self._values.setdefault(changed, []).append(statement.value)
        for node in walk(tree):  # a parameter or an import may have any texts
            if isinstance(node, (ast.arg, ast.alias)):
                self._values.pop(node.arg if isinstance(node, ast.arg) else node.asname or node.name, None)

    def texts_of(self, name: str) -> set[str] | None:
        """Return the literal texts that the value of a variable may contain; None if it may contain others."""
        texts: set[str] = set()
        waiting, seen = [name], {name}
        while waiting:
            values = self._values.get(waiting.pop())
            if values is None:
                return None
            for value in values:
                texts.update(path_texts(value))
                if any(isinstance(node, ast.Call) and not _keeps_texts(node) for node in walk(value)):
                    return None
                names = _names_of_items(value) - seen
                waiting += names
                seen |= names
        return texts


def _keeps_texts(call: ast.Call) -> bool:
    """Return whether the result of a call has the texts of its arguments alone, below any folder."""
    name = function_name(call.func)
    return name in _MAKE_PATHS or name in COPIES or name in GLOBS or name in CHANGES


def _names_of_items(value: ast.expr) -> set[str]:
    """Return the variables in an expression whose texts it may have; of `join(here, "a.cc")`, the folder is none."""
    waiting: list[ast.AST] = [value]
    names: set[str] = set()
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.Call) and function_name(node.func) in _MAKE_PATHS:
            waiting += node.args[-1:]
        elif isinstance(node, ast.Call):
            waiting += node.args
        else:
            waiting += ast.iter_child_nodes(node)
    return names


def replaced_assignments(statements: Sequence[ast.stmt]) -> set[ast.stmt]:
    """Return the assignments of a block whose value another one replaces before anything reads the variable."""
    names = [name for statement in statements if (name := _assigned_name(statement)) is not None]
    if len(names) == len(set(names)):
        return set()
    # A function may read a variable wherever it is called.
    functions = (node for node in statements if isinstance(node, (ast.FunctionDef, ast.ClassDef)))
    shared = {node.id for function in functions for node in walk(function) if isinstance(node, ast.Name)}
    pending: dict[str, ast.stmt] = {}
    replaced: set[ast.stmt] = set()
    for statement in statements:
        name = _assigned_name(statement)
        # A change such as `x.append(y)` reads the variable.
        value = statement.value if isinstance(statement, ast.Assign) and name is not None else statement
        for node in walk(value) if pending else ():
            if isinstance(node, ast.Name):
                pending.pop(node.id, None)
        if name is not None and name not in shared:
            if name in pending:
                replaced.add(pending[name])
            pending[name] = statement
    return replaced


def _assigned_name(statement: ast.stmt) -> str | None:
    """Return the only variable that a statement assigns a value to; None for any other statement."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
    return target.id if isinstance(target, ast.Name) else None


class LiteralLists:
    """The contents of the variables of a block that are literal lists, for statements that remove an item."""

    def __init__(self, statements: Iterable[ast.stmt], steps: StepLimit) -> None:
        self._texts: dict[str, list[str]] = {}
        self._steps = steps
        self._has_removal = any(_removed_place(statement, steps) is not None for statement in statements)

    def removed_by(self, statement: ast.stmt) -> list[str] | None:
        """Return the texts that `del x[i]` or `x.pop()` removes, and record the new content of a variable.

        Returns:
            None for a statement that removes nothing, or whose list is not known.
        """
        if not self._has_removal:
            return None
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            texts = evaluated_texts(statement.value, self._steps) if isinstance(statement.value, ast.List) else None
            self._forget(statement)
            if texts is not None:
                self._texts[statement.targets[0].id] = texts
            return None
        if (added := self._added_texts(statement)) is not None:
            self._texts[added[0]] += added[1]
            return None
        place = _removed_place(statement, self._steps)
        before = self._texts.get(place[0]) if place is not None else None
        if place is None or before is None:
            self._forget(statement)
            return None
        after = before.copy()
        try:
            del after[place[1]]
        except (IndexError, TypeError):
            return None
        self._texts[place[0]] = after
        return [text for text in before if text not in after]

    def _added_texts(self, statement: ast.stmt) -> tuple[str, list[str]] | None:
        """Return the variable, and the texts, of a statement that adds literal texts to a list that is known."""
        name = changed_variable(statement)
        call = statement.value if isinstance(statement, ast.Expr) else None
        if name not in self._texts or not isinstance(call, ast.Call) or len(call.args) != 1:
            return None
        if not isinstance(call.func, ast.Attribute) or call.func.attr not in ("append", "extend"):
            return None
        texts = evaluated_texts(call.args[0], self._steps)
        return None if texts is None or name is None else (name, texts)

    def _forget(self, statement: ast.stmt) -> None:
        """Forget the variables that a statement mentions, which it may change."""
        for node in walk(statement) if self._texts else ():
            if isinstance(node, ast.Name):
                self._texts.pop(node.id, None)


def _removed_place(statement: ast.stmt, steps: StepLimit) -> tuple[str, int | slice] | None:
    """Return the variable and the index that a statement removes: `del x[i]`, `del x[i:j]`, `x.pop()`, `x.pop(i)`."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    target = statement.targets[0] if isinstance(statement, ast.Delete) and len(statement.targets) == 1 else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "pop":
        variable, index = call.func.value, _index(call.args[0], steps) if call.args else -1
    elif isinstance(target, ast.Subscript):
        variable, index = target.value, _index(target.slice, steps)
    else:
        return None
    return (variable.id, index) if isinstance(variable, ast.Name) and index is not None else None


def _index(value: ast.expr, steps: StepLimit) -> int | slice | None:
    """Return a literal index or part of a list; None for any other expression."""
    if isinstance(value, ast.Slice):
        bounds = [None if bound is None else _index(bound, steps) for bound in (value.lower, value.upper)]
        are_known = value.step is None and [bound is None for bound in (value.lower, value.upper)] == [
            bound is None for bound in bounds
        ]
        return slice(*bounds) if are_known else None
    number = _evaluate(value, {}, steps, lambda _, result: result)
    return number if isinstance(number, int) else None


def is_path(value: ast.expr) -> bool:
    """Return whether an element of a list is the path of one source, judged by its form."""
    if isinstance(value, (ast.Constant, ast.JoinedStr)):
        return True
    if isinstance(value, ast.BinOp):  # `here / "a.cc"` and `here + "/a.cc"`
        return isinstance(value.op, (ast.Div, ast.Add)) and is_path(value.right)
    if isinstance(value, ast.Call) and value.args:
        return function_name(value.func) in _MAKE_PATHS and is_path(value.args[-1])
    return False


def literal_texts(value: ast.AST) -> Iterator[str]:
    """Yield the texts in an expression; the variables of `f"{here}/a.cc"` become `{}`."""
    if isinstance(value, ast.JoinedStr):
        yield "".join(
            "{}" if isinstance(part, ast.FormattedValue) else "".join(literal_texts(part)) for part in value.values
        )
    elif isinstance(value, ast.Constant):
        if isinstance(value.value, str) and len(value.value) <= _MAX_TEXT:
            yield value.value
    else:
        for child in ast.iter_child_nodes(value):
            yield from literal_texts(child)


def path_texts(value: ast.AST) -> Iterator[str]:
    """Yield the texts in an expression, and `{}/b/*.cc` for `os.path.join(a, "b", "*.cc")` with an unknown folder."""
    if isinstance(value, ast.Call) and function_name(value.func) == "join" and not value.keywords:
        known = (ast.Constant, ast.JoinedStr)
        parts = ["".join(literal_texts(part)) if isinstance(part, known) else "{}" for part in value.args]
        yield "/".join(parts)
    elif isinstance(value, (ast.Constant, ast.JoinedStr)):
        yield from literal_texts(value)
    else:
        for child in ast.iter_child_nodes(value):
            yield from path_texts(child)


def names_no_source(argument: str) -> bool:
    """Return whether an argument never names a source to compile."""
    return argument in NO_SOURCES or argument.startswith("exclude")
