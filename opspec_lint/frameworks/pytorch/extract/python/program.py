"""The ops that the Python files of a tree define.

Steps: choose the files that contain a call of `torch.library`, or of a function that calls it (a *registrar*); evaluate
them, and the modules that they import; then evaluate the registrars that no file calls. An op of a module that its
package does not import has the condition that the module is imported.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left, bisect_right
from functools import partial

from opspec_lint.frameworks.pytorch.extract.python.analysis import names_in_path
from opspec_lint.frameworks.pytorch.extract.python.import_statements import absolute_module
from opspec_lint.frameworks.pytorch.extract.python.imports import Imports
from opspec_lint.frameworks.pytorch.extract.python.library import Definitions
from opspec_lint.frameworks.pytorch.extract.python.state import EvaluatedCall, Frame, StepsExceededError
from opspec_lint.frameworks.pytorch.extract.python.values import Function, Instance, Module
from opspec_lint.frameworks.pytorch.schemas.table import Line
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.python_text import parse_module, walk
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction
from opspec_lint.spec.model import Origin, Remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from opspec_lint.frameworks.pytorch.extract.python.analysis import LoopNode
    from opspec_lint.spec.condition import Condition

MARKS = (b".define(", b"library import", b"custom_op", b"triton_op", b"infer_schema", b"TORCH_LIBRARY", b'"define"')
"""Texts of which each file contains one that defines ops without a registrar of another file."""
_FOREIGN = frozenset(("torch", "typing", "functools", "sys", "os", "collections", "contextlib", "builtins", "re"))
"""Packages that an import never finds in the tree, even if a folder of the tree has such a name."""
_DEFINITION = pattern(r"^(?:async )?(?:def|class) (\w+)", "m")
_ITERATED = re.compile(rb"\bin (?:\w+\()?(?:(?:self|cls)\.)?([A-Za-z_]\w*)")
_OWN_ITERATED = re.compile(rb"\bin (?:\w+\()?(?:self|cls)\.([A-Za-z_]\w*)")
_CHANGED = re.compile(
    rb"\b(?:self|cls)\.(\w+)(?:\.(?:append|extend|insert|add|update|setdefault)\(|\[[^]\n]*\] *=[^=])"
)
_CONSTRUCTORS = frozenset(("list", "dict", "set", "defaultdict", "OrderedDict", "deque"))
_SHORTEST = 4
"""Characters of a name that other files can be searched for: a shorter one would match anything."""
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
        self._loops: dict[str, list[tuple[LoopNode, list[tuple[str, str]]]]] = {}

    def definitions(self, installed_if: Callable[[str], Condition] = lambda _: ALWAYS) -> Iterator[Line | Remark]:
        """Yield the ops that the files define, and remarks about definitions that cannot be evaluated.

        `installed_if` returns the condition under which a build installs a module.
        """
        paths = self._choose_files()
        try:
            for path in paths:
                self._load_file(path)
            self._run_uncalled()
            self.note_changed_containers()
            self.drop_dead_libraries(module.scope for module in self._modules.values() if module)
        except (StepsExceededError, RecursionError, MemoryError) as error:
            reason = (
                "they take too many steps to evaluate" if isinstance(error, StepsExceededError) else "nested too deep"
            )
            self._add_remark(paths[0], f"the ops of the Python files are not all known: {reason}")
        yield from self._remarks
        imports = Imports(self._files)
        for definition, module in self.results:
            condition = imports.condition_of(module) if module and isinstance(definition, Line) else ALWAYS
            if module and condition == ALWAYS and isinstance(definition, Line):
                condition = installed_if(module)
            if isinstance(definition, Line) and condition != ALWAYS:
                line = definition.condition_line or definition.line or 1
                yield definition.under(conjunction(definition.condition or ALWAYS, condition), line)
            else:
                yield definition

    def is_package(self, name: str) -> bool:
        """Return whether a dotted name is a module or a folder of the tree."""
        if name not in self._packages:
            self._packages[name] = self._search_package(name)
        return self._packages[name]

    def _search_package(self, name: str) -> bool:
        """Return whether a dotted name is a module or folder of the tree."""
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
            module = Module(path, *_module_and_package(path))
            module.tree = tree
            module.rebinds = any(mark in self._files[path] for mark in (b"global ", b"nonlocal "))
            self._modules[path] = module  # before it is evaluated, for modules that import each other
            # A module is evaluated once for all importers, so the condition of the first import must not restrict it.
            outer = self.condition, self.condition_line, self.executed
            self.condition, self.condition_line, self.executed = ALWAYS, None, path
            try:
                self.run(tree.body, Frame(module.scope, module))
            finally:
                self.condition, self.condition_line, self.executed = outer
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
            collections = {element for path in new for element in self._collections_of(path)}
            mentioned = {element for element in collections if element[0] not in self.collections}
            self.collections |= {name for name, _ in collections}
            registrars = {(name, path) for path in new for name in self._registrars_of(path)}
            names = {name for name, _ in registrars} - self.registrars
            mentioned |= {element for element in registrars if element[0] in names}
            self.registrars |= names
            if not mentioned:
                break
            new = set(self._files_with(mentioned, searched))
            searched |= new
            chosen = {*chosen, *new}
            new |= {path for path in chosen if names}  # a function there that calls a new registrar is one as well
        # Sorted, so that neither the limit nor the order of results depends on the order of a set.
        return sorted(chosen)[:_MAX_FILES]

    def _files_with(self, mentioned: Collection[tuple[str, str]], searched: Collection[str]) -> Iterator[str]:
        """Yield the files, but those searched, that contain one of several names, each given with its file.

        A short name would match anything, so a file has to contain the name of the module of a short one as well.
        """
        long_names = sorted({name for name, _ in mentioned if len(name) >= _SHORTEST})
        pattern = b"|".join(rb"\b%s\b" % re.escape(name.encode()) for name in long_names)
        mentions = re.compile(pattern) if long_names else None
        short = sorted(
            (_module_name(path).rpartition(".")[2].encode(), name.encode(), re.compile(rb"\b%s\b" % name.encode()))
            for name, path in mentioned
            if len(name) < _SHORTEST
        )
        for path, data in self._files.items():
            if path not in searched and (
                (mentions and mentions.search(data))
                or any(
                    module in data and name in data and whole_name.search(data) for module, name, whole_name in short
                )
            ):
                yield path

    def _collections_of(self, path: str) -> Iterator[tuple[str, str]]:
        """Yield the containers at the top of files that loops of a file define ops from: name, and file that has it."""
        if path not in self._loops:
            self._loops[path] = list(self._loops_of(path))
        for loop, collections in self._loops[path]:
            if self.may_define(loop):
                yield from collections

    def _loops_of(self, path: str) -> Iterator[tuple[LoopNode, list[tuple[str, str]]]]:
        """Yield the loops of a file over containers at the top of files, each with these containers."""
        tree = self._parse(path)
        iterated = {match.group(1).decode("utf-8", "replace") for match in _ITERATED.finditer(self._files[path])}
        owners = dict(self._possible_collections(tree, path, iterated)) if tree and iterated else {}
        lines = list(self._iterating_lines(path, owners)) if owners else []
        for loop in _nodes_at(tree.body, lines) if tree and lines else ():
            if isinstance(loop, ast.For | ast.AsyncFor):
                parts = [loop.iter]
            elif isinstance(loop, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
                parts = [generator.iter for generator in loop.generators]
            else:
                continue
            names = {name for element in parts for part in walk(element) for name in names_in_path(part)}
            if not names.isdisjoint(owners):
                yield loop, [(name, owners[name]) for name in sorted(names & owners.keys())]

    def _iterating_lines(self, path: str, names: Collection[str]) -> Iterator[int]:
        """Yield the numbers of the lines in which a loop over one of several names may stand, in order."""
        data = self._files[path].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        number, counted = 1, 0
        for match in _ITERATED.finditer(data):
            if match.group(1).decode("utf-8", "replace") in names:
                number += data.count(b"\n", counted, match.start())
                counted = match.start()
                yield number

    def _possible_collections(
        self, tree: ast.Module, path: str, iterated: Collection[str]
    ) -> Iterator[tuple[str, str]]:
        """Yield the iterated names that a file gives to containers or imports from the tree: name, and its file."""
        module = Module(path, *_module_and_package(path))
        for statement in tree.body:
            if isinstance(statement, ast.ImportFrom) and any(
                (alias.asname or alias.name) in iterated for alias in statement.names
            ):
                source = absolute_module(statement, module)
                owner = self._find_file(source) if self.is_package(source) else None
                yield from ((alias.asname or alias.name, owner) for alias in statement.names if owner)
                continue
            targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
            value = getattr(statement, "value", None)
            called = value.func if isinstance(value, ast.Call) else None
            constructor = getattr(called, "attr", getattr(called, "id", ""))
            if isinstance(value, ast.List | ast.Dict | ast.Set) or constructor in _CONSTRUCTORS:
                names = (target.id for target in targets if isinstance(target, ast.Name))
                yield from ((name, path) for name in names if name in iterated)
        data = self._files[path]
        attributes = {match.group(1) for match in _OWN_ITERATED.finditer(data)}
        changed = {match.group(1) for match in _CHANGED.finditer(data)} if attributes else set()
        yield from ((name.decode("utf-8", "replace"), path) for name in sorted(attributes & changed))

    def _registrars_of(self, path: str) -> Iterator[str]:
        """Yield the names of the functions and classes at the top of a file that call a registrar.

        So is a function that adds to a container that a loop defines ops from.
        """
        tree = self._parse(path)
        for statement in tree.body if tree else ():
            parts = statement.body if isinstance(statement, ast.ClassDef) else [statement]
            functions = [part for part in parts if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)]
            if isinstance(statement, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and any(
                self.may_define(part) or self.may_collect(part) for part in functions
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
                    _MAX_UNCALLED_STEPS, partial(self.call, start.bound_to(owner), EvaluatedCall((), {}, start.node))
                )
                del self._definitions[known:]  # the constructor is evaluated by itself as well
            function = function.bound_to(owner)
        if self.condition != NEVER:
            call = partial(self.call, function, EvaluatedCall((), {}, function.node))
            self.run_limited(_MAX_UNCALLED_STEPS, lambda: self.consume(call()))
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


def _nodes_at(statements: Sequence[ast.stmt], lines: Sequence[int]) -> Iterator[ast.AST]:
    """Yield the nodes of the statements and methods that contain one of several lines, which are in order."""
    for statement in statements:
        start = min(part.lineno for part in (statement, *getattr(statement, "decorator_list", ())))
        if bisect_left(lines, start) == bisect_right(lines, statement.end_lineno or start):
            continue
        if isinstance(statement, ast.ClassDef):
            yield from _nodes_at(statement.body, lines)
        else:
            yield from walk(statement)


def _module_name(path: str) -> str:
    """Return the dotted module name of a path: `a.b` for `a/b.py` and `a/b/__init__.py`."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _module_and_package(path: str) -> tuple[str, str]:
    """Return the dotted name of a module, and of the package that its relative imports start from."""
    name = _module_name(path)
    return name, name if path.endswith("/__init__.py") else name.rpartition(".")[0]


def _parent_folders(path: str) -> Iterator[str]:
    """Yield the folders that contain a file, the innermost first."""
    folder = path.rpartition("/")[0]
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
