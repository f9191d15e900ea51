"""The packages of Bazel that contain the files in question, with the rules of their BUILD files."""

from __future__ import annotations

import posixpath
from typing import TypeVar

from opspec_lint.builds.bazel.rules import ALIAS, absolute_label, named_files
from opspec_lint.builds.source_lists import PACKAGE_FILES
from opspec_lint.builds.starlark.files import File, Library
from opspec_lint.kit.record import Generic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from opspec_lint.builds.bazel.rules import BuildRule, RuleReader
    from opspec_lint.builds.starlark.lists import Place

W = TypeVar("W")


class Packages(Generic[W]):
    """The packages of a tree that were read, and the files in question that their rules name.

    Args:
        files: the paths of the files in question.
        text_of: returns the text of a file of the tree, None for a missing file.
        reader: the reader of the rules.
        repositories: returns the folders of the tree that are repositories, by the name of the repository.

    `unread` are the BUILD files that cannot be parsed, with the reason and the line.
    """

    def __init__(
        self,
        files: Collection[str],
        text_of: Callable[[str], str | None],
        reader: RuleReader[W],
        repositories: Callable[[], Mapping[str, str]],
    ) -> None:
        self.files = dict.fromkeys(files)
        self.reader = reader
        self.library = Library(text_of, reader.cases, repositories, reader.unused, reader.skipped)
        self.unread: dict[str, tuple[str, int]] = {}
        self._text_of = text_of
        self._build_files: dict[str, str | None] = {}
        self._parsed: dict[str, File[W] | None] = {}
        self._packages: dict[str, list[BuildRule[W]] | None] = {}
        self._groups: dict[str, Collection[tuple[str, W]]] = {}
        self.rules: dict[str, BuildRule[W]] = {}
        """The rules that were added, by label."""
        self.rules_by_file: dict[str, list[tuple[BuildRule[W], W]]] = {}
        """The rules that name each file in question, with the cases in which they do."""

    def add(self, rules: Iterable[BuildRule[W]]) -> None:
        """Record rules and the files that they name."""
        added = list(rules)
        self.rules |= {rule.label: rule for rule in added}
        self._groups.clear()
        for rule in added:
            try:
                sources = list(self._sources(rule))
            except RecursionError:  # a chain of a thousand groups
                self.rules[rule.label] = rule.replace(unknown=rule.place)
                continue
            for path, where in sources:
                self.rules_by_file.setdefault(path, []).append((rule, where))

    def build_file(self, folder: str) -> str | None:
        """Return the path of the BUILD file of a folder, None if the folder is no package."""
        if folder not in self._build_files:
            paths = (posixpath.join(folder, name) for name in PACKAGE_FILES)
            self._build_files[folder] = next((path for path in paths if self._text_of(path) is not None), None)
        return self._build_files[folder]

    def package_of(self, path: str) -> str | None:
        """Return the folder of the package that contains a file, None if no folder above it is one."""
        folder = posixpath.dirname(path)
        while folder and self.build_file(folder) is None:
            folder = posixpath.dirname(folder)
        return folder if self.build_file(folder) is not None else None

    def rules_of_package(self, folder: str) -> list[BuildRule[W]] | None:
        """Return the rules of the package in a folder, None if it has no readable BUILD file."""
        if folder not in self._packages:
            file = self.file(folder)
            self._packages[folder] = None if file is None else list(self.reader.rules(file))
        return self._packages[folder]

    def read_rules(self) -> list[BuildRule[W]]:
        """Return the rules of all packages that were read."""
        return [rule for rules in self._packages.values() for rule in rules or ()]

    def is_unread(self, folder: str) -> bool:
        """Return whether the BUILD file of a folder cannot be parsed."""
        return self.build_file(folder) in self.unread

    def file(self, folder: str) -> File[W] | None:
        """Return the BUILD file in a folder; None if it is missing, or cannot be parsed."""
        if folder not in self._parsed:
            self._parsed[folder] = self._parse(folder)
        return self._parsed[folder]

    def made_rules(self, folder: str) -> Iterable[BuildRule[W]]:
        """Return the rules of macros whose calls name no file, so that they may make its name."""
        file = self.file(folder)
        if file is None:
            return ()
        unnamed = [path for path in file.files if self.is_unnamed(posixpath.join(folder, path))]
        return self.reader.rules_of_macros(file, unnamed)

    def is_unnamed(self, path: str) -> bool:
        """Return whether no rule names a file, except rules for tests."""
        return all(rule.is_test for rule, _ in self.rules_by_file.get(path, ()))

    def unknown_place(self, folder: str) -> Place | None:
        """Return the place of an expression in a BUILD file that may name further files; None if there is none."""
        rules = (rule for rule in self.rules.values() if rule.package == folder and not rule.is_test)
        return next((rule.unknown for rule in rules if rule.unknown is not None), None)

    def _parse(self, folder: str) -> File[W] | None:
        """Parse the BUILD file in a folder; a syntax error is recorded in `unread`."""
        path = self.build_file(folder)
        if path is None:
            return None
        prefix = f"{folder}/" if folder else ""
        # A glob matches no file of another package (https://bazel.build/reference/be/functions#glob).
        inside = (file for file in self.files if file.startswith(prefix) and self.package_of(file) == folder)
        below = [file[len(prefix) :] for file in inside]
        try:
            return File(path, self._text_of(path) or "", self.library, below)
        except SyntaxError as error:
            self.unread[path] = (error.msg, error.lineno or 1)
            return None

    def _sources(self, rule: BuildRule[W]) -> Iterator[tuple[str, W]]:
        """Yield the files that the arguments of a rule name, with the cases in which they do."""
        for argument, text, where in named_files(rule):
            if argument == "prefix" and text:
                start = posixpath.join(rule.package, text)
                yield from ((path, where) for path in self.files if _matches_prefix(path, start))
            elif text.endswith(self.reader.ends):
                package, _, name = absolute_label(rule.package, text)[2:].partition(":")
                path = posixpath.join(package, name)
                # A label that crosses into another package is an error of Bazel.
                if path in self.files and self.package_of(path) == package:
                    yield path, where
            else:
                files = self._files_of_group(absolute_label(rule.package, text))
                yield from ((path, self.reader.cases.both(named, where)) for path, named in files)

    def _files_of_group(self, label: str) -> Collection[tuple[str, W]]:
        """Return the files of a group, also of one that it contains; none for another rule."""
        rule = self.rules.get(label)
        if rule is None or not (rule.is_group or rule.kind == ALIAS):
            return ()
        if label not in self._groups:
            self._groups[label] = ()  # groups may contain each other
            self._groups[label] = dict.fromkeys(self._sources(rule))
        return self._groups[label]


def _matches_prefix(path: str, prefix: str) -> bool:
    """Return whether a file in the folder of a prefix begins with it: `prefix = "x"` names x.cc and x_gpu.cc."""
    return path.startswith(prefix) and "/" not in path[len(prefix) :]
