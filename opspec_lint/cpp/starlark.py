"""The rules of a BUILD file of Bazel: its calls, and the rules that macros of the tree make.

A macro is followed if each statement that decides about its rules can be evaluated; nothing is executed.
"""

from __future__ import annotations

import ast
import posixpath
from contextlib import suppress
from fnmatch import fnmatchcase
from typing import Generic, TypeVar

from opspec_lint.cpp.python_uses import function_name
from opspec_lint.cpp.starlark_lists import Listing, TooLongError
from opspec_lint.cpp.starlark_values import Evaluator
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.python_text import parse_module, walk
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from opspec_lint.cpp.starlark_lists import Cases

W = TypeVar("W")

_LABEL = pattern(r"(?:@(\w*))?//([^:]*):?(.*)")
_MAX_CALLS = 20
"""Functions that call each other."""
_NO_RULES = frozenset({"print", "load", "package", "licenses", "exports_files", "package_group", "visibility"})
_CHANGES = frozenset({"append", "extend", "insert", "update"})


class Call(Record):
    """A call that makes a rule: the function, its arguments, and the place of the call.

    `given` are the arguments without names, `named` the others.
    """

    kind: str
    given: tuple[object, ...]
    named: Mapping[str, object]
    place: tuple[str, int]


class Library(Generic[W]):
    """The .bzl files of a tree, each parsed when one of its functions is needed.

    Args:
        text_of: returns the text of a file, None for a missing one.
        cases: the algebra of the cases in which a list has an element.
        repositories: returns the folders of the tree that are repositories, by the name of the repository.
    """

    def __init__(
        self, text_of: Callable[[str], str | None], cases: Cases[W], repositories: Callable[[], Mapping[str, str]]
    ) -> None:
        self._text_of = text_of
        self._repositories = repositories
        self._files: dict[str, File[W] | None] = {}
        self.cases = cases
        self.depth = 0
        """The functions that are being evaluated."""
        self.package_files: tuple[str, ...] = ()
        """The files that `glob` in a macro may match: those of the package whose BUILD file calls it."""

    def path_of_label(self, label: str, folder: str) -> str:
        """Return the path of the file that a label names; `folder` contains the file with the label.

        A label of a repository outside of the tree is returned as it is, and is the path of no file.
        """
        match = _LABEL.fullmatch(label)
        if match is None:
            return posixpath.join(folder, label.removeprefix(":"))
        repository, package, name = match.groups(default="")
        above = self._repositories().get(repository)
        return label if above is None else posixpath.join(above, *filter(None, (package, name)))

    def file(self, path: str) -> File[W] | None:
        """Return a .bzl file, None if it is missing or cannot be parsed."""
        if path not in self._files:
            self._files[path] = None  # files may load each other
            text = self._text_of(path)
            if text is not None:
                with suppress(SyntaxError):  # treated as missing: functions are judged by their names
                    self._files[path] = File(path, text, self, ())
        return self._files[path]


