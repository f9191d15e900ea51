"""The Python packages that a build installs, as `setup.py` and `pyproject.toml` list them for Setuptools.

A module of another package is in no wheel, so that it declares its ops under an unknown condition: a program may still
run it from the source tree. The rules of `find_packages` are in discovery.py of Setuptools (`PackageFinder`).
"""

from __future__ import annotations

import ast
from fnmatch import fnmatchcase
from posixpath import dirname, join, normpath

from opspec_lint.builds.python_uses import function_name
from opspec_lint.kit.python_text import parse_module, show_syntax, walk
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import source_text
from opspec_lint.kit.toml_text import loads
from opspec_lint.spec.condition import ALWAYS, requirement
from opspec_lint.spec.model import Origin, Remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from opspec_lint.git.source_tree import SourceTree
    from opspec_lint.spec.condition import Condition

_FINDERS = ("find_packages", "find_namespace_packages")
_ARGUMENTS = ("where", "exclude", "include")
"""The parameters of both functions, in their order."""
_MAX_SHOWN = 60
_KEEPS = frozenset({"setup", "print", "len", *_FINDERS})
"""Functions that do not change a list that they are given."""


class _Unknown(Exception):  # noqa: N818 - caught where it is raised
    """An expression of a build file that cannot be evaluated."""


class PackageList(Record):
    """Packages that a build file lists: by their names, or by patterns of a search from a folder.

    `names` is None for a search. `folder` is the folder that contains the packages.
    """

    folder: str
    names: tuple[str, ...] | None = None
    include: tuple[str, ...] = ("*",)
    exclude: tuple[str, ...] = ()
    has_namespaces: bool = False

    def installs(self, path: str, files: Mapping[str, bytes]) -> bool:
        """Return whether the list has the package of a module; a module outside of the folder belongs to no package."""
        prefix = f"{self.folder}/" if self.folder else ""
        parts = _package(path, self.folder).split(".")
        if self.names is not None:
            return ".".join(parts) in self.names
        packages = [".".join(parts[: end + 1]) for end in range(len(parts))]
        folders = [f"{prefix}{package.replace('.', '/')}" for package in packages]
        if not self.has_namespaces and any(f"{folder}/__init__.py" not in files for folder in folders):
            return False
        # The search does not enter a package that is excluded together with all below it.
        pruned = any(f"{package}*" in self.exclude or f"{package}.*" in self.exclude for package in packages[:-1])
        return not pruned and _matches(packages[-1], self.include) and not _matches(packages[-1], self.exclude)


class InstalledPackages:
    """The packages that the builds of a tree install.

    Args:
        tree: the tree.
        files: the contents of its Python files.
    """

    def __init__(self, tree: SourceTree, files: Mapping[str, bytes]) -> None:
        self._tree = tree
        self._files = files
        self._lists: dict[str, list[PackageList] | None] = {}
        self._remarks: list[Remark] = []
        self._present: dict[str, str] = {}
        """A build file in each folder that was looked at, "" for none."""
        self.listing: dict[str, str] = {}
        """For each module that counts as installed, the build file that lists its package; "" if there is none at all.

        A module above which build files list no packages is left out.
        """

    def condition_of(self, path: str) -> Condition:
        """Return the condition under which a module is installed; ALWAYS if no build file lists packages."""
        folder = dirname(path)
        has_build = not folder
        while folder:
            folder = dirname(folder)
            lists = self._lists_of(folder)
            has_build = has_build or bool(self._present[folder])
            if lists:
                inside = [packages for packages in lists if _is_below(path, packages.folder)]
                if not inside:
                    return ALWAYS
                if any(packages.installs(path, self._files) for packages in inside):
                    self.listing[path] = self._present[folder]
                    return ALWAYS
                return requirement(f"{_package(path, inside[0].folder)} is installed")
            if lists is None:
                self.listing[path] = self._present[folder]
                break
        if not has_build:
            self.listing[path] = ""
        return ALWAYS

    def remarks(self) -> Iterator[Remark]:
        """Yield a remark for each build file that was needed and whose list of packages cannot be evaluated."""
        yield from self._remarks

    def _lists_of(self, folder: str) -> list[PackageList] | None:
        """Return the lists of the build files in a folder, None if a list cannot be evaluated."""
        if folder not in self._lists:
            prefix = f"{folder}/" if folder else ""
            script, project, options = (f"{prefix}{name}" for name in ("setup.py", "pyproject.toml", "setup.cfg"))
            texts = {**self._tree.read([project, options]), script: self._files.get(script)}
            present = (file for file in (script, project, options) if texts[file] is not None)
            self._present[folder] = next(present, "")
            self._lists[folder] = self._read(script, texts[project])
        return self._lists[folder]

    def _read(self, script: str, data: bytes | None) -> list[PackageList] | None:
        """Return the lists of a `setup.py` and of the `pyproject.toml` beside it with some content."""
        lists: list[PackageList] = []
        folder = dirname(script)
        if data is not None and b"packages" in data:
            lists += _lists_of_project(source_text(data), folder)
        data = self._files.get(script)
        if data is None or b"packages" not in data:
            return lists
        try:
            tree = parse_module(data)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            if lists:
                return lists
            self._remarks.append(_unknown_list(script, getattr(error, "lineno", None) or 1, "it is not valid Python"))
            return None
        value: ast.expr | None = None
        try:
            for value, mapping in _setup_calls(tree):
                lists += _Evaluation(tree, folder, mapping).lists(value)
        except (_Unknown, RecursionError):
            if value is not None:
                self._remarks.append(_unknown_list(script, value.lineno, f"`{show_syntax(value)[:_MAX_SHOWN]}`"))
            return None
        return lists


