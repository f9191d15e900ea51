"""The files of a tree about op versions: each is read by the module of its kind, and once for each content."""

from __future__ import annotations

from importlib import import_module

from opspec_lint.builds.build_files import BuildFiles, candidates
from opspec_lint.builds.source_lists import PACKAGE_FILES
from opspec_lint.frameworks.tflite.extract.included import splices
from opspec_lint.frameworks.tflite.extract.layout import DELEGATES, PLACES
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import source_text
from opspec_lint.spec.condition import ALWAYS
from opspec_lint.spec.model import Origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from opspec_lint.cpp.splices import Splice, Unread
    from opspec_lint.git.source_tree import SourceTree
    from opspec_lint.spec.condition import Condition
    from opspec_lint.spec.model import Remark

SCHEMA = "schema"

_READERS = {
    "generated": "generated",
    "kernels": "resolvers",
    "reference_kernels": "resolvers",
    "written": "written_versions",
    "runtimes": "runtime_rows",
    "conversions": "conversions",
    "structs": "structs",
}
"""The module that reads each kind of file: it has `read`, and `MARK`, a text that is missing in a file of includes."""
_RESOLVERS = ("kernels", "reference_kernels")

_DELEGATES = {f"delegate {delegate.name}": delegate for delegate in DELEGATES}
_ONLY_INCLUDES = "forwards"
"""The content of a file that only includes another one."""


class ReadFile(Record):
    """A file of one kind: its path, the id of its content, its content, the condition that a build compiles it.

    Only files with a resolver have a condition, remarks on the build files that decide it, and the build file that
    compiles them ("" for none). `splice` tells where the
    lines of a text come from that includes others, and `unread` has the includes that were not followed.
    """

    path: str
    blob: str
    content: Any
    compiled_if: Condition = ALWAYS
    build_remarks: tuple[Remark, ...] = ()
    build_file: str | None = None
    splice: Splice | None = None
    unread: tuple[Unread, ...] = ()

    def origin(self, line: int) -> Origin:
        """Return the place of a line of the text."""
        file, line = (self.path, line) if self.splice is None else self.splice.place(line)
        return Origin(file=file, line=line)


class ReadCache:
    """The contents of files that were read before, by kind and blob id.

    `entries` come from an earlier run, and count as empty if they are no dictionary: a cache may be damaged.
    """

    def __init__(self, entries: Any = None) -> None:
        self.contents: dict[tuple[str, str], Any] = entries if isinstance(entries, dict) else {}
        self.has_changed = False

    def keep(self, kind: str, blob: str, content: Any) -> None:
        """Add the content of a blob, and note that the cache has to be saved."""
        self.contents[kind, blob] = content
        self.has_changed = True

    def entries_for(self, blobs: set[str]) -> dict[tuple[str, str], Any]:
        """Return the entries of the given blobs, to be saved for the next run."""
        return {(kind, blob): content for (kind, blob), content in self.contents.items() if blob in blobs}


def read(tree: SourceTree, cache: ReadCache) -> dict[str, ReadFile]:
    """Return the files of a tree by kind; a kind without a file is left out. New contents are added to the cache.

    Raises:
        InputError: an object of the tree is missing, or its schema cannot be parsed.
    """
    ids = {path: blob for path, blob in tree.identify((*_ALL_PATHS, *_BUILD_PATHS)).items() if blob}
    resolvers = [path for kind in _RESOLVERS for path in PLACES[kind] if path in ids]
    spliced = splices(tree, resolvers, ids, [path for path in _ALL_PATHS if path not in ids])
    tree = spliced.tree()
    ids |= {path: splice.identity for path, splice in spliced.files.items()}
    places = {kind: [path for path in paths if path in ids] for kind, paths in PLACES.items()}
    uncached = [path for kind, paths in places.items() for path in paths if (kind, ids[path]) not in cache.contents]
    texts = tree.read([*uncached, *_nearest_builds(ids)])
    files: dict[str, ReadFile] = {}
    builds = _build_files(tree, ids, texts)
    for kind, paths in places.items():
        for path in paths:
            # Cache key: the id of a blob is the hash of its content, so it serves all paths and revisions; the kind
            # selects the module that reads it.
            content = cache.contents.get((kind, ids[path]))
            if content is None:
                content, is_whole = _read_content(kind, path, texts.get(path) or b"", tree)
                if is_whole:
                    cache.keep(kind, ids[path], content)
            if content != _ONLY_INCLUDES:
                is_resolver = kind in _RESOLVERS
                compiled_if = builds.compiles(path) if is_resolver else ALWAYS
                remarks = tuple(builds.remarks()) if is_resolver else ()
                files[kind] = ReadFile(
                    path=path,
                    blob=ids[path],
                    content=content,
                    compiled_if=compiled_if,
                    build_remarks=remarks,
                    build_file=builds.compiling.get(path),
                    splice=spliced.files.get(path),
                    unread=tuple(spliced.unread) if is_resolver else (),
                )
                break
    return files


def _build_files(tree: SourceTree, ids: Mapping[str, str], texts: Mapping[str, bytes | None]) -> BuildFiles:
    """Return the build files of a tree: the nearest ones of each kind, with `texts`, and all packages of Bazel."""
    above = (path for path in _BUILD_PATHS if path in ids and path not in texts and path.endswith(PACKAGE_FILES))
    contents = dict.fromkeys(set(_BUILD_PATHS) - set(above))
    resolvers = [path for kind in _RESOLVERS for path in PLACES[kind] if path in ids]
    return BuildFiles(tree, contents={**contents, **texts}, sources=resolvers)


def _nearest_builds(ids: Mapping[str, str]) -> Iterator[str]:
    """Yield the build files that may state whether a file with a resolver is compiled."""
    groups = [group for kind in _RESOLVERS for path in PLACES[kind] if path in ids for group in candidates(path)]
    nearest = (next((build for build in group if build in ids), None) for group in groups)
    yield from dict.fromkeys(build for build in nearest if build is not None)


_ALL_PATHS = tuple(dict.fromkeys(path for paths in PLACES.values() for path in paths))
_BUILD_PATHS = tuple(
    dict.fromkeys(
        build
        for kind in _RESOLVERS
        for path in PLACES[kind]
        for builds_of_kind in candidates(path)
        for build in builds_of_kind
    )
)
"""The build files that may list a file with a resolver."""


def _read_content(kind: str, path: str, data: bytes, tree: SourceTree) -> tuple[Any, bool]:
    """Return the content of a file, and whether it depends on no other file, so that it may be cached."""
    if kind == SCHEMA:
        from opspec_lint.frameworks.tflite.extract import schema

        return schema.read(data, path, lambda include: tree.read([include])[include])
    text = source_text(data)
    if kind in _DELEGATES:
        from opspec_lint.frameworks.tflite.extract import delegates

        return delegates.read(text, _DELEGATES[kind]), True
    reader = import_module(f"{__package__}.{_READERS[kind]}")
    if reader.MARK not in text:
        return _ONLY_INCLUDES, True
    if kind not in _RESOLVERS:
        return reader.read(text), True
    builds = BuildFiles(tree, (path.partition("/")[0],))
    content = reader.read(text, path, builds.may_define)
    # An answer about a macro comes from other files, whose ids are not in the key of the cache.
    return content, not builds.was_asked
