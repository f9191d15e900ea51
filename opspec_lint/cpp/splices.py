"""Files with the text of the declaring files that they include in place of the `#include`, as a compiler reads them.

So an included declaration is in the namespace, the block and the conditions of the place, and sees the macros that are
defined before it. A symbolic link to a file of the tree has the text of that file.

Most trees have no such file; then nothing is read here, and the tree stays as it is.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right

from opspec_lint.cpp.comments import blank
from opspec_lint.cpp.limits import MAX_INCLUDE_DEPTH, MAX_PIECES
from opspec_lint.cpp.preprocessed import CppFile
from opspec_lint.kit.limits import MAX_SOURCE
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import source_text
from opspec_lint.sources.cache import digest
from opspec_lint.spec.condition import NEVER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from typing import Any, TypeAlias

    from opspec_lint.git.folders import Entries
    from opspec_lint.git.source_tree import SourceTree

    Read: TypeAlias = Callable[[Iterable[str]], Mapping[str, bytes | None]]
    Unread: TypeAlias = tuple[str, int, str]
    """An `#include` that cannot be followed: the file, the line, and the reason."""

UNITS = (".cc", ".cpp", ".cxx", ".cu", ".mm", ".hip", ".c")
"""The suffixes of files that a build compiles on their own."""
_LIST = pattern(rb'#[ \t]*include[ \t]*(?:"[^"\n]*\.(?!(?:hh?|cuh|hpp|hxx)")\w+"|[A-Za-z_])')
"""An `#include` of a file that is no header by its suffix, such as a list of macro invocations, or of a macro."""
_QUOTED = pattern(rb'#[ \t]*include[ \t]*"([^"\n]+)"')
_ONCE = pattern(r"^[ \t]*#[ \t]*pragma[ \t]+once\b", "m")
_BATCH = 500


class Splice(Record):
    """The text of a file with the texts that it includes, and the id of this text.

    `starts` are the lines at which its pieces begin, and `origins` the file and the line that each piece comes from.
    """

    data: bytes
    identity: str
    starts: list[int]
    origins: list[tuple[str, int]]

    def place(self, line: int) -> tuple[str, int]:
        """Return the file and the line in it that a line of the text comes from."""
        index = bisect_right(self.starts, line) - 1
        file, first = self.origins[index]
        return file, first + line - self.starts[index]


class Splices:
    """The files of a tree that include declaring files, directly or not, each as a `Splice`.

    `included` are the files whose text became a part of another one, and `unread` the includes that were not followed.

    Args:
        tree: the tree.
        blobs: the files of the tree that may include others, with the ids of their contents.
        declaring: the files that declare something and are included by others.
        listing: the files with declarations whose lists (`has_lists`) are to be included as well.
        links: the symbolic links that are followed inside of the tree.
        read: returns the contents of files, if they were read before.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - a tree, and what of it counts
        self,
        tree: SourceTree,
        blobs: Mapping[str, str],
        declaring: Collection[str],
        listing: Collection[str] = (),
        links: Collection[str] = (),
        read: Read | None = None,
    ) -> None:
        self.files: dict[str, Splice] = {}
        self.included: set[str] = set()
        self.unread: list[Unread] = []
        self._tree = tree
        self._read = read or tree.read
        self._blobs = blobs
        self._parsed: dict[str, CppFile | None] = {}
        self._raw: dict[str, str] = {}
        self._wanted = set(declaring)
        self._listing = set(listing)
        for path, target in tree.follow(links).items() if links else ():
            self._add_link(path, target)
        including = self._includers() if self._wanted else set[str]()
        for path in sorted(self._listing.union(path for path in including if path.endswith(UNITS))):
            self._add(path)
        self.unread += [unread for path in sorted(self._listing) for unread in self._unknown_lists(path)]

    def tree(self) -> SourceTree:
        """Return the tree with the spliced files in place of their own contents."""
        return _SplicedTree(self._tree, self.files) if self.files else self._tree

    def located(self, path: str, value: Any) -> Any:
        """Return plain data about a file with all places, `(path, line, ...)`, moved to where the text comes from."""
        return value if path not in self.files else self._located(path, value)

    def _located(self, path: str, value: Any) -> Any:
        """Return a value with the offsets in a file of the splice replaced by places."""
        if isinstance(value, dict):
            return {key: self._located(path, item) for key, item in value.items()}
        if isinstance(value, (tuple, list)):
            if len(value) > 1 and value[0] == path and isinstance(value[1], int):
                return (*self.files[path].place(value[1]), *value[2:])
            items = [self._located(path, item) for item in value]
            return items if isinstance(value, list) else tuple(items)
        return value

    def _add_link(self, path: str, target: str) -> None:
        """Add a symbolic link to a file of the tree."""
        data = self._tree.read([target])[target]
        if data is not None:
            self.files[path] = Splice(data=data, identity=f"{digest(data)[:40]}", starts=[1], origins=[(target, 1)])

    def _includers(self) -> set[str]:
        """Return the files that include a wanted file; headers among them become wanted files themselves."""
        including: set[str] = set()
        new = set(self._wanted)
        while new:
            names = rb"|".join(sorted({re.escape(path.rpartition("/")[2].encode()) for path in new}))
            includes = re.compile(rb'#[ \t]*include[ \t]*["<](?:[^">\n]*/)?(?:' + names + rb')[">]')
            # The search of the text leaves few files whose comments and strings have to be told from code.
            possible = [path for path, data in self._contents() if includes.search(data)]
            including.update(path for path in possible if [*self._directives(path)])
            new = {path for path in including if not path.endswith(UNITS)} - self._wanted
            self._wanted |= new
        return including

    def _contents(self) -> Iterator[tuple[str, bytes]]:
        """Yield all files of the tree that may include others; they are read in batches, which is faster in git."""
        paths = list(self._blobs)
        for start in range(0, len(paths), _BATCH):
            for path, data in self._read(paths[start : start + _BATCH]).items():
                if data is not None:
                    yield path, data

    def _file(self, path: str) -> CppFile | None:
        """Return a file of the tree, None if it cannot be read."""
        if path not in self._parsed:
            data = self._read([path])[path]
            self._raw[path] = "" if data is None else source_text(data)
            self._parsed[path] = None if data is None else CppFile(path, self._raw[path])
        return self._parsed[path]

    def _directives(self, path: str) -> Iterator[tuple[int, int, str]]:
        """Yield the includes of wanted files in a file: the start and the end of each, and the path of the target."""
        file = self._file(path)
        if file is None:
            return
        for offset, name in file.includes():
            target = self._target(path, name, is_list=self._includes_list(file, offset, name))
            if target is not None:
                yield file.bare.find("#", offset), file.text.find(name, offset) + len(name), target

    def _includes_list(self, file: CppFile, offset: int, name: str) -> bool:
        """Return whether an `#include` of a file with declarations is one of a list, which may have further ones."""
        # No header is meant to be included within braces.
        return file.path in self._listing and (_is_list(name) or _is_inside_braces(file.bare, offset))

    def _target(self, path: str, name: str, *, is_list: bool) -> str | None:
        """Return the path of the file that an `#include` names if its text is wanted there."""
        if name[:1] not in ('"', "<"):
            return None
        plain = posixpath.normpath(name[1:-1])
        near = posixpath.normpath(posixpath.join(posixpath.dirname(path), name[1:-1]))
        known = self._blobs if is_list else self._wanted
        for place in (near, plain) if name[0] == '"' else (plain,):
            if place in self._blobs:
                return place if place in known else None
        # The folders that a build searches are not known: a path that ends so, if there is only one.
        ending = [place for place in known if f"/{place}".endswith(f"/{plain}")]
        return ending[0] if len(ending) == 1 else None

    def _unknown_lists(self, path: str) -> Iterator[Unread]:
        """Yield the includes of a file that name no file of the tree, and no header."""
        file = self._file(path)
        if file is None:
            return
        for offset, name in file.includes():
            is_unknown = self._includes_list(file, offset, name) and self._target(path, name, is_list=True) is None
            if is_unknown and not _is_dead(file, offset):
                yield path, 1 + self._raw[path].count("\n", 0, offset), f"it includes {name}, which is not in the tree"

    def _add(self, path: str) -> None:
        """Add a file with the texts that it includes."""
        pieces: list[tuple[str, int, str]] = []
        if not self._append(path, (), pieces, set()) or len(pieces) == 1:
            return
        starts, line = [], 1
        for _, _, text in pieces:
            starts.append(line)
            line += text.count("\n")
        data = "".join(text for _, _, text in pieces).encode()
        origins = [(file, first) for file, first, _ in pieces]
        identity = digest(repr(origins).encode(), data)[:40]
        self.files[path] = Splice(data=data, identity=identity, starts=starts, origins=origins)
        self.included |= {file for file, _ in origins if file != path}

    def _append(self, path: str, around: tuple[str, ...], pieces: list[tuple[str, int, str]], seen: set[str]) -> bool:
        """Append the pieces of a file; return False, and note it, if they are too many or too large."""
        file = self._file(path)
        if file is None or (path in seen and _counts_once(file)):
            return True
        seen.add(path)
        raw, done, line = self._raw[path], 0, 1
        guard = file.include_guard() if around else None
        # The guard has done its work: for a reader, the macro would be one that another file may define.
        if guard is not None and not any(file.text[slice(*guard[0])].split()[-1] in text for _, _, text in pieces):
            for start, end in guard:
                raw = f"{raw[:start]}{blank(raw[start:end])}{raw[end:]}"
        unit = around[0] if around else path
        for start, end, target in self._directives(path):
            pieces.append((path, line, self._moved(path, unit, raw[done:start]) + "\n"))
            is_too_much = len(around) >= MAX_INCLUDE_DEPTH or len(pieces) > MAX_PIECES
            if is_too_much or not self._append(target, (*around, path), pieces, seen):
                if is_too_much:
                    place = 1 + raw.count("\n", 0, start)
                    self.unread.append((path, place, "declarations are included too often, or too deep"))
                return False
            line, done = line + raw.count("\n", done, end), end
        # A backslash at the end of a file continues no line of another one.
        rest = self._moved(path, unit, raw[done:]).rstrip("\\\n") + "\n" if around else raw[done:]
        pieces.append((path, line, rest))
        is_too_large = sum(len(text) for _, _, text in pieces) > MAX_SOURCE
        if is_too_large:
            self.unread.append((path, line, f"it has more than {MAX_SOURCE >> 20} MiB with the files that it includes"))
        return not is_too_large

    def _moved(self, path: str, unit: str, text: str) -> str:
        """Return a piece of an included file whose includes are relative to the including file."""
        folder, own = posixpath.dirname(path), posixpath.dirname(unit)
        if folder == own:
            return text

        def move(match: re.Match[str]) -> str:
            target = posixpath.normpath(posixpath.join(folder, match[2]))
            if target not in self._blobs:
                return match[0]
            name = posixpath.relpath(target, own or ".")
            return f'{match[1]}"{name if name.startswith("..") else f"./{name}"}"'

        return re.sub(r'^([ \t]*#[ \t]*include[ \t]*)"([^"\n]+)"', move, text, flags=re.MULTILINE)


