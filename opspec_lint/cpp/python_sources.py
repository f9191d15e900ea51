"""The sources that a build file in Python or Starlark lists: `setup.py`, and `BUILD` of Bazel.

The grammar of Starlark is a subset of Python's, so that Python's parser reads it; nothing is executed. Lists in
branches that never run, in variables that nobody uses and in rules that build nothing are left out.
"""

from __future__ import annotations

import ast
import sys

from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.python_text import parse_module, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from opspec_lint.cpp.source_lists import SourceLists

_MAX_TEXT = 1_000
"""Characters of a text that may be a path."""
_ENDS = frozenset({"exit", "_exit", "abort"})
_LISTS_FOLDER = frozenset({"listdir", "walk", "scandir", "iterdir", "glob", "rglob", "iglob"})
_REMOVES = frozenset({"remove", "discard", "difference", "difference_update"})
_BUILD_NOTHING = frozenset({"exports_files", "licenses", "package", "package_group", "print", "test_suite", "fail"})
_TEST = pattern(r"(?:^|_)tests?\Z")
_ARGUMENTS_WITHOUT_SOURCES = frozenset(
    {"packages", "package_data", "data_files", "py_modules", "include_dirs", "library_dirs", "name", "visibility"}
)
_MAKE_PATHS = frozenset({"join", "abspath", "normpath", "Path", "str"})
_TOOLS = frozenset({"setuptools", "distutils", "torch", "wheel", "numpy", "packaging", "pybind11", "Cython", "skbuild"})
"""Modules, besides those of Python itself, that add no source to an extension by themselves."""


def find_lists(text: str, lists: SourceLists) -> None:
    """Record the lists of sources in a build file.

    Raises:
        SyntaxError: the text is not Python, such as a script of Python 2.
    """
    try:
        tree = parse_module(text)
        names = (node for node in walk(tree) if isinstance(node, ast.Name))
        used = {name.id for name in names if isinstance(name.ctx, ast.Load)}
        _Finder(used, lists).read(tree.body)
    except (ValueError, RecursionError, MemoryError) as error:
        raise SyntaxError(str(error)) from None


