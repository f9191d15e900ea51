"""Evaluation of Starlark, the language of BUILD and .bzl files, to lists of strings with the builds that have them.

The grammar of Starlark is a subset of Python's, so that Python's parser reads it; nothing is executed. A function of a
.bzl file of the tree is evaluated if it only returns a value, such as `if_mkl` of third_party/mkl/build_defs.bzl. Other
functions are conditions by their name (`builds.builds_where`), or are assumed to return the strings of their arguments.
"""

from __future__ import annotations

import ast
import posixpath
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import cached_property

from opspec_lint.cpp.python_uses import function_name
from opspec_lint.frameworks.tensorflow.extract.source.builds import EVERY, builds_where
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.python_text import parse_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Items = list[tuple[str, frozenset[str]]]
    """Strings, each with the builds in which it is in the list."""

_DEFAULT = "//conditions:default"
_OWN_REPOSITORY = "org_tensorflow"
_REPOSITORY_FILES = ("WORKSPACE", "MODULE.bazel", "tensorflow/workspace3.bzl")
"""Files that may declare a folder of the tree to be a repository of its own, as TensorFlow does with XLA."""
_LOCAL_REPOSITORY = pattern(
    r'\b(?:tf_vendored|local_repository|local_path_override)\s*\(\s*(?:module_)?name\s*=\s*"([^"]+)",'
    r'\s*(?:rel)?path\s*=\s*"([^"]+)"'
)
_LABEL = pattern(r"(?:@(\w*))?//([^:]*):?(.*)")
_MAX_CALLS = 20


class StarlarkLibrary:
    """The .bzl files of a tree, each parsed when one of its functions is needed.

    `text_of` returns the text of a file, None for a missing one.
    """

    def __init__(self, text_of: Callable[[str], str | None]) -> None:
        self._text_of = text_of
        self._files: dict[str, StarlarkFile | None] = {}

    @cached_property
    def _repositories(self) -> dict[str, str]:
        """The folders of the tree that are repositories, by the name of the repository."""
        texts = [self._text_of(path) or "" for path in _REPOSITORY_FILES]
        declared = {name: folder for text in texts for name, folder in _LOCAL_REPOSITORY.findall(text)}
        return {"": "", _OWN_REPOSITORY: "", **declared}

    def path_of_label(self, label: str, folder: str) -> str:
        """Return the path of the file that a label names; `folder` contains the file with the label.

        A label of a repository outside of the tree is returned as it is, and is the path of no file.
        """
        match = _LABEL.fullmatch(label)
        if match is None:
            return posixpath.join(folder, label.removeprefix(":"))
        repository, package, name = match.groups(default="")
        above = self._repositories.get(repository)
        return label if above is None else posixpath.join(above, *filter(None, (package, name)))

    def file(self, path: str) -> StarlarkFile | None:
        """Return a .bzl file, None if it is missing or cannot be parsed."""
        if path not in self._files:
            self._files[path] = None  # files may load each other
            text = self._text_of(path)
            if text is not None:
                with suppress(SyntaxError):  # treated as missing: functions are judged by their names
                    self._files[path] = StarlarkFile(posixpath.dirname(path), text, self, ())
        return self._files[path]