class _SplicedTree:
    """A tree in which some files have other contents.

    Args:
        tree: the tree.
        files: the contents, also of symbolic links.
    """

    def __init__(self, tree: SourceTree, files: Mapping[str, Splice]) -> None:
        self.name = tree.name
        self.folders = tree.folders
        self.links = {path: target for path, target in tree.links.items() if path not in files}
        self._tree = tree
        self._files = files

    def blobs(self, folders: tuple[str, ...]) -> dict[str, str]:
        """Return the files below some folders, each with the id of its content."""
        blobs = self._tree.blobs(folders)
        self.links = {path: target for path, target in self._tree.links.items() if path not in self._files}
        below = tuple(f"{folder}/" if folder else "" for folder in folders)
        return blobs | {path: file.identity for path, file in self._files.items() if path.startswith(below)}

    def direct_files(self, folders: tuple[str, ...]) -> dict[str, str]:
        """Return the files that are directly in some folders, each with the id of its content."""
        own = {path: file.identity for path, file in self._files.items() if posixpath.dirname(path) in folders}
        return self._tree.direct_files(folders) | own

    def follow(self, paths: Iterable[str]) -> dict[str, str]:
        """Return the paths inside of the tree that symbolic links lead to, by link; other paths are left out."""
        return self._tree.follow(path for path in paths if path not in self._files)

    def read(self, paths: Iterable[str]) -> dict[str, bytes | None]:
        """Return the content of files, None for one that is missing or too large."""
        listed = list(paths)
        read = self._tree.read(path for path in listed if path not in self._files)
        return read | {path: self._files[path].data for path in listed if path in self._files}

    def identify(self, paths: Iterable[str]) -> dict[str, str]:
        """Return the ids of the contents of files, "" for a missing file."""
        listed = list(paths)
        known = self._tree.identify(path for path in listed if path not in self._files)
        return known | {path: self._files[path].identity for path in listed if path in self._files}

    def read_folders(self) -> dict[str, Entries]:
        """Return the folders of the commit that were read."""
        return self._tree.read_folders()


