"""The build files around a source file: whether they compile the file, and which macros they may define.

Build files are programs, and are not executed: a file counts as compiled if a build file names it, except in order to
exclude it, or lists the files of a folder by a pattern.
"""

from __future__ import annotations

import re

from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.text import source_text
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.git.source_tree import SourceTree
    from opspec_lint.spec.condition import Condition

_BAZEL = ("BUILD", "BUILD.bazel")
_NAMES = (*_BAZEL, "CMakeLists.txt", "setup.py", "pyproject.toml", "meson.build", "Makefile")
"""The names of build files that list sources."""
_SETTINGS = (".bazelrc", "WORKSPACE", "MODULE.bazel")
"""Further files that define macros."""
_SETTING_ENDS = (".bzl", ".cmake", ".h", ".hpp", ".inc", ".cuh")
_LISTING_TEXTS = (
    *("glob", "GLOB", "aux_source_directory", "listdir", "os.walk", "wildcard", "populate_", "scandir", "iterdir"),
    *("*.c", "*.h"),
)
_EXCLUDING_TEXTS = ("exclude", "EXCLUDE", "REMOVE_ITEM", "FILTER")
_TEXT_OR_COMMENT = pattern(r"""\"(?:[^"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|#[^\n]*""")
_EXCLUDING_CALL = pattern(r"(?:\bexclude\s*=\s*\[[^\]]*|\b(?:EXCLUDE|REMOVE_ITEM|FILTER)\b[^()]*)\Z")
_FAR = 4000
"""Characters before the name of a file in which the call around the name is searched."""


def candidates(path: str) -> list[list[str]]:
    """Return, for each kind of build file, the paths above a source file at which one may list it, nearest first."""
    folder = path.rpartition("/")[0]
    folders = [folder]
    while folder:
        folder = folder.rpartition("/")[0]
        folders.append(folder)
    return [[f"{above}/{name}".lstrip("/") for above in folders] for name in _NAMES]


class BuildFiles:
    """The build files of a tree.

    Headers and build files in `folders` may define macros. `contents` are files that were read already, None for a
    missing one. `was_asked` becomes true once a result depends on files of the tree, so that it cannot be cached by the
    content of one file.
    """

    def __init__(
        self, tree: SourceTree, folders: tuple[str, ...] = ("",), contents: Mapping[str, bytes | None] = {}
    ) -> None:
        self._tree = tree
        self._folders = folders
        self._contents = contents
        self._texts: dict[str, str | None] = {}
        self._settings: list[str] | None = None
        self._defined: dict[str, bool] = {}
        self.was_asked = False

    def compiles(self, path: str) -> Condition:
        """Return the condition under which a build compiles a file; ALWAYS if no build file is above it."""
        self.was_asked = True
        answers = {build: self._lists(build, text, path) for build, text in self._nearest_build_files(path).items()}
        missing = [build for build, is_listed in answers.items() if not is_listed]
        if not missing:
            return ALWAYS
        if len(missing) == len(answers):
            return NEVER
        condition = ALWAYS
        for build in missing:
            condition = conjunction(condition, requirement(f"`{build}` compiles `{path}`"))
        return condition

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
        """Read the texts of files, except of those in `contents`."""
        paths = [path for path in paths if path not in self._texts]
        missing = [path for path in paths if path not in self._contents]
        known = {path: self._contents[path] for path in paths if path in self._contents}
        for path, data in {**known, **(self._tree.read(missing) if missing else {})}.items():
            self._texts[path] = None if data is None else source_text(data)

    def _nearest_build_files(self, path: str) -> dict[str, str]:
        """Return the text of the nearest build file of each kind above a file: a Bazel package ends at the next one."""
        groups = candidates(path)
        self._read([candidate for group in groups for candidate in group])
        result: dict[str, str] = {}
        for group in groups:
            nearest = next((candidate for candidate in group if self._texts[candidate] is not None), None)
            if nearest is not None and _is_list(nearest, self._texts[nearest] or ""):
                result[nearest] = self._texts[nearest] or ""
        return result

    @staticmethod
    def _lists(build: str, text: str, path: str) -> bool:
        """Return whether a build file may compile a source file."""
        name = path.rpartition("/")[2]
        at, is_named = text.find(name), False
        while at >= 0:
            end = at + len(name)
            is_whole = not _is_name_character(text[at - 1 : at]) and not _is_name_character(text[end : end + 1])
            if is_whole and not _is_comment(text, at):
                is_named = True
                if not _excludes(text, at):
                    return True
            at = text.find(name, end)
        if is_named:
            return False
        lines = (
            line for line in text.splitlines() if any(text_of_listing in line for text_of_listing in _LISTING_TEXTS)
        )
        # A pattern or an included file may list the source without its name: only a complete list excludes it.
        return any(not line.lstrip().startswith("#") for line in lines) or not _is_complete(build, text)


def _is_name_character(character: str) -> bool:
    """Return whether a character may be a part of a file name."""
    return character.isalnum() or character in ("_", ".", "-")


def _excludes(text: str, offset: int) -> bool:
    """Return whether the call around the name of a file excludes it from a list."""
    before = text[max(0, offset - _FAR) : offset]
    return (
        any(text_of_call in before for text_of_call in _EXCLUDING_TEXTS) and _EXCLUDING_CALL.search(before) is not None
    )


def _is_comment(text: str, offset: int) -> bool:
    """Return whether an offset is in a comment: behind a `#` that is in no string."""
    before = text[text.rfind("\n", 0, offset) + 1 : offset]
    return any(match[0][0] == "#" for match in _TEXT_OR_COMMENT.finditer(before)) if "#" in before else False


def _is_list(build: str, text: str) -> bool:
    """Return whether a build file lists sources of C++ at all."""
    if build.endswith(_BAZEL):
        return "srcs" in text or "cc_" in text
    return any(end in text for end in (".cc", ".cpp", ".cxx", ".cu"))


def _is_complete(build: str, text: str) -> bool:
    """Return whether a build file includes no other file that may list sources."""
    if build.endswith("CMakeLists.txt"):
        return "include(" not in text and "add_subdirectory(" not in text
    return build.endswith((*_BAZEL, "setup.py"))