class StarlarkFile:
    """A parsed BUILD or .bzl file; a text that is not Starlark raises SyntaxError.

    Args:
        folder: the folder of the file.
        text: the text of the file.
        library: the .bzl files of the tree.
        files: the paths relative to the folder that `glob` may match.

    `calls` are the calls at the top level of the file, in its order.
    """

    def __init__(self, folder: str, text: str, library: StarlarkLibrary, files: Iterable[str]) -> None:
        self._folder = folder
        self._library = library
        self._files = tuple(files)
        self._variables: dict[str, Items] = {}
        self._functions: dict[str, ast.FunctionDef] = {}
        self._loaded: dict[str, tuple[str, str]] = {}
        self._depth = 0
        self.calls: list[ast.Call] = []
        try:
            tree = parse_module(text)
        except (ValueError, RecursionError, MemoryError) as error:
            raise SyntaxError(str(error)) from None
        for statement in tree.body:
            self._read_statement(statement)

    def _read_statement(self, statement: ast.stmt) -> None:
        """Record a function, the value of a variable, a `load`, or another call."""
        if isinstance(statement, ast.FunctionDef):
            self._functions[statement.name] = statement
        elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            self._variables[statement.targets[0].id] = self.items(statement.value)
        elif isinstance(statement, ast.Expr):
            value = statement.value
            if isinstance(value, ast.ListComp):  # a list of rules: read as one rule, without the loop variable
                value = value.elt
            if isinstance(value, ast.Call):
                if function_name(value.func) == "load":
                    self._load(value)
                else:
                    self.calls.append(value)

    def _load(self, call: ast.Call) -> None:
        """Record the symbols of a `load` statement, with the path of their file."""
        path, *names = [text for value in call.args for text, _ in self.items(value)] or [""]
        path = self._library.path_of_label(path, self._folder)
        symbols = {name: name for name in names}
        for keyword in call.keywords:
            for text, _ in self.items(keyword.value):
                symbols[keyword.arg or ""] = text
        self._loaded |= {name: (path, symbol) for name, symbol in symbols.items()}

    def items(self, value: ast.expr) -> Items:
        """Return the strings of an expression; parts of an unsupported form have none."""
        if isinstance(value, ast.Constant):
            return [(value.value, EVERY)] if isinstance(value.value, str) else []
        if isinstance(value, (ast.List, ast.Tuple, ast.Set)):
            return [item for element in value.elts for item in self.items(element)]
        if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
            return self._add_items(value)
        if isinstance(value, ast.Name):
            return self._variables.get(value.id, [])
        if isinstance(value, (ast.ListComp, ast.GeneratorExp)):
            return self._comprehension(value)
        if isinstance(value, ast.IfExp):
            return [*self.items(value.body), *self.items(value.orelse)]
        return self._call(value) if isinstance(value, ast.Call) else []

    def _add_items(self, value: ast.BinOp) -> Items:
        """Return the strings of a sum: two strings are joined, lists are concatenated."""
        left, right = self.items(value.left), self.items(value.right)
        if _is_text(value) and len(left) == len(right) == 1:
            return [(left[0][0] + right[0][0], left[0][1] & right[0][1])]
        return [*left, *right]

    def _comprehension(self, value: ast.ListComp | ast.GeneratorExp) -> Items:
        """Return the strings of a comprehension with a single loop variable."""
        generator = value.generators[0]
        if len(value.generators) != 1 or not isinstance(generator.target, ast.Name):
            return []
        result: Items = []
        for item in self.items(generator.iter):
            result += self._items_with({generator.target.id: [item]}, value.elt)
        return result

    def _items_with(self, variables: dict[str, Items], value: ast.expr) -> Items:
        """Return the strings of an expression, with some variables bound to other values."""
        before = self._variables
        self._variables = before | variables
        try:
            return self.items(value)
        finally:
            self._variables = before

    def _call(self, call: ast.Call) -> Items:
        """Return the strings of a call: a built-in, a function of the tree, a condition, or else its arguments."""
        name = function_name(call.func)
        if name == "glob":
            return self._glob(call)
        if name == "select" and call.args and isinstance(call.args[0], ast.Dict):
            return self._select(call.args[0])
        given = [self.items(value) for value in call.args]
        named = {keyword.arg or "": self.items(keyword.value) for keyword in call.keywords}
        result = self.call_function(name, given, named)
        if result is not None:
            return result
        values = [*given, *named.values()]
        if name.startswith("if_") and values:
            holds = builds_where(name)
            chosen = [(text, builds & holds) for text, builds in values[0]]
            return [*chosen, *((text, builds - holds) for value in values[1:] for text, builds in value)]
        return [item for value in values for item in value]

    def call_function(self, name: str, given: list[Items], named: dict[str, Items]) -> Items | None:
        """Return the result of a function of the tree; None if it is unknown or is more than a return statement."""
        if name in self._loaded:
            path, symbol = self._loaded[name]
            home = self._library.file(path)
            return None if home is None else home.call_function(symbol, given, named)
        function = self._functions.get(name)
        body = [] if function is None else function.body[isinstance(function.body[0], ast.Expr) :]
        if function is None or len(body) != 1 or not isinstance(body[0], ast.Return) or self._depth >= _MAX_CALLS:
            return None
        parameters = [argument.arg for argument in function.args.args]
        defaults = function.args.defaults
        values = dict(zip(parameters[len(parameters) - len(defaults) :], map(self.items, defaults), strict=True))
        values |= {
            **{parameter: [] for parameter in parameters[len(given) :]},
            **values,
            **dict(zip(parameters, given, strict=False)),
        }
        self._depth += 1
        try:
            return [] if body[0].value is None else self._items_with(values | named, body[0].value)
        finally:
            self._depth -= 1

    def _glob(self, call: ast.Call) -> Items:
        """Return the files that a `glob` matches."""
        patterns = {keyword.arg: self.items(keyword.value) for keyword in call.keywords}
        included = self.items(call.args[0]) if call.args else patterns.get("include", [])
        excluded = patterns.get("exclude", [])
        return [
            (path, EVERY)
            for path in self._files
            if any(_matches(path, text) for text, _ in included)
            and not any(_matches(path, text) for text, _ in excluded)
        ]

    def _select(self, choices: ast.Dict) -> Items:
        """Return the strings of a `select`, each with the builds in which its setting is the first true one."""
        result: Items = []
        left = EVERY
        default: ast.expr | None = None
        for key, value in zip(choices.keys, choices.values, strict=True):
            setting = next((text for text, _ in self.items(key)), "") if key is not None else ""
            if setting == _DEFAULT:
                default = value
                continue
            holds = builds_where(setting.rpartition(":")[2]) & left
            left -= holds
            result += [(text, builds & holds) for text, builds in self.items(value)]
        if default is not None:
            result += [(text, builds & left) for text, builds in self.items(default)]
        return result


def _matches(path: str, text: str) -> bool:
    """Tell whether a path matches a pattern of `glob`, where `**` is any number of folders."""
    if "**" in text:
        return fnmatchcase(path, text.replace("**/", "*").replace("**", "*"))
    return text.count("/") == path.count("/") and fnmatchcase(path, text)


def _is_text(value: ast.expr) -> bool:
    """Tell whether a sum is of strings: an operand is a string literal."""
    if isinstance(value, ast.BinOp):
        return _is_text(value.left) or _is_text(value.right)
    return isinstance(value, ast.Constant)
