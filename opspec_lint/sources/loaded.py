"""A spec that was loaded, with the text of its file and access to related files."""

from __future__ import annotations

import os

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opspec_lint.spec.model import Spec


class FileAccess(Record):
    """Access to the files of the tree that a spec is from, by the paths of its places.

    `read` returns the bytes of a file, None if it does not exist. `prefix` is the folder that the paths start from,
    from the top of the repository, with a slash at its end; "" is the top. `top` is the top on the disk, or the current
    folder if there is no repository; None for the files of a revision. `include` has the folders in which
    included files are searched.
    """

    read: Callable[[str], bytes | None]
    prefix: str = ""
    top: str | None = None
    include: tuple[str, ...] = ()


def access_around(path: str) -> FileAccess:
    """Return access to the files in the repository of a file on the disk, or else in the current folder."""
    from opspec_lint.documents.file_context import context_of_file, top_of

    context, top = context_of_file(path), top_of(path)
    if top is None:
        own = os.path.abspath(os.path.dirname(path))
        return FileAccess(read=lambda file: context.read(os.path.relpath(file, own)), top=os.getcwd())
    return FileAccess(read=context.read, top=top)


class Loaded(Record):
    """A spec, its name, and the text of its file, None if it is neither JSON nor YAML.

    The `path` of a file at a revision counts from the top of the repository. `is_file`: `path` is a file as it is on
    the disk now, relative to the current folder. `files` gives access to the files that the spec is from, None if there
    are none, or if they must not be read.
    """

    spec: Spec
    path: str
    text: str | None = None
    is_file: bool = False
    files: FileAccess | None = None
