"""The lists of sources in a build file, and the decision whether the file compiles a source."""

from __future__ import annotations

from fnmatch import fnmatchcase
from posixpath import normpath

from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, disjunction, negation, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    from opspec_lint.builds.cmake_regex import Regex
    from opspec_lint.spec.condition import Condition

    PathFilter: TypeAlias = Callable[[str], bool | str]
    """Tells whether a list keeps a path; if this is unknown, it returns the text of the test."""
    Excluded: TypeAlias = str | Regex
    """A source that is left out of a list, or a regex that matches a part of the paths that are."""

PACKAGE_FILES = ("BUILD.bazel", "BUILD")
"""The names of the file that makes a folder a package of Bazel; the first one counts if there are both."""
WORKSPACES = ("MODULE.bazel", "WORKSPACE", "WORKSPACE.bazel")
"""The files in the root of a tree that Bazel builds, which may name its repository."""
ENDS = (".cc", ".cpp", ".cxx", ".cu", ".c", ".hip")
"""The ends of the names of sources. A script that only contains an end, as in `name + ".cc"`, may list all of these."""
_VARIABLE = pattern(r"\$?\{[^{}]*\}|%(?:\(\w*\))?[-+ #0-9.]*[a-zA-Z]")
_COMMENT = pattern(r"#.*")
_TOKEN = pattern(r"[^\s\"'(),=\[\]]+")
_WILDCARD = pattern(r"[*?\[]")
_OPEN_NAME = pattern(r"[*?\[}%]|(?<![^/:\\])\.\w+$")
"""A text whose last part may be more than one name."""
_FOLDER = pattern(r"(?:(?:\$?\{[^{}]*\}|%s)/)+")