def _counts_once(file: CppFile) -> bool:
    """Return whether a file says that its text counts once, wherever it is included."""
    return _ONCE.search(file.bare) is not None or file.include_guard() is not None


def declares(path: str, data: bytes, registers: re.Pattern[str]) -> bool:
    """Return whether a pattern matches in the code of a file, outside of comments and directives."""
    return registers.search(CppFile(path, source_text(data)).all_branches().bare) is not None


def _is_inside_braces(bare: str, offset: int) -> bool:
    """Return whether more braces are opened than closed before an offset."""
    return bare.count("{", 0, offset) > bare.count("}", 0, offset)


def _is_dead(file: CppFile, offset: int) -> bool:
    """Return whether no build compiles the text at an offset, whatever other files define."""
    spans = file.conditional({}, lambda _: True).spans
    return any(start <= offset < end for start, end, condition, _ in spans if condition == NEVER)


def included_paths(path: str, data: bytes) -> Iterator[str]:
    """Yield the paths that the includes of a text may name, from its own folder and from the root of the tree."""
    for name in _QUOTED.findall(data) if b"include" in data else ():
        plain = name.decode("utf-8", "replace")
        yield posixpath.normpath(posixpath.join(posixpath.dirname(path), plain))
        yield posixpath.normpath(plain)


def is_header(path: str) -> bool:
    """Return whether a file is a header by its suffix, which the standard library omits."""
    return not _is_list(f'"{path}"')


def _is_list(name: str) -> bool:
    """Return whether the name in an `#include` belongs to a list, or is a macro."""
    return _LIST.match(f"#include {name}".encode()) is not None


def has_lists(data: bytes) -> bool:
    """Return whether a file includes one that is no header by its name, such as a list of invocations of a macro."""
    return b"include" in data and _LIST.search(data) is not None
