"""The C++ files of a tree as one build compiles them, and what each includes."""

from __future__ import annotations

import os
from functools import lru_cache

from opspec_lint.cpp.continued import with_whole_names
from opspec_lint.cpp.limits import MAX_INCLUDES
from opspec_lint.cpp.preprocessed import CppFile
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.text import source_text
from opspec_lint.sources.parts import OUTLINE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from opspec_lint.cpp.preprocessed import Code
    from opspec_lint.git.source_tree import SourceTree

_DEFINE = pattern(r"#[ \t]*(?:define|undef)[ \t]+(\w+)")
_INCLUDE = pattern(r'#[ \t]*include[ \t]*["<]([^">\n]+)[">]')
_IRREGULAR = pattern(r"//|(?:/|\A)\.")
_NONE: frozenset[str] = frozenset()
_ENDS = (".h", ".cc", ".hpp", ".inc")
_MOST = 256
"""Scanned files that are kept: revisions in a row have much the same."""
_BESIDE = pattern(r"\.{1,2}/.*|[^/]+")


class Files:
    """The C++ files of a tree.

    `looked_at` gathers the dependencies of an answer: paths of files, and outlines of files (`sources.parts.OUTLINE`).
    `missed` gathers the words that were sought, and do not stand in files whose outlines alone count. `compiled` are
    the files that a build may see otherwise.

    Args:
        tree: where the files come from.
        root: the folder that includes are written from, with a slash; includes of other folders are not followed.
        features: how the macros begin by which builds differ; a file that tests one asks no other file for it.
    """

    def __init__(self, tree: SourceTree, root: str, features: tuple[str, ...]) -> None:
        self.tree = tree
        self._root = root
        self._features = features
        self.looked_at: set[str] = set()
        self.missed: set[str] = set()
        self.compiled: set[str] = set()
        self._raw: dict[str, str | None] = {}
        self._sources: dict[str, CppFile | None] = {}
        self._includes: dict[str, tuple[str, ...]] = {}
        self._defines: dict[str, frozenset[str]] = {}
        self._closures: dict[str, tuple[str, ...]] = {}
        self._sought: dict[str, tuple[str, ...]] = {}
        self._words: dict[str, dict[str, bool]] = {}

    def load(self, paths: Iterable[str]) -> None:
        """Read files ahead, many at once."""
        wanted = [path for path in paths if path not in self._raw]
        for path, data in self.tree.read(wanted).items():
            self._raw[path] = None if data is None else source_text(data)

    def raw(self, path: str) -> str | None:
        """Return the text of a file, None where there is none."""
        self.looked_at.add(path)
        return self._text(path)

    def _text(self, path: str) -> str | None:
        if path not in self._raw:
            self.load([path])
        return self._raw[path]

    def source(self, path: str) -> CppFile | None:
        """Return a file, None where there is none."""
        self.looked_at.add(path)
        if path not in self._sources:
            raw = self.raw(path)
            self._sources[path] = None if raw is None else _scanned(path, raw, self._features)
        return self._sources[path]

    def code(self, path: str, defined: Mapping[str, str]) -> Code | None:
        """Return a file as a build compiles it that defines these macros; None where there is no such file."""
        self.compiled.add(path)
        source = self.source(path)
        return None if source is None else source.code(defined)

    def closure(self, path: str) -> tuple[str, ...]:
        """Return a file and all that it includes, nearest first; what is not of the tree is left out.

        Raises:
            UnresolvedError: the closure has too many files.
        """
        if path not in self._closures:
            seen = {path: None}
            layer = [path]
            while layer:
                found: dict[str, None] = {}
                for file in layer:
                    for name in self._included(file):
                        if name not in seen:
                            seen[name] = found[name] = None
                self.looked_at.update(f"{OUTLINE}{name}" for name in layer)
                if len(seen) > MAX_INCLUDES:
                    raise UnresolvedError(f"it includes more than {MAX_INCLUDES} files", path, 1)
                layer = list(found)
                self.load(layer)
            self._sought[path] = tuple(f"{OUTLINE}{file}" for file in seen)
            self._closures[path] = tuple(file for file in seen if self._text(file) is not None)
        self.looked_at.update(self._sought[path])
        return self._closures[path]

    def has_word(self, path: str, word: str) -> bool:
        """Tell whether a word stands in the text of a file of the closure of another, comments included."""
        found = self.stands_in(path, word)
        if found:
            self.looked_at.add(path)
        else:
            self.missed.add(word)
        return found

    def stands_in(self, path: str, word: str) -> bool:
        """Tell whether a word stands in the text of a file, for nobody whose dependencies are gathered."""
        known = self._words.setdefault(word, {})
        if path not in known:
            known[path] = word in (self._text(path) or "")
        return known[path]

    def answer(self, _: str) -> str | None:
        """Return None: every dependency is a file."""
        return None

    def outline(self, path: str) -> str:
        """Return a text that tells what a file includes, and which macros it may define or undefine."""
        if self._text(path) is None:
            return ""
        return f"{' '.join(self._included(path))}|{' '.join(sorted(self.defines(path)))}"

    def defines(self, path: str) -> frozenset[str]:
        """Return the names of the macros that a file may define or undefine; its outline has them."""
        self.looked_at.add(f"{OUTLINE}{path}")
        if path not in self._defines:
            raw = with_whole_names(self._text(path) or "")
            self._defines[path] = frozenset(_DEFINE.findall(raw)) if "define" in raw or "undef" in raw else _NONE
        return self._defines[path]

    def included(self, path: str, name: str) -> str | None:
        """Return the path of what a file includes under a name, None where it is not of the tree."""
        if name.startswith(self._root):
            found = os.path.normpath(name) if _IRREGULAR.search(name) else name
        elif _BESIDE.fullmatch(name):
            found = os.path.normpath(os.path.join(os.path.dirname(path), name))
        else:
            return None
        return found if found.startswith(self._root) and found.endswith(_ENDS) else None

    def _included(self, path: str) -> tuple[str, ...]:
        if path not in self._includes:
            names = (self.included(path, name) for name in _included_names(self._text(path) or ""))
            self._includes[path] = tuple(name for name in names if name is not None)
        return self._includes[path]


def _included_names(raw: str) -> Iterator[str]:
    """Yield what a text includes: only blanks stand before the directive in its line."""
    for match in _INCLUDE.finditer(raw):
        at = match.start()
        if not raw[raw.rfind("\n", 0, at) + 1 : at].strip(" \t"):
            yield match[1]


@lru_cache(maxsize=_MOST)
def _scanned(path: str, raw: str, features: tuple[str, ...]) -> CppFile:
    """Return a file by its path and text."""
    return CppFile(path, raw, features)
