"""The op sources of a tree as one build sees them, with an index of their classes and macros."""

from __future__ import annotations

from opspec_lint.cpp.classes import class_at, class_matches
from opspec_lint.cpp.continued import join_broken_names
from opspec_lint.cpp.splices import has_lists
from opspec_lint.frameworks.paddle.extract.fluid.common_names import COMMON
from opspec_lint.frameworks.paddle.extract.fluid.declaring_macros import (
    REGISTERING,
    declaring_macro_names,
    macro_definitions,
)
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Mapping

    from opspec_lint.cpp.classes import Class
    from opspec_lint.cpp.files import CppFiles
    from opspec_lint.cpp.preprocessed import Code
    from opspec_lint.frameworks.paddle.extract.fluid.declaring_macros import Definition
    from opspec_lint.frameworks.paddle.extract.fluid.protos import Protos

_DEFINED_NAME = pattern(r"#[ \t]*define[ \t]+(\w+)")
_CLASS = pattern(r"class\s+(?:[A-Z_]+\s+)?([A-Za-z_]\w*)")
_STRUCT = pattern(r"struct\s+(?:[A-Z_]+\s+)?([A-Za-z_]\w*)")
"""A class, in two patterns: `re` searches a literal five times as fast as one of two."""
_REGISTER = pattern(r"REGISTER_\w+")
_INVOKED = pattern(r"\n[ \t]*([A-Z_]\w*)[ \t]*\(")


CLASS = "class "
"""The prefix of an entry of `CppFiles.looked_at` that is no path: the files that declare a class."""
NAMES = "names "
"""The prefix of another such entry: the names of the sources in a folder."""


