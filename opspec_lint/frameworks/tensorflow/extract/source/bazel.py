"""Evaluation of Bazel's BUILD files: which files are compiled, and in which builds.

Every call at the top of a BUILD file counts as a rule, as macros (tf_gen_op_libs, tf_custom_op_library, those
of extensions) name their sources in arguments of any name. A rule compiles each file that an argument names, or
matches as a prefix.
"""

from __future__ import annotations

import ast
import posixpath

from opspec_lint.cpp.python_uses import function_name
from opspec_lint.frameworks.tensorflow.extract.source.builds import EVERY, NONE
from opspec_lint.frameworks.tensorflow.extract.source.candidates import SOURCES
from opspec_lint.frameworks.tensorflow.extract.source.starlark import StarlarkFile, StarlarkLibrary
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.python_text import parse_expression
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from opspec_lint.frameworks.tensorflow.extract.source.starlark import Items

NAMES = ("BUILD", "BUILD.bazel")
_TEST = pattern(r"(?:^|_)tests?(?:_|$)")
_GROUP = "filegroup"
_GENERATED = "_op_lib"
_CORE_OPS = "//tensorflow/core:ops"
"""The library that api_test links, which compares its ops with the api_def files."""
_EXPORTED = (_CORE_OPS, "//tensorflow/core/ops/compat:op_compatibility_lib")
"""The libraries whose ops TensorFlow's own build writes into ops.pbtxt."""


class BuildRule(Record):
    """A rule of a BUILD file: its label, and the strings in its arguments by name.

    - `is_test`: the rule is for tests
    - `is_group`: the rule only names files, for other rules; it compiles none
    """

    label: str
    strings: Mapping[str, Items]
    is_test: bool
    is_group: bool = False


def _rules(folder: str, file: StarlarkFile) -> Iterator[BuildRule]:
    """Yield the rules of a BUILD file that have a name, and the libraries that tf_gen_op_libs makes."""
    for call in file.calls:
        kind = function_name(call.func)
        strings = {keyword.arg: file.items(keyword.value) for keyword in call.keywords if keyword.arg}
        for argument in call.args:
            strings.setdefault("", []).extend(file.items(argument))
        is_test = bool(_TEST.search(kind)) or any(
            keyword.arg == "testonly" and isinstance(keyword.value, ast.Constant) and bool(keyword.value.value)
            for keyword in call.keywords
        )
        # tf_gen_op_libs(op_lib_names = ["x"]) makes a library x_op_lib of ops/x.cc for each name (tensorflow.bzl).
        if kind == "tf_gen_op_libs":
            below = strings.get("sub_directory", [("ops/", EVERY)])[0][0]
            for name, builds in strings.get("op_lib_names", strings.get("", [])):
                sources = {"srcs": [(f"{below}{name}.cc", builds)], "deps": strings.get("deps", [])}
                yield BuildRule(label=f"//{folder}:{name}{_GENERATED}", strings=sources, is_test=is_test)
        elif strings.get("name"):
            label = f"//{folder}:{strings['name'][0][0]}"
            yield BuildRule(label=label, strings=strings, is_test=is_test, is_group=kind == _GROUP)


