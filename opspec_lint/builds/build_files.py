"""The build files around a source file: whether they compile the file, and which macros they may define.

Build files are programs, and are not executed: a source counts as compiled if a statement that may run lists it, or
may list it by a pattern or in another file (`cmake.projects`, `setuptools.setup_py`). The BUILD files of Bazel are
evaluated (`bazel.sources`).
"""

from __future__ import annotations

import re
from functools import lru_cache

from opspec_lint.builds.source_lists import ENDS, PACKAGE_FILES, WORKSPACES, SourceLists
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.text import source_text
from opspec_lint.kit.text_cache import TextCache
from opspec_lint.spec.condition import ALWAYS, NEVER, assume, conjunction, disjunction, requirement
from opspec_lint.spec.model import Origin, Remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import TypeAlias

    from opspec_lint.builds.bazel.sources import Doubt, PackageSources
    from opspec_lint.git.source_tree import SourceTree
    from opspec_lint.spec.condition import Condition

    Lists: TypeAlias = SourceLists | PackageSources

_CMAKE = "CMakeLists.txt"
_KINDS = (PACKAGE_FILES, (_CMAKE,), ("setup.py",), ("pyproject.toml",), ("meson.build",), ("Makefile",))
"""The names of build files that list sources, by kind."""
_NAMES = tuple(name for kind in _KINDS for name in kind)
_SETTINGS = (".bazelrc", "WORKSPACE", "MODULE.bazel", "setup.cfg", "CMakePresets.json")
"""Further files that define macros."""
_SETTING_ENDS = (".bzl", ".cmake", ".h", ".hpp", ".inc", ".cuh")
_MAX_CACHED = 256
"""Build files whose lists are cached."""
_PACKAGES: TextCache[PackageSources] = TextCache(_MAX_CACHED)
"""The sources of the packages of Bazel that were read last, by their BUILD files and the sources in question."""
_PROJECT = pattern(r"^[ \t]*project[ \t]*\(", "im")
_INCLUDED_FILE = pattern(r"\b(?:include|add_subdirectory)[ \t]*\(", "i")
_BACKEND = pattern(r"^[ \t]*build-backend[ \t]*=[ \t]*[\"']([^\"']*)", "m")


def candidates(path: str) -> list[list[str]]:
    """Return, for each kind of build file, the paths above a source file at which one may list it, nearest first."""
    folder = path.rpartition("/")[0]
    folders = [folder]
    while folder:
        folder = folder.rpartition("/")[0]
        folders.append(folder)
    return [[f"{above}/{name}".lstrip("/") for above in folders for name in kind] for kind in _KINDS]


