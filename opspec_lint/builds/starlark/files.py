"""The rules of a BUILD file of Bazel: its calls, and the rules that macros of the tree make.

A macro is followed if each statement that decides about its rules can be evaluated; nothing is executed.
"""

from __future__ import annotations

import ast
import posixpath
from contextlib import suppress
from fnmatch import fnmatchcase
from typing import TypeVar

from opspec_lint.builds.limits import MAX_STARLARK_STEPS, MAX_STARLARK_TOTAL
from opspec_lint.builds.python_uses import function_name
from opspec_lint.builds.starlark.lists import Listing
from opspec_lint.builds.starlark.statements import Body, Call, NotFollowedError, makes_rules
from opspec_lint.builds.starlark.values import Evaluator
from opspec_lint.cpp.steps import StepLimit, TooLongError
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.python_text import parse_module, walk
from opspec_lint.kit.record import Generic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from opspec_lint.builds.starlark.lists import Cases

W = TypeVar("W")

_LABEL = pattern(r"(?:@([\w.-]*))?//([^:]*):?(.*)")
_REPOSITORY = pattern(r"(?:@@(?=//)|@)([\w.-]*)(//.*)?")
_FOREIGN = "@"
"""The beginning of a label of a repository outside of the tree."""
_MAX_CALLS = 20
"""Functions that call each other."""