class File(Generic[W]):
    """A parsed BUILD or .bzl file; a text that is not Starlark raises SyntaxError.

    Args:
        path: the path of the file.
        text: the text of the file.
        library: the .bzl files of the tree.
        files: the paths relative to its folder that `glob` may match.
    """

    def __init__(self, path: str, text: str, library: Library[W], files: Iterable[str]) -> None:
        self.path = path
        self.folder = posixpath.dirname(path)
        self._library = library
        self.files = tuple(files)
        self._variables: dict[str, object] = {}
        self._functions: dict[str, ast.FunctionDef] = {}
        self._loaded: dict[str, tuple[str, str]] = {}
        self._results: dict[tuple[object, ...], object] = {}
        """The results of functions whose arguments are texts or numbers."""
        self.calls: list[Call] = []
        """The calls at the top of the file that make rules, in its order."""
        try:
            tree = parse_module(text)
        except (ValueError, RecursionError, MemoryError) as error:
            raise SyntaxError(str(error)) from None
        for statement in tree.body:
            with suppress(TooLongError, RecursionError):
                self._read_statement(statement)

    def _read_statement(self, statement: ast.stmt) -> None:
        """Record a function, the value of a variable, a `load`, or another call."""
        if isinstance(statement, ast.FunctionDef):
            self._functions[statement.name] = statement
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, (ast.Call, ast.ListComp)):
            if isinstance(statement.value, ast.Call) and function_name(statement.value.func) == "load":
                self._load(statement.value)
            else:
                self.calls += _Body(self, self._variables, None).calls_of(statement.value)
        elif isinstance(statement, (ast.Assign, ast.AugAssign)):
            body = _Body(self, self._variables, None)
            with suppress(_NotFollowedError):
                body.run([statement])
            self._variables = body.variables

    def _load(self, call: ast.Call) -> None:
        """Record the symbols of a `load` statement, with the path of their file."""
        evaluator = self.evaluator({})
        path, *names = [text for value in call.args for text, _ in evaluator.texts(evaluator.value(value))] or [""]
        path = self._library.path_of_label(path, self.folder)
        symbols = {name: name for name in names}
        for keyword in call.keywords:
            for text, _ in evaluator.texts(evaluator.value(keyword.value)):
                symbols[keyword.arg or ""] = text
        self._loaded |= {name: (path, symbol) for name, symbol in symbols.items()}

    def evaluator(self, variables: Mapping[str, object]) -> Evaluator[W]:
        """Return an evaluator of expressions of the file, with local variables."""
        return Evaluator(self, self._library.cases, variables)

    def texts(self, value: object) -> list[tuple[str, W]]:
        """Return the texts in a value, each with the cases that have it."""
        return self.evaluator({}).texts(value)

    def variable(self, name: str) -> object | None:
        """Return the value of a variable at the top of the file or of one that it loads; None if it is unknown."""
        if name in self._loaded:
            path, symbol = self._loaded[name]
            home = self._library.file(path)
            return None if home is None else home.variable(symbol)
        return self._variables.get(name)

    def function(self, name: str) -> tuple[File[W], ast.FunctionDef] | None:
        """Return a function of the tree that the file defines or loads, with its file."""
        if name in self._loaded:
            path, symbol = self._loaded[name]
            home = self._library.file(path)
            return None if home is None or home is self else home.function(symbol)
        return (self, self._functions[name]) if name in self._functions else None

    def contains_end(self, name: str, ends: tuple[str, ...]) -> bool:
        """Return whether a function of the tree contains a text with one of these ends."""
        known = self.function(name)
        nodes = () if known is None else walk(known[1])
        texts = (node.value for node in nodes if isinstance(node, ast.Constant))
        return any(isinstance(text, str) and text.endswith(ends) for text in texts)

    def call_function(self, name: str, given: list[object], named: Mapping[str, object]) -> object | None:
        """Return the result of a function of the tree; None if it is unknown or cannot be evaluated."""
        key = name, *given, *named.items()
        # Functions such as `copts()` are called by most rules.
        is_simple = all(isinstance(value, (str, int)) for value in (*given, *named.values()))
        if is_simple and key in self._results:
            return _copy(self._results[key])
        try:
            result = self.execute(name, given, named, None)
        except _NotFollowedError:
            result = None
        if is_simple:
            self._results[key] = _copy(result)
        return result

    def expand(self, call: Call) -> list[Call] | None:
        """Return the rules that a macro of the tree makes; None if it is not of the tree, or cannot be followed."""
        calls: list[Call] = []
        try:
            self.execute(call.kind, list(call.given), call.named, calls)
        except _NotFollowedError:
            return None
        return calls

    def execute(
        self, name: str, given: list[object], named: Mapping[str, object], calls: list[Call] | None
    ) -> object | None:
        """Evaluate a function of the tree, and add the rules that it makes to `calls`.

        Raises:
            _NotFollowedError: there is no such function, or it cannot be evaluated.
        """
        known = self.function(name)
        if known is None or self._library.depth >= _MAX_CALLS:
            raise _NotFollowedError
        home, function = known
        if not self._library.depth:
            self._library.package_files = self.files
        self._library.depth += 1
        try:
            body = _Body(home, home.bind(function, given, named), calls)
            returned = body.run(function.body)
        except (TooLongError, RecursionError):
            raise _NotFollowedError from None
        finally:
            self._library.depth -= 1
        return Listing[W]() if returned is None or returned.value is None else returned.value

    def bind(self, function: ast.FunctionDef, given: list[object], named: Mapping[str, object]) -> dict[str, object]:
        """Return the variables of a function that is called with these arguments."""
        arguments = function.args
        names = [argument.arg for argument in arguments.args]
        evaluator = self.evaluator({})
        values: dict[str, object] = {}
        for name, default in zip(reversed(names), reversed(arguments.defaults), strict=False):
            values[name] = evaluator.value(default)
        for argument, inner in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            if inner is not None:
                values[argument.arg] = evaluator.value(inner)
        values |= dict(zip(names, given, strict=False))
        known = {*names, *(argument.arg for argument in arguments.kwonlyargs)}
        values |= {name: value for name, value in named.items() if name in known}
        if arguments.kwarg is not None:
            values[arguments.kwarg.arg] = {name: value for name, value in named.items() if name not in known}
        if arguments.vararg is not None:
            values[arguments.vararg.arg] = evaluator.listed(given[len(names) :])
        return {name: evaluator.unknown(function) for name in known} | values

    def glob(self, included: Iterable[str], excluded: Iterable[str]) -> list[str]:
        """Return the files of the package that patterns match."""
        included, excluded = tuple(included), tuple(excluded)
        return [
            path
            for path in (self._library.package_files if self._library.depth else self.files)
            if any(_matches(path, text) for text in included) and not any(_matches(path, text) for text in excluded)
        ]


class _NotFollowedError(Exception):
    """A function that is not in the tree, or that has a statement which cannot be evaluated."""


class _Returned(Record):
    """The value that a function returns."""

    value: object