class SourceLists:
    """The lists of sources in a build file, in the order in which the file is executed.

    A variable in front of a name, such as `${CMAKE_CURRENT_SOURCE_DIR}/`, may be any folder. So a text names a source
    if the path of the source ends with it.

    Attributes:
        lists_unknown: the file may also list sources that its text does not name, such as the entries of a folder.
        unknown_list: the line and text of the first statement that lists them; None if they come from no statement.
        unknown_file: the path of the file with this statement, if the build file executes another one.
        unparsed: the line at which the file cannot be parsed, and the reason; None for a file that was parsed.
        folders: what `add_subdirectory` of CMake adds, as written, each with its condition.
        possible_folders: the arguments that may name a further folder: of commands that are not known, or of lists.
        adds_unknown: the file may add one of these, or one that it does not name.
        defaults: requirements that the options of the file fulfil by their defaults, also in the folders below.
    """

    def __init__(self) -> None:
        self.lists_unknown = False
        self.unknown_list: tuple[int, str] | None = None
        self.unknown_file: str | None = None
        self.unparsed: tuple[int, str] | None = None
        self.folders: list[tuple[str, Condition]] = []
        self.possible_folders: set[str] = set()
        self.adds_unknown = False
        self.defaults: set[str] = set()
        self._named: dict[str, Condition | None] = {}
        """The conditions of the sources that were asked for since the last change."""
        self._changes: list[
            tuple[tuple[str, ...], tuple[Excluded, ...], Condition, Condition, tuple[PathFilter, ...]]
        ] = []
        """The listed texts and the excluded ones; the conditions of the list, and of a removal from the lists before;
        the tests that a path of the list has to pass.

        A removal under the condition NEVER leaves the lists before as they are.
        """

    def list(
        self,
        texts: Iterable[str],
        excluded: Iterable[Excluded] = (),
        condition: Condition = ALWAYS,
        filters: tuple[PathFilter, ...] = (),
    ) -> None:
        """Record a list of sources or patterns under a condition, without those that it excludes itself."""
        self._record(texts, excluded, condition, NEVER, filters)

    def mark(self) -> int:
        """Return a mark for `join`."""
        return len(self._changes)

    def join(self, since: int) -> None:
        """Record the sources of all lists since a mark as one list, which a build compiles together."""
        added = self._changes[since:]
        conditions = {condition for _, _, condition, *_ in added}
        is_plain = all(removed_if == NEVER and not filters for *_, removed_if, filters in added)
        if len(added) > 1 and len(conditions) == 1 and is_plain:
            texts = tuple(text for listed, *_ in added for text in listed)
            excluded = tuple(text for _, left_out, *_ in added for text in left_out)
            self._record(texts, excluded, conditions.pop(), NEVER)

    def list_unknown(self, line: int, statement: str, file: str | None = None) -> None:
        """Record a statement that may list sources which the text of the file does not name."""
        self.lists_unknown = True
        if self.unknown_list is None:
            self.unknown_list = line, statement
            self.unknown_file = file

    def list_tokens(self, text: str) -> None:
        """Record each token of a text in a language that is not parsed, outside of comments that begin with `#`."""
        self.lists_unknown = self.adds_unknown = True
        for line in text.splitlines():
            self.list(_TOKEN.findall(_COMMENT.sub("", line)))

    def exclude(self, texts: Iterable[str], *, is_certain: bool, condition: Condition = ALWAYS) -> None:
        """Record sources that are removed from the lists before; an uncertain removal leaves a listed source listed."""
        self._record((), texts, condition, condition if is_certain else NEVER)

    def add_folder(self, text: str, condition: Condition) -> None:
        """Record a folder whose build file this one executes under a condition."""
        self.folders.append((text, condition))
        name = _FOLDER.sub("", text, 1)
        self.adds_unknown |= _VARIABLE.search(name) is not None or _WILDCARD.search(name) is not None

    def folder_added(self, folder: str, build: str) -> Condition | None:
        """Return the condition under which a build file, which is above a folder, adds it; None if it is unknown."""
        above = build.rpartition("/")[0]
        added = [condition for text, condition in self.folders if _is_folder(text, folder, above)]
        if added:
            return disjunction(added)
        name = folder.rpartition("/")[2]
        if any(text == name or _is_folder(text, folder, above) for text in self.possible_folders):
            return ALWAYS  # such as an argument of a function that adds folders
        return None if self.adds_unknown else NEVER

    def compiles(self, path: str) -> Condition:
        """Return the condition under which the file compiles a source."""
        condition = self.lists_named(path)
        if condition is None:
            return ALWAYS if self.lists_unknown else NEVER
        return condition

    def lists_named(self, path: str) -> Condition | None:
        """Return the condition under which a source of the text is listed; None if it is not named."""
        if path not in self._named:
            self._named[path] = self._find_named(path)
        return self._named[path]

    def _find_named(self, path: str) -> Condition | None:
        """Return the condition under which a source of the text is listed; None if it is not named."""
        parts = path.split("/")
        is_named = False
        listed_if = NEVER
        for texts, excluded, condition, removed_if, filters in self._changes:
            is_excluded = any(_excludes(left_out, parts) for left_out in excluded)
            if any(may_name(text, parts) for text in _with_name(texts, parts[-1])):
                is_named = True
                if not is_excluded:
                    listed_if = disjunction((listed_if, _kept_if(path, condition, filters)))
            elif is_excluded:
                is_named = True
                if removed_if != NEVER:
                    listed_if = conjunction(listed_if, negation(removed_if))
        return listed_if if is_named else None

    def lists_together(self, paths: Iterable[str]) -> bool:
        """Return whether one list or pattern of the file names several sources, so that they are compiled together."""
        split = [path.split("/") for path in paths]
        return any(
            all(any(may_name(text, parts) for text in texts) for parts in split)
            and not any(_excludes(left_out, parts) for left_out in excluded for parts in split)
            for texts, excluded, *_ in self._changes
        )

    def doubts(self, path: str) -> tuple[()]:  # noqa: ARG002 - only a package of Bazel has any
        """Return the doubts on a source that a statement names; there are none."""
        return ()

    def may_list_folder(self, folder: str) -> bool:
        """Return whether the file may list any source of a folder, which is relative to its own."""
        return any(may_be_in(text, folder) for texts, *_ in self._changes for text in texts)

    def _record(
        self,
        texts: Iterable[str],
        excluded: Iterable[Excluded],
        condition: Condition,
        removed_if: Condition,
        filters: tuple[PathFilter, ...] = (),
    ) -> None:
        self._named.clear()
        # Most texts of a build file are no sources, and each source of a tree is compared with those that are kept.
        kept = tuple(filter(_is_source, texts)), tuple(filter(_may_exclude, excluded))
        if any(kept):
            self._changes.append((*kept, condition, removed_if, filters))


