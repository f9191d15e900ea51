"""Evaluation of Bazel's BUILD files: which files that register ops are compiled, and in which builds."""

from __future__ import annotations

import posixpath

from opspec_lint.builds.bazel.packages import Packages
from opspec_lint.builds.bazel.rules import EXPORT, dependencies
from opspec_lint.frameworks.tensorflow.extract.source import build_rules, repositories
from opspec_lint.frameworks.tensorflow.extract.source.build_rules import OpRuleReader
from opspec_lint.frameworks.tensorflow.extract.source.builds import EVERY, NONE
from opspec_lint.kit.python_text import parse_expression

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Collection, Iterable, Iterator

    from opspec_lint.builds.bazel.rules import BuildRule
    from opspec_lint.builds.starlark.files import File
    from opspec_lint.builds.starlark.lists import Place

    Builds = frozenset[str]

_CORE_OPS = "//tensorflow/core:ops"
"""The library that api_test links, which compares its ops with the api_def files."""
_EXPORTED = (_CORE_OPS, "//tensorflow/core/ops/compat:op_compatibility_lib")
"""The libraries whose ops TensorFlow's own build writes into ops.pbtxt."""


class BuildRules(Packages[frozenset[str]]):
    """The rules that compile files of a tree, and the builds that these rules belong to.

    Args:
        files: the paths of the files in question.
        text_of: returns the text of a file of the tree, None for a missing file.
        more: further packages whose rules may depend on the libraries of these files.

    `missing` are the packages that have no BUILD file although rules depend on them, with the files in question that
    they contain. `undecided` has the files that no rule names, by the place of an expression in the BUILD file that
    cannot be evaluated. `unlinked` has the places of libraries that a binary may not contain, by their files.
    """

    def __init__(self, files: Collection[str], text_of: Callable[[str], str | None], more: Iterable[str]) -> None:
        super().__init__(files, text_of, OpRuleReader(), lambda: repositories.folders(text_of))
        self.undecided: dict[Place, str] = {}
        self._owners: dict[str, str | None] = {path: self._find_package(path) for path in files}
        for folder in more:
            self.rules_of_package(folder)
        self._dependencies: dict[str, list[tuple[BuildRule[Builds], Builds]]] = {}
        self.add(self.read_rules())
        unnamed = {folder for path, folder in self._owners.items() if self.is_unnamed(path)}
        self.add(rule for folder in sorted(filter(None, unnamed)) for rule in self.made_rules(folder))
        self.missing = self._missing_packages()
        self.unlinked = dict(self._unlinked_files())
        self._unassigned = frozenset(path for paths in self.missing.values() for path in paths)
        self._builds: dict[str, frozenset[str]] = {}
        self._described = frozenset(self._with_dependencies(_CORE_OPS))
        self._exported = frozenset(label for root in _EXPORTED for label in self._with_dependencies(root))

    def add(self, rules: Iterable[BuildRule[Builds]]) -> None:
        """Record rules, the files that they name, and the labels that they depend on."""
        added = list(rules)
        super().add(added)
        for rule in added:
            for label, builds in dependencies(rule):
                self._dependencies.setdefault(label, []).append((rule, builds))

    def builds(self, path: str) -> Builds:
        """Return the builds that compile a file; every build if no package of the tree contains it."""
        folder = self._owners[path]
        if folder is None or self._packages[folder] is None or path in self._unassigned:
            return EVERY
        rules = self.rules_by_file.get(path, ())
        if all(rule.is_unread or rule.is_unfollowed or rule.is_test for rule, _ in rules):
            unknown = next((rule.unknown or rule.place for rule, _ in rules if not rule.is_test), None)
            unknown = self.unknown_place(folder) if not rules else unknown
            if unknown is not None:
                self.undecided.setdefault(unknown, path)
                return EVERY
        # A group such as all_files says nothing of builds. A file that only groups name is taken to be in all builds,
        # as a macro of another package may make a rule of the group.
        compiling = [(rule, named) for rule, named in rules if not rule.is_group]
        compiling = compiling or [(rule, named) for rule, named in rules if not rule.is_private]
        compiled = NONE
        for rule, named in compiling:
            if not rule.is_test:
                compiled |= named & self._builds_of_rule(rule.label)
        return compiled

    def macros(self, path: str) -> dict[str, dict[str, str]]:
        """Return the macros that all rules which compile a file define in a build, by the build."""
        rules = [(rule, named) for rule, named in self.rules_by_file.get(path, ()) if not rule.is_group]
        rules = [(rule, named) for rule, named in rules if not rule.is_test]
        defined: dict[str, dict[str, str]] = {}
        for build in EVERY:
            of_rules = [build_rules.macros(rule, build) for rule, named in rules if build in named]
            if of_rules:
                common = set.intersection(*(set(macros.items()) for macros in of_rules))
                defined[build] = dict(sorted(common))
        return defined

    def has_package(self, path: str) -> bool:
        """Return whether a package of the tree contains a file."""
        return self._owners[path] is not None

    def build_file_of(self, path: str) -> str | None:
        """Return the BUILD file of the package that contains a file, None if there is none."""
        folder = self._owners[path]
        return None if folder is None else self.build_file(folder)

    def is_exported(self, path: str) -> bool:
        """Return whether ops.pbtxt lists the ops of a file; True for files outside of tensorflow/core/ops."""
        if not self._exported or path in self._unassigned or not path.startswith("tensorflow/core/ops/"):
            return True
        return any(rule.label in self._exported for rule, _ in self.rules_by_file.get(path, ()))

    def needs_api_defs(self, path: str) -> bool:
        """Return whether the ops of a file need api_def files; True without a rule that says so."""
        is_unknown = not self._described or path in self._unassigned
        return is_unknown or any(rule.label in self._described for rule, _ in self.rules_by_file.get(path, ()))

    def condition(self, package: str, function: str) -> Builds:
        """Return the builds in which a function such as `if_mkl`, loaded by a package, returns its first argument."""
        file = self.file(package)
        # Evaluates a call of the function with one string, and looks in which builds the string is in the result.
        call = parse_expression(f"{function}(['x'])")
        return NONE if file is None else _builds_of(file, call)

    def builds_with(self, path: str, function: str) -> Builds:
        """Return the builds in which a function without parameters, visible in a .bzl file, returns any string."""
        if function not in (self._text_of(path) or ""):
            return NONE  # without parsing the file
        file = self.library.file(path)
        return NONE if file is None else _builds_of(file, parse_expression(f"{function}()"))

    def _find_package(self, path: str) -> str | None:
        """Return the folder of the package that contains a file; packages in its parent folders are read as well."""
        folder, owner = posixpath.dirname(path), None
        while True:
            if self.rules_of_package(folder) is not None or self.is_unread(folder):
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

    def _unlinked_files(self) -> Iterator[tuple[str, Place]]:
        """Yield each file of a library that a binary beside it may not contain, and the place of the library.

        Nothing depends on such a library for no other package, or a linker drops it, as nothing refers to an op.
        """
        binaries = {rule.package for rule in self.rules.values() if rule.kind == "cc_binary" and not rule.is_test}
        for path, naming in self.rules_by_file.items():
            rules = [rule for rule, _ in naming if not rule.is_test and rule.kind != EXPORT]
            if {rule.kind for rule in rules} != {"cc_library"}:
                continue
            rule = rules[0]
            users = [user for user, _ in self._dependencies.get(rule.label, ()) if not user.is_test]
            is_dropped = not rule.is_always_linked if users else rule.is_private
            if is_dropped and rule.package in binaries:
                yield path, rule.place

    def _builds_of_rule(self, label: str) -> Builds:
        """Return the builds that contain a rule, by the rules that depend on it; every build if none does."""
        if label not in self._builds:
            # Set before the recursion, which would not end for rules that depend on each other.
            rule = self.rules.get(label)
            compatible = EVERY if rule is None else self.reader.compatible_cases(rule)
            self._builds[label] = compatible
            references = [(user, builds) for user, builds in self._dependencies.get(label, ()) if not user.is_test]
            if references:
                together = NONE
                for user, builds in references:
                    together |= builds & self._builds_of_rule(user.label)
                self._builds[label] = together & compatible
        return self._builds[label]

    def _with_dependencies(self, root: str) -> set[str]:
        """Return the labels of a rule and of its direct and indirect dependencies; none if there is no such rule."""
        waiting, reached = [root] if root in self.rules else [], set[str]()
        while waiting:
            label = waiting.pop()
            if label not in reached:
                reached.add(label)
                rule = self.rules.get(label)
                waiting += () if rule is None else (dependency for dependency, _ in dependencies(rule))
        return reached


def _builds_of(file: File[Builds], call: ast.expr) -> Builds:
    """Return the builds in which an expression has any text."""
    return frozenset(build for _, builds in file.texts(call) for build in builds)
