"""The Python files of a tree that define ops, or call a function that does, and the ops that they define."""

from __future__ import annotations

import ast
import re
from functools import partial

from opspec_lint.frameworks.pytorch.extract.python.library import Definitions
from opspec_lint.frameworks.pytorch.extract.python.state import Frame, StepsExceededError
from opspec_lint.frameworks.pytorch.extract.python.values import Function, Instance, Module
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS, NEVER, both
from opspec_lint.spec.model import Origin, Remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.frameworks.pytorch.schemas.table import Line
    from opspec_lint.spec.condition import Condition

MARKS = (b".define(", b"library import", b"custom_op", b"triton_op", b"infer_schema")
"""One of these is in every file that defines ops by itself."""
_FOREIGN = frozenset(("torch", "typing", "functools", "sys", "os", "collections", "contextlib", "builtins", "re"))
"""Packages that a folder of the same name in a tree does not stand for."""
_DEFINITION = pattern(r"^(?:async )?(?:def|class) (\w+)", "m")
_SHORTEST = 4
"""Characters of a name that is searched in other files."""
_MAX_ROUNDS = 3
"""How often files are searched for calls of what the last search found."""
_MAX_FILES = 1000
_MAX_OF_UNCALLED = 20_000
"""Steps of a function that no file calls."""