class _Body(Generic[W]):
    """The evaluation of the statements of a function; `calls` receives the rules that it makes, None for none."""

    def __init__(self, file: File[W], variables: Mapping[str, object], calls: list[Call] | None) -> None:
        self._file = file
        self._evaluator = file.evaluator(variables)
        self._calls = calls

    @property
    def variables(self) -> dict[str, object]:
        """The local variables."""
        return self._evaluator.variables

    def run(self, statements: Iterable[ast.stmt]) -> _Returned | None:
        """Evaluate statements, up to one that returns."""
        for statement in statements:
            returned = self._statement(statement)
            if returned is not None:
                return returned
        return None

    def _statement(self, statement: ast.stmt) -> _Returned | None:
        evaluate = self._evaluator.value
        if isinstance(statement, ast.Return):
            return _Returned(value=None if statement.value is None else evaluate(statement.value))
        if isinstance(statement, ast.If):
            holds = self._evaluator.truth(evaluate(statement.test))
            if holds is None:
                raise _NotFollowedError
            return self.run(statement.body if holds else statement.orelse)
        if isinstance(statement, ast.For):
            return self._for(statement)
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            self._assign(statement.targets[0], evaluate(statement.value))
        elif isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add):
            before = evaluate(statement.target)
            self._assign(statement.target, self._evaluator.sum(before, evaluate(statement.value), statement))
        elif isinstance(statement, ast.Expr):
            self._expression(statement.value)
        elif not isinstance(statement, ast.Pass):
            raise _NotFollowedError
        return None

    def _for(self, statement: ast.For) -> _Returned | None:
        elements = self._evaluator.plain(self._evaluator.elements(statement.iter))
        if not isinstance(elements, tuple) or any(
            isinstance(node, (ast.Continue, ast.Break)) for node in ast.walk(statement)
        ):
            raise _NotFollowedError
        for element in elements:
            self._evaluator.bind(statement.target, self._evaluator.listed(element))
            returned = self.run(statement.body)
            if returned is not None:
                return returned
        return None

    def _assign(self, target: ast.expr, value: object) -> None:
        if isinstance(target, ast.Subscript):
            container, key = self._evaluator.value(target.value), self._evaluator.value(target.slice)
            if not isinstance(container, dict) or not isinstance(key, str):
                raise _NotFollowedError
            container[key] = value
        elif isinstance(target, (ast.Name, ast.Tuple)):
            self._evaluator.bind(target, value)
        else:
            raise _NotFollowedError

    def _expression(self, value: ast.expr) -> None:
        """Evaluate an expression whose value is not used."""
        if isinstance(value, ast.Constant):
            return
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _CHANGES:
            self._change(value, value.func)
        elif self._calls is None or not isinstance(value, (ast.Call, ast.ListComp)):
            raise _NotFollowedError
        else:
            for call in self.calls_of(value):
                if call.kind == "fail":
                    raise _NotFollowedError
                made = self._file.expand(call)
                self._calls += [call] if made is None else made

    def _change(self, call: ast.Call, function: ast.Attribute) -> None:
        """Evaluate `list.append(x)` and similar calls."""
        container = self._evaluator.value(function.value)
        given = [self._evaluator.value(argument) for argument in call.args]
        if isinstance(container, dict) and function.attr == "update" and given and isinstance(given[0], dict):
            container.update(given[0])
            return
        if not isinstance(container, Listing) or not given or function.attr == "update":
            raise _NotFollowedError
        added = given[-1] if function.attr == "extend" else self._evaluator.listed([given[-1]])
        total = self._evaluator.sum(container, added, call)
        if not isinstance(total, Listing):
            raise _NotFollowedError
        container.items, container.is_partial, container.unknown = total.items, total.is_partial, total.unknown

    def calls_of(self, value: ast.Call | ast.ListComp) -> list[Call]:
        """Return the rules of a call, or of a comprehension of calls."""
        if isinstance(value, ast.Call):
            kind = function_name(value.func)
            if kind in _NO_RULES - {"package"}:
                return []
            given = tuple(self._evaluator.value(argument) for argument in value.args)
            named = self._evaluator.named_arguments(value)
            return [Call(kind=kind, given=given, named=named, place=(self._file.path, value.lineno))]
        element, calls = value.elt, []
        if isinstance(element, ast.Call):
            outcome = self._evaluator.loop(value.generators, lambda _: calls.extend(self.calls_of(element)))
            if outcome.unknown is not None or (outcome.is_partial and not calls):
                calls = self.calls_of(element)  # read as one rule, without the variable of the loop
        return calls


def _copy(value: object) -> object:
    """Return a copy of a result, as a caller may add elements to a list."""
    if isinstance(value, Listing):
        return Listing(value.items, is_partial=value.is_partial, unknown=value.unknown)
    return dict(value) if isinstance(value, dict) else value


def _matches(path: str, text: str) -> bool:
    """Return whether a path matches a pattern of `glob`, where `**` is any number of folders."""
    if "**" in text:
        return fnmatchcase(path, text.replace("**/", "*").replace("**", "*"))
    return text.count("/") == path.count("/") and fnmatchcase(path, text)