class _Evaluation:
    """The evaluation of expressions in a `setup.py` whose names are assigned once, at its top."""

    def __init__(self, tree: ast.Module, folder: str, mapping: ast.expr | None) -> None:
        self._folder = folder
        stored = [node.id for node in walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
        assigned = [
            (target.id, statement.value)
            for statement in tree.body
            if isinstance(statement, ast.Assign)
            for target in statement.targets
            if isinstance(target, ast.Name)
        ]
        self._values = {name: value for name, value in assigned if stored.count(name) == 1}
        self._changed = {name for value in _changing_uses(tree) for name in _names(value)}
        # A change of `x` after `x = y` changes the list in `y`.
        for name, value in reversed(assigned):
            if name in self._changed:
                self._changed |= _names(value)
        root = {} if mapping is None else self._plain(mapping)
        if not isinstance(root, dict) or set(root) - {""}:
            raise _Unknown
        self._root = _joined(folder, str(root.get("", "")))

    def lists(self, value: ast.expr) -> list[PackageList]:
        """Return the lists of packages that an expression makes; raise _Unknown if it cannot be evaluated."""
        value = self._resolved(value)
        if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
            return [*self.lists(value.left), *self.lists(value.right)]
        name = function_name(value.func) if isinstance(value, ast.Call) else ""
        if isinstance(value, ast.Dict) or name == "dict":
            return self._lists_of_options(value)
        if isinstance(value, ast.Call) and name in _FINDERS:
            given = dict(zip(_ARGUMENTS, value.args, strict=False))
            given |= {keyword.arg: keyword.value for keyword in value.keywords if keyword.arg is not None}
            if any(keyword.arg is None for keyword in value.keywords):
                raise _Unknown
            options = {argument: self._plain(part) for argument, part in given.items()}
            return [_search(self._folder, options, has_namespaces=name != _FINDERS[0])]
        names = self._plain(value)
        if not isinstance(names, list | tuple):
            raise _Unknown
        return [PackageList(folder=self._root, names=tuple(map(str, names)))]

    def _lists_of_options(self, options: ast.expr) -> list[PackageList]:
        """Return the lists in a dictionary of the arguments of `setup`."""
        given: dict[Any, ast.expr] = {}
        if isinstance(options, ast.Dict):
            given = {
                self._plain(key) if key else None: value
                for key, value in zip(options.keys, options.values, strict=True)
            }
        elif isinstance(options, ast.Call):
            given = {keyword.arg: keyword.value for keyword in options.keywords}
            given |= dict.fromkeys([None] if options.args else [], options)
        if None in given or "package_dir" in given:
            raise _Unknown
        return self.lists(given["packages"]) if "packages" in given else []

    def _resolved(self, value: ast.expr) -> ast.expr:
        """Return the expression that a name is assigned, any other expression as it is."""
        if isinstance(value, ast.Name):
            if value.id not in self._values or value.id in self._changed:
                raise _Unknown
            return self._resolved(self._values[value.id])
        return value

    def _plain(self, value: ast.expr) -> Any:
        """Return the value of an expression of literals and names."""
        value = self._resolved(value)
        if isinstance(value, ast.List | ast.Tuple):
            return [self._plain(element) for element in value.elts]
        try:
            return ast.literal_eval(value)
        except (ValueError, TypeError, SyntaxError, MemoryError):
            raise _Unknown from None


def _changing_uses(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield the expressions whose lists a script may change: `x.append(y)`, `x[0] = y`, `add_to(x)`."""
    for node in walk(tree):
        if isinstance(node, ast.Attribute) or (isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load)):
            yield node.value
        elif isinstance(node, ast.Call) and function_name(node.func) not in _KEEPS:
            yield from (*node.args, *(keyword.value for keyword in node.keywords))


def _names(value: ast.expr) -> set[str]:
    """Return the names in an expression."""
    return {node.id for node in walk(value) if isinstance(node, ast.Name)}


def _setup_calls(tree: ast.Module) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """Yield the packages and the `package_dir` of each call of `setup`; for `setup(**options)`, the options."""
    for node in walk(tree):
        if isinstance(node, ast.Call) and function_name(node.func) == "setup":
            given = {keyword.arg: keyword.value for keyword in node.keywords}
            packages = given.get("packages", given.get(None))
            if packages is not None:
                yield packages, given.get("package_dir")


def _lists_of_project(text: str, folder: str) -> Iterator[PackageList]:
    """Yield the lists in a `pyproject.toml`."""
    try:
        value: Any = loads(text)
    except (ValueError, RecursionError):
        return
    for name in ("tool", "setuptools"):
        value = value.get(name) if isinstance(value, dict) else None
    packages = value.get("packages") if isinstance(value, dict) else None
    mapping = value.get("package-dir", {}) if isinstance(value, dict) else {}
    if isinstance(packages, list) and isinstance(mapping, dict) and not set(mapping) - {""}:
        yield PackageList(folder=_joined(folder, str(mapping.get("", ""))), names=tuple(map(str, packages)))
    elif isinstance(packages, dict) and isinstance(packages.get("find"), dict):
        options = packages["find"]
        where_given = options.get("where", ["."])
        for where in [where_given] if isinstance(where_given, str) else _texts(where_given):
            yield _search(folder, {**options, "where": where}, has_namespaces=options.get("namespaces", True) is True)


def _search(folder: str, options: Mapping[str, Any], *, has_namespaces: bool) -> PackageList:
    """Return the list that a search with some options makes."""
    return PackageList(
        folder=_joined(folder, str(options.get("where", "."))),
        include=_texts(options.get("include", ("*",))),
        exclude=_texts(options.get("exclude", ())),
        has_namespaces=has_namespaces,
    )


def _texts(value: Any) -> tuple[str, ...]:
    """Return the patterns of an option; of a string each letter is one, as Setuptools iterates over it."""
    return tuple(map(str, value)) if isinstance(value, str | list | tuple) else ()


def _joined(folder: str, name: str) -> str:
    """Return the path of a folder in another one, "" for the root of the tree."""
    path = normpath(join(folder, name))
    return "" if path == "." else path


def _is_below(path: str, folder: str) -> bool:
    """Return whether a module is in a package below a folder, and not directly in the folder."""
    prefix = f"{folder}/" if folder else ""
    return path.startswith(prefix) and "/" in path[len(prefix) :]


def _package(path: str, folder: str) -> str:
    """Return the name of the package of a module, given the folder that contains the packages."""
    return dirname(path)[len(f"{folder}/" if folder else "") :].replace("/", ".")


def _matches(package: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(package, text) for text in patterns)


def _unknown_list(script: str, line: int, problem: str) -> Remark:
    """Return the remark that the packages of a build file are not known; its digest changes with the problem."""
    reason = f"the packages that it installs are not known ({problem}), so all are taken for installed"
    origin = Origin(file=script, line=line)
    return Remark(event="op_unresolved", name=script, digest=problem, facts={"reason": reason}, origin=origin)
