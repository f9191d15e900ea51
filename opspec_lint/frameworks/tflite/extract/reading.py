"""Reads the files of a tree that speak of op versions, each by its own module, and each content once."""

from __future__ import annotations

from importlib import import_module

from opspec_lint.cpp.build_files import BuildFiles, candidates
from opspec_lint.frameworks.tflite.extract.layout import DELEGATES, PLACES
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import source_text
from opspec_lint.spec.condition import ALWAYS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from opspec_lint.git.source_tree import SourceTree
    from opspec_lint.spec.condition import Condition

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
"""Of each kind of file the module that reads it: `read`, and `MARK`, which is in it unless it includes another one."""
_RESOLVERS = ("kernels", "reference_kernels")

_DELEGATES = {f"delegate {each.name}": each for each in DELEGATES}
_FORWARDS = "forwards"
"""What stands for a file that only includes another one."""


class ReadFile(Record):
    """A file of one kind: its path, the id of its content, its content, the condition that a build compiles it.

    The condition is known of the files with a resolver.
    """

    path: str
    blob: str
    said: Any
    built: Condition = ALWAYS


class Known:
    """What was read before, by kind of file and id of its content.

    Args:
        said: what an earlier run has read; anything else stands for nothing.
    """

    def __init__(self, said: Any = None) -> None:
        self.said: dict[tuple[str, str], Any] = said if isinstance(said, dict) else {}
        self.has_changed = False

    def keep(self, kind: str, blob: str, said: Any) -> None:
        """Keep what was read."""
        self.said[kind, blob] = said
        self.has_changed = True

    def of(self, blobs: set[str]) -> dict[tuple[str, str], Any]:
        """Return the known facts about some contents."""
        return {key: said for key, said in self.said.items() if key[1] in blobs}


def read(tree: SourceTree, known: Known) -> dict[str, ReadFile]:
    """Return the content of the files of a tree, by kind; a kind whose file is not there is left out.

    Args:
        tree: the tree.
        known: what was read before; what is read now is added.

    Raises:
        InputError: an object of the tree is missing, or its schema cannot be parsed.
    """
    ids = {path: blob for path, blob in tree.identify((*_ALL, *_BUILDS)).items() if blob}
    places = {kind: [path for path in paths if path in ids] for kind, paths in PLACES.items()}
    unread = [path for kind, paths in places.items() for path in paths if (kind, ids[path]) not in known.said]
    texts = tree.read([*unread, *_nearest_builds(ids)])
    found: dict[str, ReadFile] = {}
    builds = BuildFiles(tree, contents={path: texts.get(path) for path in _BUILDS})
    for kind, paths in places.items():
        for path in paths:
            said = known.said.get((kind, ids[path]))
            if said is None:
                said, is_whole = _said(kind, path, texts.get(path) or b"", tree)
                if is_whole:
                    known.keep(kind, ids[path], said)
            if said != _FORWARDS:
                built = builds.compiles(path) if kind in _RESOLVERS else ALWAYS
                found[kind] = ReadFile(path=path, blob=ids[path], said=said, built=built)
                break
    return found


def _nearest_builds(ids: Mapping[str, str]) -> Iterator[str]:
    """Yield the build files that say whether a file with a resolver is compiled."""
    groups = [group for kind in _RESOLVERS for path in PLACES[kind] if path in ids for group in candidates(path)]
    nearest = (next((build for build in group if build in ids), None) for group in groups)
    yield from dict.fromkeys(build for build in nearest if build is not None)


_ALL = tuple(dict.fromkeys(path for paths in PLACES.values() for path in paths))
_BUILDS = tuple(
    dict.fromkeys(
        build
        for kind in _RESOLVERS
        for path in PLACES[kind]
        for builds_of_kind in candidates(path)
        for build in builds_of_kind
    )
)
"""The build files that may list a file with a resolver."""


def _said(kind: str, path: str, data: bytes, tree: SourceTree) -> tuple[Any, bool]:
    """Return the content of a file, and whether that follows from its bytes alone."""
    if kind == SCHEMA:
        from opspec_lint.frameworks.tflite.extract import schema

        return schema.read(data, path, lambda other: tree.read([other])[other])
    text = source_text(data)
    if kind in _DELEGATES:
        from opspec_lint.frameworks.tflite.extract import delegates

        return delegates.read(text, _DELEGATES[kind]), True
    reader = import_module(f"{__package__}.{_READERS[kind]}")
    if reader.MARK not in text:
        return _FORWARDS, True
    if kind not in _RESOLVERS:
        return reader.read(text), True
    builds = BuildFiles(tree, (path.partition("/")[0],))
    said = reader.read(text, path, builds.may_define)
    return said, not builds.was_asked
