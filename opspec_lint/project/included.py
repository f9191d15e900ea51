"""Finds spec files that are the same at both ends, and include a file that is not."""

from __future__ import annotations

from contextlib import suppress

from opspec_lint.documents.file_context import of_tree
from opspec_lint.git.repository import WORK_TREE, ChangedFile
from opspec_lint.kit.errors import InputError
from opspec_lint.project.spec_files import SUFFIXES
from opspec_lint.sources import recognise
from opspec_lint.sources.format import Raw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from opspec_lint.git.snapshot import Snapshot
    from opspec_lint.project.spec_files import SpecSet

_INCLUDED = (".fbs",)
"""How the files end that specs include."""


def including(
    base: Snapshot, head: Snapshot, specs: SpecSet, moves: Iterable[ChangedFile], known: Container[str | None]
) -> Iterator[ChangedFile]:
    """Yield the spec files that are the same at both ends, and for which another file is read that is not.

    Args:
        base: the files of base.
        head: the files of head.
        specs: what counts as a spec file.
        moves: the files that are not the same at both ends; of a work tree, only spec files.
        known: the spec files of head that are not the same.
    """
    if head.revision != WORK_TREE and base.include == head.include and not any(map(_is_includable, moves)):
        return
    for path in head.files():
        if path in specs and not path.endswith(SUFFIXES) and path not in known:
            parts = _parts(head, path)
            if parts and (base.include != head.include or any(base.read(each) != parts[each] for each in parts)):
                yield ChangedFile(old=path, new=path)


def _is_includable(moved: ChangedFile) -> bool:
    return any(path.endswith(_INCLUDED) for path in (moved.old, moved.new) if path is not None)


def _parts(tree: Snapshot, path: str) -> dict[str, bytes | None]:
    """Return the content of each path that was read for a spec besides its own file, None where there is no file."""
    read: dict[str, bytes | None] = {}

    def reading(other: str) -> bytes | None:
        return read.setdefault(other, tree.read(other))

    data = tree.read(path)
    if data is not None:
        document = recognise.document_of(
            data, tree.reference(path), None, lambda: of_tree(path, reading, tree.reference, tree.include)
        )
        if isinstance(document.value, Raw) and document.value.format.includes(data):
            with suppress(InputError):  # where it differs from base, it is read again, and refused
                recognise.spec_of(document)
    return read
