"""A tree as one build sees it, and what is known of all its op sources: who declares which class and macro."""

from __future__ import annotations

from opspec_lint.cpp.classes import class_at, class_matches
from opspec_lint.cpp.continued import join_broken_names
from opspec_lint.frameworks.paddle.extract.fluid.common_names import COMMON
from opspec_lint.frameworks.paddle.extract.fluid.declaring_macros import REGISTERING, declaring, definitions
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

_DEFINED = pattern(r"#[ \t]*define[ \t]+(\w+)")
_CLASS = pattern(r"(?:class|struct)\s+(?:[A-Z_]+\s+)?([A-Za-z_]\w*)")
_REGISTER = pattern(r"REGISTER_\w+")
_INVOKED = pattern(r"\n[ \t]*([A-Z_]\w*)[ \t]*\(")


CLASS = "class "
"""Begins an entry of `Files.looked_at` that is no path: which files declare a class was asked."""
NAMES = "names "
"""Begins another one: which sources a folder has was asked."""


class Facts(tuple["Mapping[str, Definition]", "tuple[str, ...]", "tuple[str, ...]", "tuple[str, ...]"]):
    """What is known of a file from its text alone: a tuple, which the cache keeps as it is."""

    __slots__ = ()

    @property
    def macros(self) -> Mapping[str, Definition]:
        """Its macros with parameters."""
        return self[0]

    @property
    def invoked(self) -> tuple[str, ...]:
        """What may be invocations of macros."""
        return self[1]

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes that it declares."""
        return self[2]

    @property
    def redefined(self) -> tuple[str, ...]:
        """The common names that it turns into macros."""
        return self[3]


def facts(raw: str) -> Facts:
    """The facts that the text of a file states."""
    raw = join_broken_names(raw)
    has_macros = "#define" in raw or "# define" in raw
    return Facts(
        (
            definitions(raw) if has_macros else {},
            tuple({*_REGISTER.findall(raw), *_INVOKED.findall(raw)}),
            tuple({*_CLASS.findall(raw)}),
            tuple(COMMON.intersection(_DEFINED.findall(raw))) if has_macros else (),
        )
    )


class Workspace:
    """The op sources of a tree as one build compiles them.

    Args:
        files: the files of the tree.
        about: what is known of each op source.
        defined: the macros that the build defines.
        protos: what framework.proto declares.
    """

    def __init__(self, files: CppFiles, about: Mapping[str, Facts], defined: Mapping[str, str], protos: Protos) -> None:
        self.files = files
        self.defined = defined
        self.protos = protos
        names = declaring(macro for each in about.values() for macro in each.macros.items())
        own = names - REGISTERING
        self.declaring = pattern(rf"\b(?:{'|'.join(sorted(own))})\b") if own else None
        self._registering = names
        self.redefined = frozenset(name for each in about.values() for name in each.redefined)
        self._own = own
        self._about = about
        self._declarers: dict[str, list[str]] = _inverted((path, each.classes) for path, each in about.items())
        self._folders: dict[str, list[str]] | None = None
        self._matches: dict[int, tuple[Code, dict[str, list[re.Match[str]]]]] = {}
        self._classes: dict[tuple[int, str], list[Class]] = {}

    def candidates(self) -> list[str]:
        """Return the files that may register an op."""
        return sorted(
            path
            for path, each in self._about.items()
            if path.endswith(".cc") and not self._registering.isdisjoint(each.invoked)
        )

    def may_declare(self, path: str) -> bool:
        """Tell whether a file may invoke a macro of the tree's own that leads to a declaration."""
        about = self._about.get(path)
        if about is not None and not self._own.isdisjoint(about.invoked):
            return True
        others = [name for name in self._own if not name.startswith("REGISTER_")]
        raw = self.files.raw(path) or "" if others else ""
        return any(name in raw for name in others)

    def declarers(self, name: str) -> list[str]:
        """Return the op sources that may declare a class of a name."""
        self.files.looked_at.add(f"{CLASS}{name}")
        return self._declarers.get(name, [])

    def names(self, folder: str) -> list[str]:
        """Return the names of the op sources in a folder."""
        self.files.looked_at.add(f"{NAMES}{folder}")
        return self._names(folder)

    def _names(self, folder: str) -> list[str]:
        if self._folders is None:
            self._folders = {}
            for path in self._about:
                above, _, name = path.rpartition("/")
                self._folders.setdefault(above, []).append(name)
        return self._folders.get(folder, [])

    def answer(self, question: str) -> str | None:
        """Return a text that changes when the answer to a question does; None for what is a path, and no question."""
        if question.startswith(CLASS):
            return " ".join(self._declarers.get(question[len(CLASS) :], ()))
        return " ".join(self._names(question[len(NAMES) :])) if question.startswith(NAMES) else None

    def outline(self, path: str) -> str:
        """Return the outline of a file."""
        return self.files.outline(path)

    def peek(self, path: str, word: str) -> bool:
        """Tell whether a word stands in a file."""
        return self.files.peek(path, word)

    def context(self) -> str:
        """Return a text that changes when other macros lead to declarations."""
        return f"{self.declaring.pattern if self.declaring else ''} {sorted(self.redefined)}"

    def classes_in(self, code: Code, name: str) -> list[Class]:
        """Return the classes of a name that a file declares."""
        key = (id(code), name)
        if key not in self._classes:
            if id(code) not in self._matches:
                self._matches[id(code)] = (code, class_matches(code))  # which keeps its id from being reused
            self._classes[key] = [class_at(code, match) for match in self._matches[id(code)][1].get(name, ())]
        return self._classes[key]


def _inverted(pairs: Iterable[tuple[str, tuple[str, ...]]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path, names in pairs:
        for name in names:
            found.setdefault(name, []).append(path)
    return found
