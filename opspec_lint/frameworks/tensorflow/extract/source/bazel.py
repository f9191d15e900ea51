"""The files that the rules of BUILD files compile, and the builds that each rule is part of.

A call of any function at the top of a BUILD file is a rule, as macros (tf_gen_op_libs, tf_custom_op_library, and the
macros of extensions) have names of their own for sources: a rule compiles a file that any of its arguments names, or
matches as a prefix.
"""

from __future__ import annotations

import ast
import posixpath

from opspec_lint.frameworks.tensorflow.extract.source.builds import EVERY, NONE
from opspec_lint.frameworks.tensorflow.extract.source.starlark import Library, StarlarkFile, name_of
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from opspec_lint.frameworks.tensorflow.extract.source.starlark import Items

NAMES = ("BUILD", "BUILD.bazel")
_TEST = pattern(r"(?:^|_)tests?(?:_|$)")
_GENERATED = "_op_lib"
_EXPORTED = ("//tensorflow/core:ops", "//tensorflow/core/ops/compat:op_compatibility_lib")
"""The libraries whose ops TensorFlow's build writes into ops.pbtxt."""


class Rule(Record):
    """A rule: its label, its strings by argument, and whether it is for tests."""

    label: str
    strings: Mapping[str, Items]
    is_test: bool


def _rules(folder: str, file: StarlarkFile) -> Iterator[Rule]:
    """Yield the rules of a BUILD file; one that has no name makes no library."""
    for call in file.calls:
        kind = name_of(call.func)
        strings = {keyword.arg: file.items(keyword.value) for keyword in call.keywords if keyword.arg}
        for argument in call.args:
            strings.setdefault("", []).extend(file.items(argument))
        is_test = bool(_TEST.search(kind)) or any(
            keyword.arg == "testonly" and isinstance(keyword.value, ast.Constant) and bool(keyword.value.value)
            for keyword in call.keywords
        )
        if kind == "tf_gen_op_libs":
            below = strings.get("sub_directory", [("ops/", EVERY)])[0][0]
            for name, builds in strings.get("op_lib_names", strings.get("", [])):
                sources = {"srcs": [(f"{below}{name}.cc", builds)], "deps": strings.get("deps", [])}
                yield Rule(label=f"//{folder}:{name}{_GENERATED}", strings=sources, is_test=is_test)
        elif strings.get("name"):
            yield Rule(label=f"//{folder}:{strings['name'][0][0]}", strings=strings, is_test=is_test)


