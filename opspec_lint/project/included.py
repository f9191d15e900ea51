"""Finds unchanged spec files that include a changed file, such as an `.fbs` schema."""

from __future__ import annotations

from contextlib import suppress

from opspec_lint.documents.file_context import context_in_tree
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
"""Extensions of the files that specs include."""


def files_with_changed_includes(
    base: Snapshot, head: Snapshot, specs: SpecSet, moves: Iterable[ChangedFile], known: Container[str | None]
) -> Iterator[ChangedFile]:
    """Yield the unchanged spec files for which a changed file is read.

    `moves` are the files that differ between base and head; for a work tree, only spec files. `known` are the changed
    spec files of head.
    """
    # In a work tree `moves` lacks included files, and other include folders may change any file: search in both cases.
    if head.revision != WORK_TREE and base.include == head.include and not any(map(_is_includable, moves)):
        return
    for path in head.files():
        if path in specs and not path.endswith(SUFFIXES) and path not in known:
            parts = _included_files(head, path)
            if parts and (base.include != head.include or any(base.read(part) != parts[part] for part in parts)):
                yield ChangedFile(old=path, new=path)


def _is_includable(moved: ChangedFile) -> bool:
    return any(path.endswith(_INCLUDED) for path in (moved.old, moved.new) if path is not None)


def _included_files(tree: Snapshot, path: str) -> dict[str, bytes | None]:
    """Return the content by path of all files that a spec reads besides its own, None for paths that do not exist."""
    read: dict[str, bytes | None] = {}

    def read_and_record(file: str) -> bytes | None:
        return read.setdefault(file, tree.read(file))

    data = tree.read(path)
    if data is not None:
        document = recognise.document_of(
            data,
            tree.reference(path),
            None,
            lambda: context_in_tree(path, read_and_record, tree.reference, tree.include),
        )
        if isinstance(document.value, Raw) and document.value.format.includes(data):
            with suppress(InputError):  # the file is read again if it changed, and the error is raised then
                recognise.spec_of(document)
    return read
