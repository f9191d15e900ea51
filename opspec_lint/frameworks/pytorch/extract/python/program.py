"""The ops that the Python files of a tree define.

Steps: choose the files that contain a call of `torch.library`, or of a function that calls it (a *registrar*); evaluate
them, and the modules that they import; then evaluate the registrars that no file calls.
"""

from __future__ import annotations

import ast
import re
from functools import partial

from opspec_lint.frameworks.pytorch.extract.python.library import Definitions
from opspec_lint.frameworks.pytorch.extract.python.state import Frame, StepsExceededError
from opspec_lint.frameworks.pytorch.extract.python.values import Function, Instance, Module
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.python_text import parse_module
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction
from opspec_lint.spec.model import Origin, Remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.frameworks.pytorch.schemas.table import Line
    from opspec_lint.spec.condition import Condition

MARKS = (b".define(", b"library import", b"custom_op", b"triton_op", b"infer_schema")
"""Texts of which each file contains one that defines ops without a registrar of another file."""
_FOREIGN = frozenset(("torch", "typing", "functools", "sys", "os", "collections", "contextlib", "builtins", "re"))
"""Packages that an import never finds in the tree, even if a folder of the tree has such a name."""
_DEFINITION = pattern(r"^(?:async )?(?:def|class) (\w+)", "m")
_SHORTEST = 4
"""Characters of a registrar's name: a shorter one is not searched in other files, where it would match anything."""
_MAX_ROUNDS = 3
"""Searches for files that call the registrars found by the search before."""
_MAX_FILES = 1000
_MAX_UNCALLED_STEPS = 20_000
"""Steps of a function that no file calls."""