class _Finder:
    """A walk over the statements of a build file in their order.

    `_used` are the names that the file reads, `_loaded` those that it loads from other files. `_assigned` has a mark of
    the lists (`SourceLists.mark`) at the assignment of each variable.
    """

    def __init__(self, used: set[str], lists: SourceLists) -> None:
        self._used = used
        self._lists = lists
        self._loaded: set[str] = set()
        self._is_certain = True
        self._assigned: dict[str, int] = {}

    def read(self, body: Iterable[ast.stmt]) -> None:
        """Record the lists in statements, up to one that ends the block."""
        for statement in body:
            self._statement(statement)
            if _ends(statement):
                return

    def _statement(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.If):
            self._if(statement)
        elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if statement.name in self._used or statement.decorator_list:
                self.read(statement.body)
        elif isinstance(statement, ast.ClassDef):
            self._class(statement)
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            self._import(statement)
        elif isinstance(statement, (ast.For, ast.While, ast.With, ast.Try)):
            self._nested(statement)
        elif isinstance(statement, (ast.Assign, ast.AugAssign)):
            self._assignment(statement)
        elif not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
            for child in ast.iter_child_nodes(statement):
                if isinstance(child, ast.expr):
                    self._expression(child)

    def _assignment(self, statement: ast.Assign | ast.AugAssign) -> None:
        """Record the lists that are assigned or added to a variable that the file reads."""
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        name = target.id if isinstance(target, ast.Name) else None
        if isinstance(statement, ast.Assign) and name is not None:
            if name in self._used:
                self._assigned[name] = self._lists.mark()
                self._expression(statement.value)
            return
        for child in ast.iter_child_nodes(statement):
            if isinstance(child, ast.expr):
                self._expression(child)
        # Between the assignment and the addition there may be lists of other variables: if more files than are count as
        # compiled together, a declaration in one of them is unresolved, which is reported.
        if name is not None and name in self._assigned and self._is_certain:
            self._lists.join(self._assigned[name])

    def _class(self, statement: ast.ClassDef) -> None:
        for member in statement.body:
            # A base class calls the methods of a subclass (`build_ext.run`), which no text of the file shows.
            if isinstance(member, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.read(member.body)
            else:
                self._statement(member)

    def _if(self, statement: ast.If) -> None:
        holds = _constant(statement.test)
        self._expression(statement.test)
        before = self._is_certain
        self._is_certain = before and holds is not None
        if holds is not False:
            self.read(statement.body)
        if holds is not True:
            self.read(statement.orelse)
        self._is_certain = before

    def _nested(self, statement: ast.For | ast.While | ast.With | ast.Try) -> None:
        """Record the lists in a loop, `with` or `try`, whose blocks may run or not."""
        if isinstance(statement, ast.While) and _constant(statement.test) is False:
            return
        before = self._is_certain
        self._is_certain = before and isinstance(statement, ast.With)
        if isinstance(statement, ast.For):
            self._expression(statement.iter)
        for name in ("body", "orelse", "finalbody"):
            self.read(getattr(statement, name, ()))
        for handler in getattr(statement, "handlers", ()):
            self.read(handler.body)
        self._is_certain = before

    def _import(self, statement: ast.Import | ast.ImportFrom) -> None:
        """Take the names of a module that is not known as possible lists of sources."""
        modules = [alias.name for alias in statement.names] if isinstance(statement, ast.Import) else [statement.module]
        names = {(module or "").partition(".")[0] for module in modules}
        if not all(name in _TOOLS or name in sys.stdlib_module_names for name in names):
            self._lists.list_unknown(statement.lineno, f"the import of `{min(names)}`")

    def _expression(self, value: ast.AST) -> None:
        """Record the lists in an expression, depth first."""
        if isinstance(value, ast.Call):
            self._call(value)
        elif isinstance(value, ast.IfExp):
            self._choice(value)
        elif isinstance(value, ast.Compare):
            self._compare(value)
        elif isinstance(value, ast.BinOp):
            self._sum(value)
        elif isinstance(value, (ast.List, ast.Tuple, ast.Set)):
            self._list(value.elts)
        elif isinstance(value, (ast.Constant, ast.JoinedStr)):
            self._lists.list(_texts(value))
        elif isinstance(value, ast.Name):
            if value.id in self._loaded:
                self._lists.list_unknown(value.lineno, f"`{value.id}` of another file")
        else:
            for child in ast.iter_child_nodes(value):
                self._expression(child)

    def _sum(self, value: ast.BinOp) -> None:
        """Record a sum of lists as one list, and exclude the right side of a difference."""
        since = self._lists.mark()
        self._expression(value.left)
        if isinstance(value.op, ast.Sub):
            self._lists.exclude(_texts(value.right), is_certain=self._is_certain)
            return
        self._expression(value.right)
        is_chosen = any(isinstance(inner, ast.IfExp) for inner in ast.walk(value))
        if isinstance(value.op, ast.Add) and not is_chosen:
            self._lists.join(since)

    def _list(self, elements: list[ast.expr]) -> None:
        """Record the paths in a list as one list, for an extension compiles the whole list."""
        self._lists.list(text for element in elements if _is_path(element) for text in _texts(element))
        for element in elements:
            if not _is_path(element):
                self._expression(element)

    def _choice(self, value: ast.IfExp) -> None:
        """Record the lists in the branches of a conditional expression that may be chosen."""
        holds = _constant(value.test)
        for branch, is_dead in ((value.body, holds is False), (value.orelse, holds is True)):
            if not is_dead:
                self._expression(branch)

    def _compare(self, value: ast.Compare) -> None:
        """Record the paths that a condition excludes: `path not in [...]`."""
        if any(isinstance(operator, (ast.NotIn, ast.NotEq)) for operator in value.ops):
            self._lists.exclude(_texts(value), is_certain=self._is_certain)

    def _call(self, call: ast.Call) -> None:
        name = function_name(call.func)
        if name in _BUILD_NOTHING or _TEST.search(name) or _is_test_only(call):
            return
        if name == "load":
            self._loaded |= set(_texts(call))
            return
        excluded = [
            text
            for keyword in call.keywords
            if (keyword.arg or "").startswith("exclude")
            for text in _texts(keyword.value)
        ]
        if name in _REMOVES and isinstance(call.func, ast.Attribute):
            self._expression(call.func.value)
            removed = [text for value in call.args for text in _texts(value)]
            self._lists.exclude(removed, is_certain=self._is_certain)
            return
        values = [keyword.value for keyword in call.keywords if not _names_no_source(keyword.arg or "")]
        given = [*call.args, *values]
        if name in _LISTS_FOLDER:
            # `glob(["*.cc"], exclude = ["a.cc"])`: both halves are about the same files.
            patterns = [text for value in given for text in _texts(value)]
            self._lists.list(patterns, excluded)
            if not any("." in text for text in patterns):
                self._lists.list_unknown(call.lineno, f"`{name}()`")
            return
        self._lists.exclude(excluded, is_certain=False)
        if not isinstance(call.func, ast.Name):
            self._expression(call.func)
        for value in given:
            self._expression(value)


def _names_no_source(argument: str) -> bool:
    """Return whether an argument never names a source to compile."""
    return argument in _ARGUMENTS_WITHOUT_SOURCES or argument.startswith("exclude")


def _is_path(value: ast.expr) -> bool:
    """Return whether an element of a list is the path of one source, judged by its form."""
    if isinstance(value, (ast.Constant, ast.JoinedStr)):
        return True
    if isinstance(value, ast.BinOp):  # `here / "a.cc"` and `here + "/a.cc"`
        return isinstance(value.op, (ast.Div, ast.Add)) and _is_path(value.right)
    if isinstance(value, ast.Call) and value.args:
        return function_name(value.func) in _MAKE_PATHS and _is_path(value.args[-1])
    return False


def _is_test_only(call: ast.Call) -> bool:
    return any(keyword.arg == "testonly" and _constant(keyword.value) is True for keyword in call.keywords)


def _texts(value: ast.AST) -> Iterator[str]:
    """Yield the texts in an expression; the variables of `f"{here}/a.cc"` become `{}`."""
    if isinstance(value, ast.JoinedStr):
        yield "".join("{}" if isinstance(part, ast.FormattedValue) else "".join(_texts(part)) for part in value.values)
    elif isinstance(value, ast.Constant):
        if isinstance(value.value, str) and len(value.value) <= _MAX_TEXT:
            yield value.value
    else:
        for child in ast.iter_child_nodes(value):
            yield from _texts(child)


def function_name(function: ast.expr) -> str:
    """Return the name of a function that is called, "" for any other expression."""
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _constant(value: ast.expr) -> bool | None:
    """Return whether a constant condition holds, None for any other condition."""
    if isinstance(value, ast.Constant):
        return bool(value.value)
    if isinstance(value, ast.Compare) and isinstance(value.left, ast.Name) and value.left.id == "__name__":
        return True  # a build runs the file as the main program
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not):
        operand = _constant(value.operand)
        return None if operand is None else not operand
    if isinstance(value, ast.BoolOp):
        # One operand decides: a false one for `and`, a true one for `or`.
        decides = isinstance(value.op, ast.Or)
        values = [_constant(operand) for operand in value.values]
        if decides in values:
            return decides
        return None if None in values else not decides
    return None


def _ends(statement: ast.stmt) -> bool:
    """Return whether no statement behind this one runs."""
    if isinstance(statement, (ast.Return, ast.Raise)):
        return True
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Call) and function_name(value.func) in _ENDS
