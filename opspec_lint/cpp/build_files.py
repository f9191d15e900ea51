"""The build files around a source file: whether one compiles the file, and which macros one may define.

Build files are programs. They are not executed: a file counts as compiled if a build file names it other than to leave
it out, or lists the files of a folder by a pattern.
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
"""The files that list what a build compiles, in a folder."""
_SETTINGS = (".bazelrc", "WORKSPACE", "MODULE.bazel")
"""Further files that define macros."""
_SETTING_ENDS = (".bzl", ".cmake", ".h", ".hpp", ".inc", ".cuh")
_LISTING_TEXTS = (
    *("glob", "GLOB", "aux_source_directory", "listdir", "os.walk", "wildcard", "populate_", "scandir", "iterdir"),
    *("*.c", "*.h"),
)
_EXCLUDING_TEXTS = ("exclude", "EXCLUDE", "REMOVE_ITEM", "FILTER")
_TEXT_OR_COMMENT = pattern(r"""\"(?:[^"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|#[^\n]*""")
_LEFT_OUT = pattern(r"(?:\bexclude\s*=\s*\[[^\]]*|\b(?:EXCLUDE|REMOVE_ITEM|FILTER)\b[^()]*)\Z")
_FAR = 4000
"""Characters before the name of a file in which the call around it begins."""


def candidates(path: str) -> list[list[str]]:
    """Return where the build files of each kind may be that list a file, the nearest place first."""
    folder = path.rpartition("/")[0]
    folders = [folder]
    while folder:
        folder = folder.rpartition("/")[0]
        folders.append(folder)
    return [[f"{above}/{name}".lstrip("/") for above in folders] for name in _NAMES]


class BuildFiles:
    """The build files of a tree.

    `was_asked` tells whether an answer depends on files of the tree.

    Args:
        tree: the tree.
        folders: the folders whose headers and build files may define macros.
        contents: files of the tree that were read already, None for a missing one.
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
        """Return the condition under which a build compiles a file; ALWAYS where no build file is near it."""
        self.was_asked = True
        answers = {build: self._lists(build, text, path) for build, text in self._around(path).items()}
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
            named = re.compile(rf"(?<!\w)(?:-D)?{name}(?!\w)")
            defined = re.compile(rf"#[ \t]*define[ \t]+{name}\b")
            self._defined[name] = any(
                (defined if path.endswith((".h", ".hpp", ".inc", ".cuh")) else named).search(text)
                for path, text in self._all_settings()
            )
        return self._defined[name]

    def _all_settings(self) -> Iterator[tuple[str, str]]:
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
        paths = [path for path in paths if path not in self._texts]
        missing = [path for path in paths if path not in self._contents]
        known = {path: self._contents[path] for path in paths if path in self._contents}
        for path, data in {**known, **(self._tree.read(missing) if missing else {})}.items():
            self._texts[path] = None if data is None else source_text(data)

    def _around(self, path: str) -> dict[str, str]:
        """Return the nearest build file of each kind above a file; of Bazel, one bounds what others may name."""
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
        name = path.rpartition("/")[2]
        at, is_named = text.find(name), False
        while at >= 0:
            end = at + len(name)
            is_whole = not _is_of_name(text[at - 1 : at]) and not _is_of_name(text[end : end + 1])
            if is_whole and not _is_comment(text, at):
                is_named = True
                if not _leaves_out(text, at):
                    return True
            at = text.find(name, end)
        if is_named:
            return False
        lines = (
            line for line in text.splitlines() if any(text_of_listing in line for text_of_listing in _LISTING_TEXTS)
        )
        return any(not line.lstrip().startswith("#") for line in lines) or not _is_complete(build, text)


def _is_of_name(character: str) -> bool:
    return character.isalnum() or character in ("_", ".", "-")


def _leaves_out(text: str, offset: int) -> bool:
    """Return whether the call around the name of a file takes it from a list."""
    before = text[max(0, offset - _FAR) : offset]
    return any(text_of_call in before for text_of_call in _EXCLUDING_TEXTS) and _LEFT_OUT.search(before) is not None


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
    """Return whether a build file has no other files included that may list sources."""
    if build.endswith("CMakeLists.txt"):
        return "include(" not in text and "add_subdirectory(" not in text
    return build.endswith((*_BAZEL, "setup.py"))
