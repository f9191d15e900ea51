"""The C++ files of a tree as one build compiles them, and their includes."""

from __future__ import annotations

import os
from functools import lru_cache

from opspec_lint.cpp.continued import join_broken_names
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
_NO_NAMES: frozenset[str] = frozenset()
_ENDS = (".h", ".cc", ".hpp", ".inc")
_MAX_CACHED = 256
"""Preprocessed files that are cached: successive revisions share most files."""
_RELATIVE = pattern(r"\.{1,2}/.*|[^/]+")


class CppFiles:
    """The C++ files of a tree.

    `looked_at` collects the dependencies of a result: paths of files, and outlines of files (`sources.parts.OUTLINE`).
    `missed` collects the words that were searched and are absent from files whose outline is the only dependency.
    `compiled` are the files that another build may compile differently.

    Args:
        tree: the tree.
        root: the folder that includes are relative to, with a slash; includes of other folders are ignored.
        features: prefixes of the macros that differ between builds; no file defines these.
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
        self._closure_outlines: dict[str, tuple[str, ...]] = {}
        self._contained: dict[str, dict[str, bool]] = {}

    def load(self, paths: Iterable[str]) -> None:
        """Read many files at once, ahead of their use."""
        missing = [path for path in paths if path not in self._raw]
        for path, data in self.tree.read(missing).items():
            self._raw[path] = None if data is None else source_text(data)

    def raw(self, path: str) -> str | None:
        """Return the text of a file, None if it does not exist."""
        self.looked_at.add(path)
        return self._text(path)

    def _text(self, path: str) -> str | None:
        """Return the text of a file without recording the dependency."""
        if path not in self._raw:
            self.load([path])
        return self._raw[path]

    def source(self, path: str) -> CppFile | None:
        """Return a file, None if it does not exist."""
        self.looked_at.add(path)
        if path not in self._sources:
            raw = self.raw(path)
            self._sources[path] = None if raw is None else _cached_file(path, raw, self._features)
        return self._sources[path]

    def code(self, path: str, defined: Mapping[str, str]) -> Code | None:
        """Return a file as a build with these macros compiles it; None if it does not exist."""
        self.compiled.add(path)
        source = self.source(path)
        return None if source is None else source.code(defined)

    def closure(self, path: str) -> tuple[str, ...]:
        """Return a file and the files of the tree that it includes, directly or not, nearest first.

        Raises:
            UnresolvedError: the closure has too many files.
        """
        if path not in self._closures:
            layer = [path]
            seen = dict.fromkeys(layer)
            while layer:
                next_layer: dict[str, None] = {}
                for file in layer:
                    for name in self._include_paths(file):
                        if name not in seen:
                            seen[name] = next_layer[name] = None
                if len(seen) > MAX_INCLUDES:
                    self.looked_at.update(map(OUTLINE.__add__, seen))
                    raise UnresolvedError(f"it includes more than {MAX_INCLUDES} files", path, 1)
                layer = list(next_layer)
                self.load(layer)
            # Of all files, also those that do not exist: the result changes once one is added.
            self._closure_outlines[path] = tuple(map(OUTLINE.__add__, seen))
            self._closures[path] = tuple(file for file in seen if self._raw[file] is not None)
        self.looked_at.update(self._closure_outlines[path])
        return self._closures[path]

    def contains(self, path: str, name: str) -> bool:
        """Return whether the text of a file in a closure contains a word, comments included; record the dependency."""
        is_contained = self.peek(path, name)
        if is_contained:
            self.looked_at.add(path)
        else:
            self.missed.add(name)
        return is_contained

    def peek(self, path: str, name: str) -> bool:
        """Return whether the text of a file contains a word, without recording the dependency."""
        known = self._contained.setdefault(name, {})
        if path not in known:
            known[path] = name in (self._text(path) or "")
        return known[path]

    def answer(self, _: str) -> str | None:
        """Return None: the interface of dependencies allows other kinds than files, and C++ has none."""
        return None

    def outline(self, path: str) -> str:
        """Return a text with the includes of a file, and the macros that it may define or undefine."""
        if self._text(path) is None:
            return ""
        return f"{' '.join(self._include_paths(path))}|{' '.join(sorted(self.defines(path)))}"

    def defines(self, path: str) -> frozenset[str]:
        """Return the names of the macros that a file may define or undefine.

        A result that uses them depends on the outline of the file, not on its text: this is noted in `looked_at`.
        """
        self.looked_at.add(f"{OUTLINE}{path}")
        if path not in self._defines:
            # A backslash at the end of a line may break the name of a macro ([lex.phases]).
            raw = join_broken_names(self._text(path) or "")
            self._defines[path] = frozenset(_DEFINE.findall(raw)) if "define" in raw or "undef" in raw else _NO_NAMES
        return self._defines[path]

    def included(self, path: str, name: str) -> str | None:
        """Return the path of a file that `path` includes as `name`, None if it is not in the tree."""
        if name.startswith(self._root):
            target = os.path.normpath(name) if _IRREGULAR.search(name) else name
        elif _RELATIVE.fullmatch(name):
            target = os.path.normpath(os.path.join(os.path.dirname(path), name))
        else:
            return None
        return target if target.startswith(self._root) and target.endswith(_ENDS) else None

    def _include_paths(self, path: str) -> tuple[str, ...]:
        """Return the paths in the tree that a file includes."""
        if path not in self._includes:
            names = (self.included(path, name) for name in _include_directives(self._text(path) or ""))
            self._includes[path] = tuple(name for name in names if name is not None)
        return self._includes[path]


def _include_directives(raw: str) -> Iterator[str]:
    """Yield the names that a text includes; a directive is preceded only by blanks in its line."""
    for match in _INCLUDE.finditer(raw):
        at = match.start()
        if not raw[raw.rfind("\n", 0, at) + 1 : at].strip(" \t"):
            yield match[1]


@lru_cache(maxsize=_MAX_CACHED)
def _cached_file(path: str, raw: str, features: tuple[str, ...]) -> CppFile:
    """Return the file of a path and text, from the cache if possible."""
    return CppFile(path, raw, features)