class Compiled:
    """The builds that compile each of some files, by the BUILD files around them.

    Args:
        files: the paths of the files.
        text_of: returns the text of a file of the tree, None for a missing file.
        more: packages that may refer to the libraries of these files.

    `unread` are the BUILD files that cannot be parsed, with the reason and the line.
    """

    def __init__(self, files: Collection[str], text_of: Callable[[str], str | None], more: Iterable[str]) -> None:
        self._files = files
        self._text_of = text_of
        self._library = Library(text_of)
        self._parsed: dict[str, StarlarkFile | None] = {}
        self._packages: dict[str, list[Rule] | None] = {}
        self.unread: dict[str, tuple[str, int]] = {}
        self._owners: dict[str, str | None] = {path: self._owner(path) for path in files}
        for folder in more:
            self._package(folder)
        self._rules = {rule.label: rule for rules in self._packages.values() for rule in rules or ()}
        self._naming: dict[str, list[tuple[Rule, frozenset[str]]]] = {}
        self._references: dict[str, list[tuple[Rule, frozenset[str]]]] = {}
        for rule in self._rules.values():
            for path, builds in self._sources(rule):
                self._naming.setdefault(path, []).append((rule, builds))
            for label, builds in _references(rule):
                self._references.setdefault(label, []).append((rule, builds))
        self._builds: dict[str, frozenset[str]] = {}
        self._exported = frozenset(label for root in _EXPORTED for label in self._reached(root))

    def builds(self, path: str) -> frozenset[str]:
        """Return the builds that compile a file; every build if no BUILD file of the tree says so."""
        folder = self._owners[path]
        if folder is None or self._packages[folder] is None:
            return EVERY
        compiled = NONE
        for rule, named in self._naming.get(path, ()):
            if not rule.is_test:
                compiled |= named & self._of_rule(rule.label)
        return compiled

    def is_exported(self, path: str) -> bool:
        """Return whether a file of a library below tensorflow/core/ops is part of what ops.pbtxt lists."""
        if not self._exported or not path.startswith("tensorflow/core/ops/"):
            return True
        return any(rule.label in self._exported for rule, _ in self._naming.get(path, ()))

    def condition(self, package: str, function: str) -> frozenset[str]:
        """Return the builds in which a function such as `if_mkl` returns its first argument.

        Args:
            package: the folder of a package that loads the function.
            function: its name.
        """
        file = self._file(package)
        call = ast.parse(f"{function}(['x'])", mode="eval").body
        items = [] if file is None else file.items(call)
        return frozenset(build for _, builds in items for build in builds)

    def _owner(self, path: str) -> str | None:
        """Return the folder of the package that a file belongs to; the packages around it are read as well."""
        folder, owner = posixpath.dirname(path), None
        while True:
            if self._package(folder) is not None or self._is_unread(folder):
                owner = folder if owner is None else owner
            if not folder:
                return owner
            folder = posixpath.dirname(folder)

    def _is_unread(self, folder: str) -> bool:
        return any(posixpath.join(folder, name) in self.unread for name in NAMES)

    def _package(self, folder: str) -> list[Rule] | None:
        if folder not in self._packages:
            file = self._file(folder)
            self._packages[folder] = None if file is None else list(_rules(folder, file))
        return self._packages[folder]

    def _file(self, folder: str) -> StarlarkFile | None:
        if folder not in self._parsed:
            self._parsed[folder] = self._parse(folder)
        return self._parsed[folder]

    def _parse(self, folder: str) -> StarlarkFile | None:
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

    def _sources(self, rule: Rule) -> Iterator[tuple[str, frozenset[str]]]:
        """Yield the files that the arguments of a rule name."""
        folder = rule.label[2:].partition(":")[0]
        for argument, items in rule.strings.items():
            for text, builds in items:
                if argument == "prefix" and text:
                    start = posixpath.join(folder, text)
                    yield from ((path, builds) for path in self._files if _is_of_prefix(path, start))
                else:
                    is_label = text.startswith("//")
                    path = text[2:].replace(":", "/") if is_label else posixpath.join(folder, text.lstrip(":"))
                    if path in self._owners:
                        yield path, builds

    def _of_rule(self, label: str) -> frozenset[str]:
        """Return the builds that a rule is part of, by the rules that refer to it; every build if none does."""
        if label not in self._builds:
            self._builds[label] = EVERY  # for rules that refer to each other
            references = [(rule, builds) for rule, builds in self._references.get(label, ()) if not rule.is_test]
            if references:
                together = NONE
                for rule, builds in references:
                    together |= builds & self._of_rule(rule.label)
                self._builds[label] = together
        return self._builds[label]

    def _reached(self, root: str) -> set[str]:
        """Return the labels of a rule and of all that it depends on; none if there is no such rule."""
        waiting, reached = [root] if root in self._rules else [], set[str]()
        while waiting:
            label = waiting.pop()
            if label not in reached:
                reached.add(label)
                rule = self._rules.get(label)
                waiting += () if rule is None else (dependency for dependency, _ in _references(rule))
        return reached


def _references(rule: Rule) -> Iterator[tuple[str, frozenset[str]]]:
    package = rule.label[2:].partition(":")[0]
    for argument, items in rule.strings.items():
        if "deps" not in argument:
            continue
        for text, builds in items:
            if text.startswith(":"):
                yield f"//{package}{text}", builds
            elif text.startswith("//"):
                yield (text if ":" in text else f"{text}:{text.rpartition('/')[2]}"), builds


def _is_of_prefix(path: str, prefix: str) -> bool:
    return path.startswith(prefix) and "/" not in path[len(prefix) :]