class Program(Definitions):
    """The evaluation of the files of a tree.

    Args:
        files: the content of each Python file, by path.
    """

    def __init__(self, files: Mapping[str, bytes]) -> None:
        super().__init__()
        self._files = files
        self._modules: dict[str, Module | None] = {}
        self._trees: dict[str, ast.Module | None] = {}
        self._by_name: dict[str, list[str]] = {}
        self._packages: dict[str, bool] = {}
        for path in files:
            parts = _dotted(path).split(".")
            self._by_name.setdefault(parts[-1], []).append(path)
        self._folders = {folder for path in files for folder in _around(path)}
        self._remarks: list[Remark] = []

    def definitions(self) -> Iterator[Line | Remark]:
        """Yield the ops that the files define, and remarks about definitions that cannot be evaluated."""
        paths = self._relevant()
        try:
            for path in paths:
                self._module(path)
            self._enter_uncalled()
        except (StepsExceededError, RecursionError) as error:
            reason = (
                "they take too many steps to evaluate" if isinstance(error, StepsExceededError) else "nested too deep"
            )
            self._note(paths[0], f"the ops of the Python files are not all known: {reason}")
        yield from self._remarks
        yield from self.results

    def is_package(self, name: str) -> bool:
        """Return whether a dotted name is a module or a folder of the tree."""
        if name not in self._packages:
            first, _, rest = name.partition(".")
            as_folder = name.replace(".", "/")
            is_own = bool(name) and first not in _FOREIGN
            self._packages[name] = is_own and (
                self._find(name) is not None
                or (bool(rest) and any(f"/{element}".endswith(f"/{as_folder}") for element in self._folders))
                or name in self._folders
            )
        return self._packages[name]

    def load(self, name: str) -> Module | None:
        """Return the module of a dotted name, evaluated; None for one that is not of the tree."""
        path = self._find(name)
        return None if path is None else self._module(path)

    def _find(self, name: str) -> str | None:
        """Return the file of a dotted name. The first folders of the path may be those that packages are in."""
        candidates = [
            path for path in self._by_name.get(name.rpartition(".")[2], ()) if f".{_dotted(path)}".endswith(f".{name}")
        ]
        if "." not in name:  # a short name is no part of another package
            candidates = [path for path in candidates if _dotted(path).count(".") <= 1]
        return min(candidates, key=lambda path: (len(path), path), default=None)

    def _module(self, path: str) -> Module | None:
        """Return the module of a file, which is evaluated once; None for one that is no Python."""
        if path not in self._modules:
            tree = self._parsed(path)
            if tree is None:
                self._modules[path] = None
                return None
            name = _dotted(path)
            is_folder = path.endswith("/__init__.py")
            module = Module(path, name, name if is_folder else name.rpartition(".")[0])
            self._modules[path] = module  # so that modules that import each other find it
            outer = self.condition, self.condition_line
            self.condition, self.condition_line = ALWAYS, None
            self.run(tree.body, Frame(module.scope, module))
            self.condition, self.condition_line = outer
        return self._modules[path]

    def _parsed(self, path: str) -> ast.Module | None:
        if path not in self._trees:
            try:
                self._trees[path] = ast.parse(self._files[path])
            except (SyntaxError, ValueError, RecursionError, MemoryError, LookupError) as error:
                self._trees[path] = None
                self._note(path, f"the file is no Python: {type(error).__name__}", getattr(error, "lineno", None))
        return self._trees[path]

    def _note(self, path: str, reason: str, line: int | None = None) -> None:
        origin = Origin(file=path, line=line)
        remark = Remark(event="op_unresolved", name=path, op=None, digest=path, facts={"reason": reason}, origin=origin)
        self._remarks.append(remark)

    def _relevant(self) -> list[str]:
        """Return the files that define ops or call what does, by the names of functions; these become registrars."""
        chosen = {path for path, data in self._files.items() if any(mark in data for mark in MARKS)}
        searched, new = set(chosen), chosen
        for _ in range(_MAX_ROUNDS):
            names = {name for path in new for name in self._registrars_of(path)} - self.registrars
            self.registrars |= names
            long_names = sorted(name for name in names if len(name) >= _SHORTEST)
            if not long_names:
                break
            mentions = re.compile(b"|".join(rb"\b%s\b" % re.escape(mention.encode()) for mention in long_names))
            new = {path for path, data in self._files.items() if path not in searched and mentions.search(data)}
            searched |= new
            chosen = {*chosen, *new}
            new |= {path for path in chosen if names}  # another function of a file that was searched may call them
        return sorted(chosen)[:_MAX_FILES]

    def _registrars_of(self, path: str) -> Iterator[str]:
        """Yield the names of the functions and classes at the top of a file that call a registrar."""
        tree = self._parsed(path)
        for statement in tree.body if tree else ():
            parts = statement.body if isinstance(statement, ast.ClassDef) else [statement]
            functions = (part for part in parts if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef))
            if isinstance(statement, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and any(
                map(self.may_define, functions)
            ):
                yield statement.name

    def _enter_uncalled(self) -> None:
        """Evaluate the functions that define ops and that no file calls, under the condition that somebody does."""
        for are_called in (False, True):
            for function, condition in list(self.defined):
                if id(function.node) in self.entered or not self.may_define(function.node):
                    continue
                is_nested = function.scope is not function.module.scope
                if is_nested or (function.name in self.registrars) != are_called or self._is_dead(function):
                    continue
                self._enter(function, condition)

    def _enter(self, function: Function, condition: Condition) -> None:
        self.condition = both(condition, self.requirement(f"{function.qualified}() is called"))
        self.condition_line = function.node.lineno
        cls = self.methods.get(id(function.node))
        if self.condition != NEVER and cls is not None and not function.kind:
            known = len(self.definitions_so_far)
            owner = Instance(cls)
            start = self.forced(cls.member("__init__"))
            if isinstance(start, Function) and start.node is not function.node:
                self.limited(_MAX_OF_UNCALLED, partial(self.called, start.bound_to(owner), (), {}, start.node, None))
                del self.definitions_so_far[known:]  # they belong to the constructor
            function = function.bound_to(owner)
        if self.condition != NEVER:
            self.limited(_MAX_OF_UNCALLED, partial(self.called, function, (), {}, function.node, None))
        self.condition, self.condition_line = ALWAYS, None

    def _is_dead(self, function: Function) -> bool:
        """Return whether a function is private and no file names it, or whether another one took its name."""
        name = function.name
        cls = self.methods.get(id(function.node))
        named = (function.module.scope if cls is None else cls.scope).values.get(name)
        if isinstance(named, Function) and named.node is not function.node:
            return True
        if not name.startswith("_") or name.startswith("__"):
            return False
        mention = re.compile(rb"\b%s\b" % re.escape(name.encode()))
        results = (match for data in self._files.values() for match in mention.finditer(data))
        return sum(1 for _, _ in zip(results, range(2), strict=False)) < 2


def _dotted(path: str) -> str:
    """Return the dotted name of a file."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _around(path: str) -> Iterator[str]:
    """Yield the folders that a file is in."""
    folder = path.rpartition("/")[0]
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