class BuildFiles:
    """The build files of a tree.

    Headers and build files in `folders` may define macros. `contents` are files that were read already, None for a
    missing one. `was_asked` becomes true once a result depends on files of the tree, so that it cannot be cached by the
    content of one file.
    """

    def __init__(
        self,
        tree: SourceTree,
        folders: tuple[str, ...] = ("",),
        contents: Mapping[str, bytes | None] = {},
        sources: Iterable[str] = (),
    ) -> None:
        self._tree = tree
        self._folders = folders
        self._contents = contents
        self._sources = dict.fromkeys(sources)
        self._texts: dict[str, str | None] = {}
        self._lists: dict[str, SourceLists] = {}
        self._packages: dict[str, PackageSources] = {}
        self._undecided: dict[str, str] = {}
        """The build files of which a statement that cannot be evaluated decides, each with the first such source."""
        self._doubts: dict[str, Doubt] = {}
        """The doubts on sources that no other build compiles."""
        self._added: dict[str, Condition] = {}
        """The condition under which a build executes a build file."""
        self._projects: dict[str, tuple[str, Condition]] = {}
        """For each file of CMake that another one executes, the first file of its project and the condition."""
        self._listing: set[str] = set()
        """The files of CMake of projects that name sources."""
        self._settings: list[str] | None = None
        self._defined: dict[str, bool] = {}
        self.compiling: dict[str, str] = {}
        """For each source that is compiled, the nearest build file that does so; "" if none lists any sources."""
        self.was_asked = False

    def compiles(self, path: str) -> Condition:
        """Return the condition under which a build compiles a file; ALWAYS if no build file is above it."""
        self.was_asked = True
        folder = path.rpartition("/")[0]
        builds = self._build_files(path)
        if not builds:
            return self._compiled_without_list(path)
        conditions = [self._compiled_if(files, path) for files in builds]
        missing = [files for files, condition in zip(builds, conditions, strict=True) if condition == NEVER]
        if self.is_left_out(path):
            for files in builds:
                for build, lists in files.items():
                    if lists.unknown_list is not None and lists.compiles(path) != NEVER:
                        self._undecided.setdefault(build, path)
        elif len(builds) == len(missing) + 1:
            for files in builds:
                for lists in files.values():
                    self._doubts.update((path, doubt) for doubt in lists.doubts(path))
        if len(missing) == len(builds):
            return NEVER
        listing = (build for files in builds for build, lists in files.items() if lists.compiles(path) != NEVER)
        self.compiling[path] = next(listing, "")
        # Next to a build that compiles the source, one that lists nothing of its folder builds something else.
        unlisted = [
            next(iter(files))
            for files in missing
            if any(lists.may_list_folder(_relative(folder, build)) for build, lists in files.items())
        ]
        condition = ALWAYS
        for compiled in conditions:
            if compiled != NEVER:
                condition = conjunction(condition, compiled)
        for build in unlisted:
            condition = conjunction(condition, requirement(f"`{build}` compiles `{path}`"))
        return condition

    def _compiled_without_list(self, path: str) -> Condition:
        """Return the condition under which a source is compiled above which no build file lists sources."""
        if self._is_of_python_package(path) or self._is_of_bazel_tree(path):
            return requirement(f"a build compiles `{path}`")
        self.compiling[path] = ""
        return ALWAYS

    def is_left_out(self, path: str) -> bool:
        """Return whether there are build files above a source, and none names it."""
        builds = self._build_files(path)
        return bool(builds) and not any(self._named_if(files, path) for files in builds)

    def _is_of_python_package(self, path: str) -> bool:
        """Return whether a source, above which no build file lists sources, is in a package that setuptools builds."""
        texts = {build: self._texts[build] for group in candidates(path) for build in group}
        present = {build: text for build, text in texts.items() if text is not None}
        return bool(present) and all(
            build.endswith("pyproject.toml")
            and ((backend := _BACKEND.search(text)) is None or backend[1].startswith("setuptools."))
            and "cmdclass" not in text
            for build, text in present.items()
        )

    def _is_of_bazel_tree(self, path: str) -> bool:
        """Return whether a source, above which no build file lists sources, is in a tree that Bazel builds."""
        folders = [build.rpartition("/")[0] for build in candidates(path)[0]]
        if any(self._texts[build] is not None for build in candidates(path)[0]):
            return True
        workspaces = [f"{folder}/{name}".lstrip("/") for folder in dict.fromkeys(folders) for name in WORKSPACES]
        self._read(workspaces)
        return any(self._texts[workspace] is not None for workspace in workspaces)

    def _compiled_if(self, files: Mapping[str, Lists], path: str) -> Condition:
        """Return the condition under which the build files of one kind, nearest first, compile a source."""
        # A file that may list further sources says nothing where another one names the source.
        return self._named_if(files, path) or disjunction(
            conjunction(self._added_if(build, path), condition)
            for build, lists in files.items()
            if (condition := lists.compiles(path)) != NEVER
        )

    def _named_if(self, files: Mapping[str, Lists], path: str) -> Condition:
        """Return the condition under which build files of one kind compile a source that they name."""
        named = disjunction(
            conjunction(self._added_if(build, path), condition)
            for build, lists in files.items()
            if (condition := lists.lists_named(path))
        )
        return assume(named, self._defaults_of(next(iter(files)))) if named not in (ALWAYS, NEVER) else named

    def _defaults_of(self, build: str) -> set[str]:
        """Return the requirements that options of CMake fulfil by their defaults in a build file."""
        if not build.endswith(_CMAKE):
            return set()
        above = self._cmake_files_above(build.rpartition("/")[0])
        present = [build, *(file for file in above if self._texts[file] is not None)]
        return set().union(*(self._lists_of(file).defaults for file in present))

    def _added_if(self, build: str, path: str) -> Condition:
        """Return the condition under which a build executes a build file that may compile a source.

        A file of CMake is executed if one above adds its folder, or if it starts a build: because it declares a project
        or none is above it.
        """
        if not build.endswith(_CMAKE):
            return ALWAYS
        self._lists_of(build)
        if build in self._projects:
            first, executed_if = self._projects[build]
            return conjunction(self._added_if(first, path), executed_if)
        if _PROJECT.search(self._texts[build] or ""):
            return ALWAYS
        if build not in self._added:
            folder = build.rpartition("/")[0]
            above = [file for file in self._cmake_files_above(folder) if self._texts[file] is not None]
            added = {file: self._lists_of(file).folder_added(folder, file) for file in above}
            if not any(added.values()):
                # Only a file that cannot be evaluated may add the folder.
                for file, added_if in added.items():
                    if added_if is None:
                        self._undecided.setdefault(file, path)
                        added[file] = ALWAYS
            conditions = [
                conjunction(added_if, self._added_if(file, path)) for file, added_if in added.items() if added_if
            ]
            self._added[build] = disjunction(conditions) if above else ALWAYS
        return self._added[build]

    def _cmake_files_above(self, folder: str) -> list[str]:
        """Return the paths, all read already, at which a file of CMake may add a folder."""
        if not folder:
            return []
        return next(group for group in candidates(folder) if group[0].endswith(_CMAKE))

    def compiles_together(self, first: str, second: str) -> bool:
        """Return whether a build file names two sources in one list, so that a build has both or neither."""
        self.was_asked = True
        builds = self._build_files(first)
        return any(lists.lists_together((first, second)) for files in builds for lists in files.values())

    def remarks(self) -> Iterator[Remark]:
        """Yield a remark on each build file that was not understood, so that sources count as compiled in doubt."""
        read: dict[str, Lists] = {**self._lists, **self._packages}
        for build, lists in read.items():
            if lists.unparsed is not None:
                line, reason = lists.unparsed
                yield _remark(build, line, reason, "each source that its text names")
            elif build in self._undecided and lists.unknown_list is not None:
                line, statement = lists.unknown_list
                taken = f"`{self._undecided[build]}`"
                yield _remark(build, line, f"{statement} may list sources", taken, lists.unknown_file)
        for path, doubt in self._doubts.items():
            file, line = doubt.place
            yield _remark(file, line, doubt.reason, f"`{path}`")

    def may_define(self, name: str) -> bool:
        """Return whether a build file or a header of the tree may define a macro."""
        self.was_asked = True
        if name not in self._defined:
            # Also `-DNAME` of a command line, in which no word begins at the name.
            named = re.compile(rf"(?<!\w)(?:-D)?{name}(?!\w)")
            defined = re.compile(rf"#[ \t]*define[ \t]+{name}\b")
            self._defined[name] = any(
                (defined if path.endswith((".h", ".hpp", ".inc", ".cuh")) else named).search(text)
                for path, text in self._all_settings()
                if name in text
            )
        return self._defined[name]

    def _all_settings(self) -> Iterator[tuple[str, str]]:
        """Yield the path and text of each file that may define macros."""
        if self._settings is None:
            names = (*_NAMES, *_SETTINGS)
            listed = self._tree.blobs(self._folders)
            folders = {"", *(path.rpartition("/")[0] for path in listed)}
            paths = {path for path in listed if path.endswith(_SETTING_ENDS) or path.rpartition("/")[2] in names}
            paths |= {f"{folder}/{name}".lstrip("/") for folder in folders for name in names}
            contents = self._tree.identify(sorted(paths))
            self._settings = [path for path in sorted(paths) if contents[path]]
            self._read(self._settings)
        for path in self._settings:
            text = self._texts[path]
            if text is not None:
                yield path, text

    def _read(self, paths: list[str]) -> None:
        """Store the texts of files, which are read only where `contents` lacks them; None for a missing file."""
        paths = [path for path in paths if path not in self._texts]
        missing = [path for path in paths if path not in self._contents]
        known = {path: self._contents[path] for path in paths if path in self._contents}
        for path, data in {**known, **(self._tree.read(missing) if missing else {})}.items():
            self._texts[path] = None if data is None else source_text(data)

    def _build_files(self, path: str) -> list[dict[str, Lists]]:
        """Return the build files that may list a source, and their lists, nearest first: a mapping for each kind."""
        groups = candidates(path)
        if path not in self._sources:
            self._sources[path] = None
            self._packages.clear()
        self._read([candidate for group in groups for candidate in group])
        return [files for group in groups if (files := self._files_of_kind(group))]

    def _files_of_kind(self, group: list[str]) -> dict[str, Lists]:
        """Return the build files of one kind that may list a source, with their lists, nearest first."""
        files: dict[str, Lists] = {}
        for build in group:
            text = self._texts[build]
            if text is not None and (_is_list(build, text) or self._is_of_project(build, text)):
                files[build] = self._package(build) if build.endswith(PACKAGE_FILES) else self._lists_of(build)
            if text is not None and build.endswith(PACKAGE_FILES):
                break  # the package that contains the source
        return files

    def _package(self, build: str) -> PackageSources:
        """Return the sources that a package compiles, from the cache if possible."""
        if build not in self._packages:
            from opspec_lint.builds.bazel.sources import PackageReader

            folder = build.rpartition("/")[0]
            key = build, self._texts[build], tuple(self._sources)
            self._packages[build] = _PACKAGES.get(
                key, self._text, lambda read: PackageReader(self._sources, read).read(folder)
            )
        return self._packages[build]

    def _text(self, path: str) -> str | None:
        """Return the text of a file; None for a missing file."""
        self._read([path])
        return self._texts[path]

    def _is_of_project(self, build: str, text: str) -> bool:
        """Return whether a file of CMake, which names no source, executes files that do."""
        if not build.endswith(_CMAKE) or not _INCLUDED_FILE.search(text):
            return False
        self._lists_of(build)
        return build in self._listing

    def _lists_of(self, build: str) -> SourceLists:
        """Return the lists of a build file that was read, of another kind than Bazel's."""
        if build not in self._lists and build.endswith(_CMAKE):
            self._read_projects(build)
        elif build not in self._lists:
            self._lists[build] = _source_lists(build, self._texts[build] or "")
        return self._lists[build]

    def _read_projects(self, build: str) -> None:
        """Record the lists of a file of CMake, and of the projects above that may execute it."""
        from opspec_lint.builds.cmake import projects

        above = self._cmake_files_above(build.rpartition("/")[0])
        present = [file for file in reversed(above) if self._texts[file] is not None]
        for first in (*present, build):
            if first in self._lists:
                continue
            project = projects.cached(first, self._text, is_root=first in (*present, build)[:1])
            is_listing = any(_is_list(file, text) for file, text in project.texts.items() if text is not None)
            for folder in project.folders.values():
                if folder.build not in self._lists:
                    self._lists[folder.build] = folder.lists
                    if is_listing:
                        self._listing.add(folder.build)
                    if folder.build != first:
                        self._projects[folder.build] = first, folder.executed_if