class Library(Generic[W]):
    """The .bzl files of a tree, each parsed when one of its functions is needed.

    Args:
        text_of: returns the text of a file, None for a missing one.
        cases: the algebra of the cases in which a list has an element.
        repositories: returns the folders of the tree that are repositories, by the name of the repository.
        unused: arguments of rules that are not evaluated.
        skipped: rules of Bazel itself that are not evaluated.
    """

    def __init__(
        self,
        text_of: Callable[[str], str | None],
        cases: Cases[W],
        repositories: Callable[[], Mapping[str, str]],
        unused: Collection[str] = (),
        skipped: Collection[str] = (),
    ) -> None:
        self._text_of = text_of
        self._repositories = repositories
        self._files: dict[str, File[W] | None] = {}
        self.cases = cases
        self.unused = unused
        self.skipped = skipped
        self.depth = 0
        """The functions that are being evaluated."""
        self.caller: File[W] | None = None
        """The file whose call is being evaluated: `glob` and `package_name` in a macro are about its package."""
        self.steps = StepLimit(MAX_STARLARK_TOTAL, largest=MAX_STARLARK_STEPS)

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

    def own_label(self, label: str) -> str:
        """Return a label that begins with a repository, without it if the tree itself is the repository."""
        match = _REPOSITORY.fullmatch(label)
        if match is None or self._repositories().get(match[1]) != "":
            return label
        return match[2] or f"//:{match[1]}"

    def file(self, path: str) -> File[W] | None:
        """Return a .bzl file, None if it is missing or cannot be parsed."""
        if path not in self._files:
            self._files[path] = None  # files may load each other
            text = None if path.startswith(_FOREIGN) else self._text_of(path)
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
        self.steps = library.steps
        self.unused = library.unused
        self.files = tuple(files)
        self._functions: dict[str, ast.FunctionDef] = {}
        self._loaded: dict[str, tuple[str, str]] = {}
        self._results: dict[tuple[object, ...], object] = {}
        """The results of functions whose arguments are texts or numbers."""
        self.patterns: dict[str, None] = {}
        """The patterns of each `glob`, in the order of evaluation."""
        self.calls: list[Call[W]] = []
        """The calls at the top of the file that make rules, in its order."""
        try:
            tree = parse_module(text)
        except (ValueError, RecursionError, MemoryError) as error:
            raise SyntaxError(str(error)) from None
        self._top: Body[W] = Body(self, {}, None)
        for statement in tree.body:
            with self.steps.evaluation():
                try:
                    self._read_statement(statement)
                # The file decides what is evaluated, so that any error is possible.
                except Exception:
                    self._read_unknown(statement)

    def _read_statement(self, statement: ast.stmt) -> None:
        """Record a function, the value of a variable, a `load`, or another call.

        Raises:
            NotFollowedError: the statement cannot be evaluated.
        """
        value = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(statement, ast.FunctionDef):
            self._functions[statement.name] = statement
        elif isinstance(value, ast.Call) and function_name(value.func) == "load":
            self._load(value)
        elif value is not None and makes_rules(value):
            if not (isinstance(value, ast.Call) and self._is_skipped(function_name(value.func))):
                self.calls += self._top.calls_of(value)
        else:
            self._top.run([statement])

    def _is_skipped(self, kind: str) -> bool:
        """Return whether a call makes a rule of Bazel itself that is not evaluated."""
        is_own = kind in self._functions or not self._loaded.get(kind, (_FOREIGN, ""))[0].startswith(_FOREIGN)
        return kind in self._library.skipped and not is_own

    def _read_unknown(self, statement: ast.stmt) -> None:
        """Record a statement that cannot be evaluated: it may change its variables, and make rules of its texts."""
        place = (self.path, statement.lineno)
        value = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(statement, (ast.Assign, ast.AugAssign)):
            changed: list[ast.AST] = [*statement.targets] if isinstance(statement, ast.Assign) else [statement.target]
        elif value is not None and makes_rules(value):
            changed = []
        else:
            changed = [statement]
        names = {node.id for target in changed for node in walk(target) if isinstance(node, ast.Name)}
        self._top.variables.update((name, Listing[W](unknown=place)) for name in names)
        if not isinstance(statement, (ast.Assign, ast.AugAssign)):
            constants = [node.value for node in walk(statement) if isinstance(node, ast.Constant)]
            texts = [(text, self._library.cases.every) for text in constants if isinstance(text, str)]
            kind = function_name(value.func) if isinstance(value, ast.Call) else "statement"
            given = (Listing(texts, unknown=place),)
            self.calls.append(Call(kind=kind, given=given, named={}, strings={"": texts}, place=place))

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
        return Evaluator(self, self._library.cases, variables, self.steps)

    def own_label(self, label: str) -> str:
        """Return a label that begins with a repository, without it if the tree itself is the repository."""
        return self._library.own_label(label)

    @property
    def package(self) -> str:
        """The folder of the BUILD file whose rules are evaluated."""
        return self._caller.folder

    @property
    def _caller(self) -> File[W]:
        """The file whose call is being evaluated."""
        return self._library.caller if self._library.depth and self._library.caller is not None else self

    def texts(self, value: ast.expr) -> list[tuple[str, W]]:
        """Return the texts in the value of an expression, each with the cases that have it; none if it is unknown."""
        evaluator = self.evaluator({})
        with self.steps.evaluation(), suppress(TooLongError, RecursionError):
            return evaluator.texts(evaluator.value(value))
        return []

    def _definition(self, name: str) -> tuple[File[W], str] | None:
        """Return the file that defines a name or may do so, and the name there; None if no file of the tree does."""
        home, visited = self, set[tuple[str, str]]()
        while (loaded := home._loaded.get(name)) is not None:
            file = None if loaded in visited else self._library.file(loaded[0])
            if file is None:  # a file that is missing, or files that load the name from each other
                return None
            visited.add(loaded)
            home, name = file, loaded[1]
        return home, name

    def variable(self, name: str) -> object | None:
        """Return the value of a variable at the top of the file or of one that it loads; None if it is unknown."""
        definition = self._definition(name)
        return None if definition is None else definition[0]._top.variables.get(definition[1])  # noqa: SLF001

    def function(self, name: str) -> tuple[File[W], ast.FunctionDef] | None:
        """Return a function of the tree that the file defines or loads, with its file."""
        definition = self._definition(name)
        function = None if definition is None else definition[0]._functions.get(definition[1])  # noqa: SLF001
        return None if definition is None or function is None else (definition[0], function)

    def is_known_rule(self, name: str) -> bool:
        """Return whether a name is a rule of Bazel itself: the file neither defines nor loads it."""
        return name not in self._loaded and name not in self._functions and self.variable(name) is None

    def contains_end(self, name: str, ends: tuple[str, ...]) -> bool:
        """Return whether a function of the tree contains a text with one of these ends."""
        known = self.function(name)
        nodes = () if known is None else walk(known[1])
        texts = (node.value for node in nodes if isinstance(node, ast.Constant))
        return any(isinstance(text, str) and text.endswith(ends) for text in texts)

    def call_function(self, name: str, given: list[object], named: Mapping[str, object]) -> object | None:
        """Return the result of a function of the tree; None if it is unknown or cannot be evaluated."""
        # Functions such as `copts()` are called by most rules. Their result depends on the package, and on how many
        # further calls are followed.
        values = [*given, *named.values()]
        key = (self.package, self._library.depth, name, len(given), *named, *((type(value), value) for value in values))
        is_simple = all(isinstance(value, (str, int)) for value in values)
        if is_simple and key in self._results:
            return _copy(self._results[key])
        try:
            result = self.execute(name, given, named, None)
        except NotFollowedError:
            result = None
        if is_simple:
            self._results[key] = _copy(result)
        return result

    def expand(self, call: Call[W]) -> list[Call[W]] | None:
        """Return the rules that a macro of the tree makes; None if it is not of the tree, or cannot be followed."""
        calls: list[Call[W]] = []
        try:
            with self.steps.evaluation():
                self.execute(call.kind, list(call.given), call.named, calls)
        # The macro decides what is evaluated, so that any error is possible.
        except Exception:
            return None
        return calls

    def execute(
        self, name: str, given: list[object], named: Mapping[str, object], calls: list[Call[W]] | None
    ) -> object | None:
        """Evaluate a function of the tree, and add the rules that it makes to `calls`.

        Raises:
            NotFollowedError: there is no such function, or it cannot be evaluated.
            TooLongError, RecursionError: the evaluation under way takes too long.
        """
        known = self.function(name)
        if known is None or self._library.depth >= _MAX_CALLS:
            raise NotFollowedError
        home, function = known
        if not self._library.depth:
            self._library.caller = self
        self._library.depth += 1
        try:
            body = Body(home, home.bind(function, given, named), calls)
            returned = body.run(function.body)
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
        included, excluded, files = tuple(included), tuple(excluded), self._caller.files
        self._caller.patterns.update(dict.fromkeys(included))
        self.steps.spend(len(files) * (len(included) + len(excluded)) // 20)
        return [
            path
            for path in files
            if any(_matches(path, text) for text in included) and not any(_matches(path, text) for text in excluded)
        ]


def _copy(value: object) -> object:
    """Return a copy of a result, as a caller may add elements to a list."""
    if isinstance(value, Listing):
        return Listing(value.items, is_partial=value.is_partial, unknown=value.unknown)
    return dict(value) if isinstance(value, dict) else value


def _matches(path: str, text: str) -> bool:
    """Return whether a path matches a pattern of `glob`: `*` is a part of a name, `**` any number of folders.

    Nothing else is special: https://bazel.build/reference/be/functions#glob
    """
    parts, ends = path.split("/"), {0}
    for segment in text.replace("[", "[[]").replace("?", "[?]").split("/"):
        if segment == "**":
            ends = set(range(min(ends, default=len(parts) + 1), len(parts) + 1))
        else:
            ends = {end + 1 for end in ends if end < len(parts) and fnmatchcase(parts[end], segment)}
    return len(parts) in ends