def _kept_if(path: str, condition: Condition, filters: tuple[PathFilter, ...]) -> Condition:
    """Return the condition under which a list, which is built under a condition, keeps a path."""
    for keeps in filters:
        kept = keeps(path)
        test = requirement(kept) if isinstance(kept, str) else ALWAYS if kept else NEVER
        condition = conjunction(condition, test)
    return condition


def _is_folder(text: str, folder: str, above: str) -> bool:
    """Return whether a text in a build file, which is in the folder `above`, certainly names a folder."""
    name = _FOLDER.sub("", text, 1)
    if name == text:
        return normpath(f"{above}/{name}").lstrip("/") == folder
    # The text begins with a variable, such as `${CMAKE_CURRENT_SOURCE_DIR}/`.
    return f"/{folder}".endswith(f"/{name.strip('/')}")


def _is_source(text: str) -> bool:
    return "*" in text or text.endswith(ENDS)


def _may_exclude(left_out: Excluded) -> bool:
    return not isinstance(left_out, str) or _is_source(left_out)


def may_name(text: str, parts: list[str]) -> bool:
    """Return whether a text may name a source under some value of its variables."""
    text = _FOLDER.sub("", text, 1)
    return _matches(f"*{text}" if text in ENDS else _VARIABLE.sub("*", text), parts)


def _excludes(left_out: Excluded, parts: list[str]) -> bool:
    """Return whether a source is certainly one that a list leaves out."""
    if isinstance(left_out, str):
        return _certainly_names(left_out, parts)
    # CMake matches absolute paths, of which the part above the tree is unknown.
    return left_out.search(f"/{'/'.join(parts)}") is True


def _with_name(texts: Iterable[str], name: str) -> Iterator[str]:
    """Yield the texts that may end with the name of a file; a comparison of whole paths takes far longer."""
    return (text for text in texts if text.endswith(name) or _OPEN_NAME.search(text))


def _certainly_names(text: str, parts: list[str]) -> bool:
    text = _FOLDER.sub("", text, 1)
    return not _VARIABLE.search(text) and _matches(text, parts)


def may_be_in(text: str, folder: str) -> bool:
    """Return whether the source that a text names may be in a folder."""
    name = _FOLDER.sub("", text, 1)
    parts, named = folder.split("/") if folder else [], _split(name)[:-1]
    if "**" in name or name.startswith("//") or name != text:
        # The folder that the first part is in is unknown.
        return "**" in name or not named or parts[-len(named) :] == named
    return parts == named


def _matches(text: str, parts: list[str]) -> bool:
    """Return whether the path of a source ends with a path, a label of Bazel or a pattern."""
    if "**" in text:
        # `src/**/*.cc` also matches the files of `src` itself.
        return fnmatchcase("/".join(parts), f"*{text.replace('**/', '*')}")
    named = _split(text)
    return 0 < len(named) <= len(parts) and all(map(_matches_part, parts[-len(named) :], named))


def _matches_part(part: str, named: str) -> bool:
    """Return whether a part of a path is equal to a name or matches a pattern."""
    # `fnmatchcase` compiles each new pattern, and most texts are plain names.
    return part == named or (_WILDCARD.search(named) is not None and fnmatchcase(part, named))


def _split(name: str) -> list[str]:
    """Return the parts of a path or of a label of Bazel, without those that name no folder or file."""
    return [part for part in name.replace("\\", "/").replace(":", "/").split("/") if part not in ("", ".", "..", "@")]