def _relative(folder: str, build: str) -> str:
    """Return a folder below a build file as a path relative to it."""
    return folder[len(build.rpartition("/")[0]) :].lstrip("/")


def _remark(build: str, line: int, reason: str, taken: str, file: str | None = None) -> Remark:
    """Return the remark on a build file that was not understood; its digest changes with the reason only."""
    facts = {"reason": f"{reason}, so {taken} is taken for compiled"}
    return Remark(
        event="op_unresolved", name=build, digest=reason, facts=facts, origin=Origin(file=file or build, line=line)
    )


@lru_cache(maxsize=_MAX_CACHED)
def _source_lists(build: str, text: str) -> SourceLists:
    """Return the lists of sources in a build file, from the cache if possible: revisions in a row share most files."""
    lists = SourceLists()
    try:
        if build.endswith("setup.py"):
            from opspec_lint.builds.setuptools import setup_py

            setup_py.find_lists(text, lists)
        elif not (build.endswith("pyproject.toml") and _has_extensions(text, lists)):
            lists.list_tokens(text)
    except SyntaxError as error:  # such as a setup.py of Python 2
        lists.unparsed = error.lineno or 1, "it is not valid Python"
        lists.list_tokens(text)
    return lists


def _has_extensions(text: str, lists: SourceLists) -> bool:
    """Record the sources of a `pyproject.toml`; return whether it lists extensions at all."""
    from opspec_lint.builds.setuptools import pyproject

    return pyproject.find_lists(text, lists)


def _is_list(build: str, text: str) -> bool:
    """Return whether a build file lists sources of C++ at all."""
    if build.endswith(PACKAGE_FILES):
        return any(mark in text for mark in ("srcs", "cc_", 'load("//', 'load(":'))
    return any(end in text for end in ENDS)
