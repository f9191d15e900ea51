"""Loading of the specs of a tree: from its files, and from source trees at its revision."""

from __future__ import annotations

import os

from opspec_lint.documents.file_context import context_in_tree
from opspec_lint.git.folder_tree import LeftOutError
from opspec_lint.git.repository import INDEX, WORK_TREE
from opspec_lint.kit.errors import InputError, NothingThereError
from opspec_lint.sources import recognise, references
from opspec_lint.sources.companion import companion_of
from opspec_lint.sources.loaded import FileAccess

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.documents.decode import Document
    from opspec_lint.documents.memo import Memo
    from opspec_lint.git.snapshot import Snapshot
    from opspec_lint.sources.loaded import Loaded
    from opspec_lint.sources.reading import Reading


def load_file(tree: Snapshot, path: str) -> Loaded:
    """Return the spec in a file of a tree. Raises InputError if there is no such file, or it holds no spec."""
    return recognise.load_spec(decode(tree, path), path).replace(files=file_access(tree))


def load_unchanged(tree: Snapshot, path: str) -> Loaded | None:
    """Return the spec in a file of a tree, None for a file of op versions. Raises InputError if it is neither."""
    decoded = decode(tree, path)
    return None if companion_of(decoded.value) else recognise.load_spec(decoded, path).replace(files=file_access(tree))


def load_source(tree: Snapshot, reference: str, reading: Reading, *, may_lack: bool = False) -> Loaded | None:
    """Return the spec of a source at the revision of a tree; None if it is missing and `may_lack`.

    Raises InputError if the source cannot be read.
    """
    reference_at_revision = references.source_at_revision(reference, tree.revision, tree.repository.top)
    try:
        folder = os.path.normpath(reference.partition(":")[2] or ".")
        files = file_access(tree, "" if folder == "." else folder)
        return references.resolve(reference_at_revision, reading).replace(path=reference, files=files)
    except NothingThereError:
        if not may_lack:
            raise
        return None
    except LeftOutError as error:
        error.advice = (
            "add --staged, which reads the index, or --head HEAD, which reads the commit; "
            "or check out the whole tree: `git sparse-checkout disable`"
        )
        raise


def is_spec(tree: Snapshot, path: str) -> bool:
    """Return whether a file looks like a spec, by its beginning."""
    try:
        return bool(recognise.recognise(decode(tree, path)))
    except InputError:
        return False


def decode(tree: Snapshot, path: str, memo: Memo | None = None) -> Document:
    """Return the decoded text of a spec file. Raises InputError if there is no such file, or it cannot be decoded."""
    data = tree.read(path)
    if data is None:
        if tree.revision == INDEX:
            from opspec_lint.git import conflicts

            conflicts.refuse_conflict(tree.repository, path)
        raise InputError(
            tree.reference(path),
            "cannot be read",
            advice="check that it is a regular file, and that its objects are in this clone",
        )
    return recognise.document_of(
        data, tree.reference(path), memo, lambda: context_in_tree(path, tree.read, tree.reference, tree.include)
    )


def file_access(tree: Snapshot, folder: str = "") -> FileAccess:
    """Return access to the files of a tree, by their paths from one of its folders."""
    prefix = f"{folder}/" if folder else ""
    top = tree.repository.top if tree.revision == WORK_TREE else None
    return FileAccess(read=lambda path: tree.read(f"{prefix}{path}"), prefix=prefix, top=top, include=tree.include)
