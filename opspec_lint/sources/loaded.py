"""A spec with the text of its file."""

from __future__ import annotations

import os

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opspec_lint.spec.model import Spec


class Around(Record):
    """The files around a spec, by the paths that its places have.

    `read` returns the bytes of one, None for one that does not exist. `prefix` is the path of the folder that these
    paths count from, from the top of the repository, with a slash at its end; "" is the top. `top` is the top on the
    disk, or the current folder where there is no repository; None if the files are those of a revision. `include` are
    the folders in which files are looked for that one of the files includes.
    """

    read: Callable[[str], bytes | None]
    prefix: str = ""
    top: str | None = None
    include: tuple[str, ...] = ()


def around_file(path: str) -> Around:
    """Return the files around one on the disk: those of its repository, or else of the current folder."""
    from opspec_lint.documents.file_context import of_file, top_of

    context, top = of_file(path), top_of(path)
    if top is None:
        own = os.path.abspath(os.path.dirname(path))
        return Around(read=lambda each: context.read(os.path.relpath(each, own)), top=os.getcwd())
    return Around(read=context.read, top=top)


class Loaded(Record):
    """A spec, how it was named, and the text of its file, None if it is neither JSON nor YAML.

    A file at a revision is named by its path from the top of the repository. `is_file` is whether `path` is that of a
    file which is read as it is now, relative to the current folder. `around` are the files around it, None where there
    are none, or nobody may ask.
    """

    spec: Spec
    path: str
    text: str | None = None
    is_file: bool = False
    around: Around | None = None