class Program(Definitions):
    """The evaluation of the Python files of a tree, which are given by path."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        super().__init__()
        self._files = files
        self._modules: dict[str, Module | None] = {}
        self._trees: dict[str, ast.Module | None] = {}
        self._by_name: dict[str, list[str]] = {}
        self._packages: dict[str, bool] = {}
        for path in files:
            parts = _module_name(path).split(".")
            self._by_name.setdefault(parts[-1], []).append(path)
        self._folders = {folder for path in files for folder in _parent_folders(path)}
        self._remarks: list[Remark] = []

    def definitions(self) -> Iterator[Line | Remark]:
        """Yield the ops that the files define, and remarks about definitions that cannot be evaluated."""
        paths = self._choose_files()
        try:
            for path in paths:
                self._load_file(path)
            self._run_uncalled()
        except (StepsExceededError, RecursionError) as error:
            reason = (
                "they take too many steps to evaluate" if isinstance(error, StepsExceededError) else "nested too deep"
            )
            self._add_remark(paths[0], f"the ops of the Python files are not all known: {reason}")
        yield from self._remarks
        yield from self.results

    def is_package(self, name: str) -> bool:
        """Return whether a dotted name is a module or a folder of the tree."""
        if name not in self._packages:
            self._packages[name] = self._search_package(name)
        return self._packages[name]

    def _search_package(self, name: str) -> bool:
        """Tell whether a dotted name is a module or folder of the tree."""
        first, *others = name.split(".")
        if not name or first in _FOREIGN:
            return False
        if self._find_file(name) is not None or name in self._folders:
            return True
        # The tree may begin above the package, in a folder such as `src`; one name alone would fit too many folders.
        path = name.replace(".", "/")
        return any(others) and any(f"/{folder}".endswith(f"/{path}") for folder in self._folders)

    def load(self, name: str) -> Module | None:
        """Return the evaluated module of a dotted name, None for a name outside the tree."""
        path = self._find_file(name)
        return None if path is None else self._load_file(path)

    def _find_file(self, name: str) -> str | None:
        """Return the path of the file of a dotted name.

        The path may begin with folders that are no packages, such as `src/`; the shortest path is taken.
        """
        candidates = [
            path
            for path in self._by_name.get(name.rpartition(".")[2], ())
            if f".{_module_name(path)}".endswith(f".{name}")
        ]
        if "." not in name:  # `utils` is not the module `other.package.utils`
            candidates = [path for path in candidates if _module_name(path).count(".") <= 1]
        return min(candidates, key=lambda path: (len(path), path), default=None)

    def _load_file(self, path: str) -> Module | None:
        """Return the module of a file, evaluated at the first call; None for a file that is no Python."""
        if path not in self._modules:
            tree = self._parse(path)
            if tree is None:
                self._modules[path] = None
                return None
            name = _module_name(path)
            is_folder = path.endswith("/__init__.py")
            module = Module(path, name, name if is_folder else name.rpartition(".")[0])
            self._modules[path] = module  # before it is evaluated, for modules that import each other
            # A module is evaluated once for all importers, so the condition of the first import must not restrict it.
            outer = self.condition, self.condition_line
            self.condition, self.condition_line = ALWAYS, None
            self.run(tree.body, Frame(module.scope, module))
            self.condition, self.condition_line = outer
        return self._modules[path]

    def _parse(self, path: str) -> ast.Module | None:
        """Return the syntax tree of a file; None, and add a remark, for a file that is no Python."""
        if path not in self._trees:
            try:
                self._trees[path] = parse_module(self._files[path])
            except (SyntaxError, ValueError, RecursionError, MemoryError, LookupError) as error:
                self._trees[path] = None
                self._add_remark(path, f"the file is no Python: {type(error).__name__}", getattr(error, "lineno", None))
        return self._trees[path]

    def _add_remark(self, path: str, reason: str, line: int | None = None) -> None:
        origin = Origin(file=path, line=line)
        remark = Remark(event="op_unresolved", name=path, op=None, digest=path, facts={"reason": reason}, origin=origin)
        self._remarks.append(remark)

    def _choose_files(self) -> list[str]:
        """Return the files that define ops or call a registrar, and collect the names of all registrars."""
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
            new |= {path for path in chosen if names}  # a function there that calls a new registrar is one as well
        # Sorted, so that neither the limit nor the order of results depends on the order of a set.
        return sorted(chosen)[:_MAX_FILES]

    def _registrars_of(self, path: str) -> Iterator[str]:
        """Yield the names of the functions and classes at the top of a file that call a registrar."""
        tree = self._parse(path)
        for statement in tree.body if tree else ():
            parts = statement.body if isinstance(statement, ast.ClassDef) else [statement]
            functions = (part for part in parts if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef))
            if isinstance(statement, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and any(
                map(self.may_define, functions)
            ):
                yield statement.name

    def _run_uncalled(self) -> None:
        """Evaluate the functions that define ops and that no file calls, under the condition that they are called.

        Registrars come second, as a function of the first round may call them.
        """
        for are_called in (False, True):
            for function, condition in list(self.defined):
                if id(function.node) in self.entered or not self.may_define(function.node):
                    continue
                is_nested = function.scope is not function.module.scope
                if is_nested or (function.name in self.registrars) != are_called or self._is_dead(function):
                    continue
                self._run_uncalled_function(function, condition)

    def _run_uncalled_function(self, function: Function, condition: Condition) -> None:
        """Evaluate a function with unknown arguments; a method, after the constructor of its class."""
        self.condition = conjunction(condition, self.condition_for(f"{function.qualified}() is called"))
        self.condition_line = function.node.lineno
        cls = self.methods.get(id(function.node))
        if self.condition != NEVER and cls is not None and not function.kind:
            known = len(self._definitions)
            owner = Instance(cls)
            start = self.resolve(cls.member("__init__"))
            if isinstance(start, Function) and start.node is not function.node:
                self.run_limited(
                    _MAX_UNCALLED_STEPS, partial(self.call, start.bound_to(owner), (), {}, start.node, None)
                )
                del self._definitions[known:]  # the constructor is evaluated by itself as well
            function = function.bound_to(owner)
        if self.condition != NEVER:
            self.run_limited(_MAX_UNCALLED_STEPS, partial(self.call, function, (), {}, function.node, None))
        self.condition, self.condition_line = ALWAYS, None

    def _is_dead(self, function: Function) -> bool:
        """Return whether a function cannot be called: a later definition replaces it, or it is private and not used."""
        name = function.name
        cls = self.methods.get(id(function.node))
        named = (function.module.scope if cls is None else cls.scope).values.get(name)
        if isinstance(named, Function) and named.node is not function.node:
            return True
        if not name.startswith("_") or name.startswith("__"):
            return False
        mention = re.compile(rb"\b%s\b" % re.escape(name.encode()))
        mentions = (match for data in self._files.values() for match in mention.finditer(data))
        next(mentions, None)  # the definition itself
        return next(mentions, None) is None


def _module_name(path: str) -> str:
    """Return the dotted module name of a path: `a.b` for `a/b.py` and `a/b/__init__.py`."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _parent_folders(path: str) -> Iterator[str]:
    """Yield the folders that contain a file, the innermost first."""
    folder = path.rpartition("/")[0]
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