class BuildRules:
    """The rules that compile files of a tree, and the builds that these rules belong to.

    Args:
        files: the paths of the files in question.
        text_of: returns the text of a file of the tree, None for a missing file.
        more: further packages whose rules may depend on the libraries of these files.

    `unread` are the BUILD files that cannot be parsed, with the reason and the line. `missing` are the packages that
    have no BUILD file although rules depend on them, with the files in question that they contain.
    """

    def __init__(self, files: Collection[str], text_of: Callable[[str], str | None], more: Iterable[str]) -> None:
        self._files = files
        self._text_of = text_of
        self._library = StarlarkLibrary(text_of)
        self._parsed: dict[str, StarlarkFile | None] = {}
        self._packages: dict[str, list[BuildRule] | None] = {}
        self.unread: dict[str, tuple[str, int]] = {}
        self._owners: dict[str, str | None] = {path: self._find_package(path) for path in files}
        for folder in more:
            self._rules_of_package(folder)
        self._rules = {rule.label: rule for rules in self._packages.values() for rule in rules or ()}
        self._rules_by_file: dict[str, list[tuple[BuildRule, frozenset[str]]]] = {}
        self._dependencies: dict[str, list[tuple[BuildRule, frozenset[str]]]] = {}
        for rule in self._rules.values():
            for path, builds in self._sources(rule):
                self._rules_by_file.setdefault(path, []).append((rule, builds))
            for label, builds in _dependencies(rule):
                self._dependencies.setdefault(label, []).append((rule, builds))
        self.missing = self._missing_packages()
        self._unassigned = frozenset(path for paths in self.missing.values() for path in paths)
        self._builds: dict[str, frozenset[str]] = {}
        self._described = frozenset(self._with_dependencies(_CORE_OPS))
        self._exported = frozenset(label for root in _EXPORTED for label in self._with_dependencies(root))

    def builds(self, path: str) -> frozenset[str]:
        """Return the builds that compile a file; every build if no package of the tree contains it."""
        folder = self._owners[path]
        if folder is None or self._packages[folder] is None or path in self._unassigned:
            return EVERY
        rules = self._rules_by_file.get(path, ())
        # A group such as all_files says nothing of builds. A file that only groups name is taken to be in all builds.
        compiling = [(rule, named) for rule, named in rules if not rule.is_group] or rules
        compiled = NONE
        for rule, named in compiling:
            if not rule.is_test:
                compiled |= named & self._builds_of_rule(rule.label)
        return compiled

    def is_exported(self, path: str) -> bool:
        """Tell whether ops.pbtxt lists the ops of a file; True for files outside of tensorflow/core/ops."""
        if not self._exported or path in self._unassigned or not path.startswith("tensorflow/core/ops/"):
            return True
        return any(rule.label in self._exported for rule, _ in self._rules_by_file.get(path, ()))

    def needs_api_defs(self, path: str) -> bool:
        """Tell whether the ops of a file need api_def files; True without a rule that says so."""
        is_unknown = not self._described or path in self._unassigned
        return is_unknown or any(rule.label in self._described for rule, _ in self._rules_by_file.get(path, ()))

    def condition(self, package: str, function: str) -> frozenset[str]:
        """Return the builds in which a function such as `if_mkl`, loaded by a package, returns its first argument."""
        file = self._file(package)
        # Evaluates a call of the function with one string, and looks in which builds the string is in the result.
        call = parse_expression(f"{function}(['x'])")
        items = [] if file is None else file.items(call)
        return frozenset(build for _, builds in items for build in builds)

    def builds_with(self, path: str, function: str) -> frozenset[str]:
        """Return the builds in which a function without parameters, visible in a .bzl file, returns any string."""
        if function not in (self._text_of(path) or ""):
            return NONE  # without parsing the file
        file = self._library.file(path)
        items = [] if file is None else file.items(parse_expression(f"{function}()"))
        return frozenset(build for _, builds in items for build in builds)

    def _find_package(self, path: str) -> str | None:
        """Return the folder of the package that contains a file; packages in its parent folders are read as well."""
        folder, owner = posixpath.dirname(path), None
        while True:
            if self._rules_of_package(folder) is not None or self._is_unread(folder):
                owner = folder if owner is None else owner
            if not folder:
                return owner
            folder = posixpath.dirname(folder)

    def _missing_packages(self) -> dict[str, list[str]]:
        """Return the files by the package without a BUILD file that contains them, though rules depend on it.

        Bazel would refuse such a tree: it is a part of a repository, and its other BUILD files do not list these files.
        """
        required = {label[2:].partition(":")[0] for label in self._dependencies}
        missing: dict[str, list[str]] = {}
        for path, owner in self._owners.items():
            folder = posixpath.dirname(path)
            while folder not in ("", owner):
                if folder in required:
                    missing.setdefault(folder, []).append(path)
                    break
                folder = posixpath.dirname(folder)
        return missing

    def _is_unread(self, folder: str) -> bool:
        return any(posixpath.join(folder, name) in self.unread for name in NAMES)

    def _rules_of_package(self, folder: str) -> list[BuildRule] | None:
        """Return the rules of the package in a folder, None if it has no readable BUILD file."""
        if folder not in self._packages:
            file = self._file(folder)
            self._packages[folder] = None if file is None else list(_rules(folder, file))
        return self._packages[folder]

    def _file(self, folder: str) -> StarlarkFile | None:
        if folder not in self._parsed:
            self._parsed[folder] = self._parse(folder)
        return self._parsed[folder]

    def _parse(self, folder: str) -> StarlarkFile | None:
        """Parse the BUILD file in a folder; a syntax error is recorded in `unread`."""
        prefix = f"{folder}/" if folder else ""
        for name in NAMES:
            path = prefix + name
            text = self._text_of(path)
            if text is None:
                continue
            below = [file[len(prefix) :] for file in self._files if file.startswith(prefix)]
            try:
                return StarlarkFile(folder, text, self._library, below)
            except SyntaxError as error:
                self.unread[path] = (error.msg, error.lineno or 1)
                return None
        return None

    def _sources(self, rule: BuildRule) -> Iterator[tuple[str, frozenset[str]]]:
        """Yield the files that the arguments of a rule name, with the builds in which they do."""
        folder = rule.label[2:].partition(":")[0]
        for argument, items in rule.strings.items():
            for text, builds in items:
                if argument == "prefix" and text:
                    start = posixpath.join(folder, text)
                    yield from ((path, builds) for path in self._files if _matches_prefix(path, start))
                elif text.endswith(SOURCES):
                    is_label = text.startswith("//")
                    path = text[2:].replace(":", "/") if is_label else posixpath.join(folder, text.lstrip(":"))
                    if path in self._owners:
                        yield path, builds

    def _builds_of_rule(self, label: str) -> frozenset[str]:
        """Return the builds that contain a rule, by the rules that depend on it; every build if none does."""
        if label not in self._builds:
            # Set before the recursion, which would not end for rules that depend on each other.
            self._builds[label] = EVERY
            references = [(rule, builds) for rule, builds in self._dependencies.get(label, ()) if not rule.is_test]
            if references:
                together = NONE
                for rule, builds in references:
                    together |= builds & self._builds_of_rule(rule.label)
                self._builds[label] = together
        return self._builds[label]

    def _with_dependencies(self, root: str) -> set[str]:
        """Return the labels of a rule and of its direct and indirect dependencies; none if there is no such rule."""
        waiting, reached = [root] if root in self._rules else [], set[str]()
        while waiting:
            label = waiting.pop()
            if label not in reached:
                reached.add(label)
                rule = self._rules.get(label)
                waiting += () if rule is None else (dependency for dependency, _ in _dependencies(rule))
        return reached


def _dependencies(rule: BuildRule) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the labels that a rule depends on, with the builds in which it does."""
    package = rule.label[2:].partition(":")[0]
    for argument, items in rule.strings.items():
        if "deps" not in argument:
            continue
        for text, builds in items:
            if text.startswith(":"):
                yield f"//{package}{text}", builds
            elif text.startswith("//"):
                yield (text if ":" in text else f"{text}:{text.rpartition('/')[2]}"), builds


def _matches_prefix(path: str, prefix: str) -> bool:
    """Tell whether a file in the folder of a prefix begins with it: `prefix = "x"` of a macro names x.cc, x_gpu.cc."""
    return path.startswith(prefix) and "/" not in path[len(prefix) :]