class FileFacts(tuple["Mapping[str, Definition]", "tuple[str, ...]", "tuple[str, ...]", "tuple[str, ...]", bool]):
    """The index of one file, computed from its text alone; a tuple, which the cache stores as it is."""

    __slots__ = ()

    @property
    def macros(self) -> Mapping[str, Definition]:
        """The macros with parameters that the file defines."""
        return self[0]

    @property
    def invoked(self) -> tuple[str, ...]:
        """The identifiers that may be invocations of macros."""
        return self[1]

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes that the file declares."""
        return self[2]

    @property
    def redefined(self) -> tuple[str, ...]:
        """The common names that the file defines as macros."""
        return self[3]

    @property
    def has_lists(self) -> bool:
        """True if the file registers something, and includes lists of what it registers."""
        return self[4]


def index_file(raw: str) -> FileFacts:
    """Return the index of a file."""
    # A backslash at the end of a line may split a name, which the patterns would then miss.
    raw = join_broken_names(raw)
    has_macros = "#define" in raw or "# define" in raw
    registering = _REGISTER.findall(raw)
    return FileFacts(
        (
            macro_definitions(raw) if has_macros else {},
            tuple({*registering, *_INVOKED.findall(raw)}),
            tuple({*_CLASS.findall(raw), *_STRUCT.findall(raw)}),
            tuple(COMMON.intersection(_DEFINED_NAME.findall(raw))) if has_macros else (),
            bool(registering) and has_lists(raw.encode("utf-8", "replace")),
        )
    )


class Workspace:
    """The op sources of a tree as one build compiles them.

    `facts_by_path` is the index of each op source, `defined` the macros of the build. `tree_macros` are the macros of
    the tree that lead to a registration or a maker.
    """

    def __init__(
        self, files: CppFiles, facts_by_path: Mapping[str, FileFacts], defined: Mapping[str, str], protos: Protos
    ) -> None:
        self.files = files
        self.defined = defined
        self.protos = protos
        names = declaring_macro_names(macro for facts in facts_by_path.values() for macro in facts.macros.items())
        own = names - REGISTERING
        # Names are sorted so that equal trees have equal patterns: `macro_context` is part of the cache key.
        self.declaring = pattern(rf"\b(?:{'|'.join(sorted(own))})\b") if own else None
        self._registering = names
        self.redefined = frozenset(name for facts in facts_by_path.values() for name in facts.redefined)
        self.tree_macros = own
        self._facts_by_path = facts_by_path
        self._declarers: dict[str, list[str]] = _paths_by_name(
            (path, facts.classes) for path, facts in facts_by_path.items()
        )
        self._folders: dict[str, list[str]] | None = None
        self._matches: dict[int, tuple[Code, dict[str, list[re.Match[str]]]]] = {}
        self._classes: dict[tuple[int, str], list[Class]] = {}

    def registering_files(self) -> list[str]:
        """Return the files that may register an op."""
        return sorted(
            path
            for path, facts in self._facts_by_path.items()
            if path.endswith(".cc") and not self._registering.isdisjoint(facts.invoked)
        )

    def may_declare(self, path: str) -> bool:
        """Return whether a file may invoke a macro of the tree that leads to a declaration."""
        facts = self._facts_by_path.get(path)
        if facts is not None and not self.tree_macros.isdisjoint(facts.invoked):
            return True
        # The index has REGISTER_... from anywhere in a line, but other macros from its start only.
        unusual_names = [name for name in self.tree_macros if not name.startswith("REGISTER_")]
        if not unusual_names:
            return False
        raw = self.files.raw(path) or ""
        return any(name in raw for name in unusual_names)

    def declarers(self, name: str) -> list[str]:
        """Return the op sources that may declare a class of a name."""
        # A file that declares the class elsewhere changes the result, although no file that was read changes.
        self.files.looked_at.add(f"{CLASS}{name}")
        return self._declarers.get(name, [])

    def source_names(self, folder: str) -> list[str]:
        """Return the names of the op sources in a folder."""
        self.files.looked_at.add(f"{NAMES}{folder}")
        return self._names(folder)

    def _names(self, folder: str) -> list[str]:
        """Return the names for `source_names` and `answer`, from an index by folder."""
        if self._folders is None:
            self._folders = {}
            for path in self._facts_by_path:
                above, _, name = path.rpartition("/")
                self._folders.setdefault(above, []).append(name)
        return self._folders.get(folder, [])

    def answer(self, question: str) -> str | None:
        """Return a digest of the answer to a question in `looked_at`; None for a path, which is no question.

        A cached result is valid while the answers to its questions stay the same.
        """
        if question.startswith(CLASS):
            return " ".join(self._declarers.get(question[len(CLASS) :], ()))
        return " ".join(self._names(question[len(NAMES) :])) if question.startswith(NAMES) else None

    def outline(self, path: str) -> str:
        """Return the outline of a file: its includes and macros."""
        return self.files.outline(path)

    def peek(self, path: str, identifier: str) -> bool:
        """Return whether a word occurs in a file."""
        return self.files.peek(path, identifier)

    def macro_context(self) -> str:
        """Return a text that changes if other macros lead to declarations; all parts depend on it."""
        return f"{self.declaring.pattern if self.declaring else ''} {sorted(self.redefined)}"

    def classes_in(self, code: Code, name: str) -> list[Class]:
        """Return the classes of a name that a file declares."""
        key = (id(code), name)
        if key not in self._classes:
            if id(code) not in self._matches:
                # The code is stored too, so that its id is not reused.
                self._matches[id(code)] = (code, class_matches(code))
            self._classes[key] = [class_at(code, match) for match in self._matches[id(code)][1].get(name, ())]
        return self._classes[key]


def _paths_by_name(pairs: Iterable[tuple[str, tuple[str, ...]]]) -> dict[str, list[str]]:
    """Return the paths of each name, from pairs of a path and its names."""
    paths_by_name: dict[str, list[str]] = {}
    for path, names in pairs:
        for name in names:
            paths_by_name.setdefault(name, []).append(path)
    return paths_by_name
