"""Writing of a folder of many files that is complete or not there: beside it first, and moved when it is complete.

While it is written, the folder is called `NAME.incomplete` and has a file `INCOMPLETE.txt`. A complete one has a list
of its files: the next run replaces a folder that has these files only.
"""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager

from opspec_lint.cli import output
from opspec_lint.kit.errors import OpspecError, UsageError
from opspec_lint.kit.text import listing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from opspec_lint.kit.command_line import OutputFile

_MARK = "INCOMPLETE.txt"
_TEXT = (
    "opspec-lint is writing this folder, or was stopped while it did. It is incomplete: delete it, and run it again.\n"
)
_LIST = "files.txt"
_SHOWN = 3


def write(folder: str, files: Iterable[OutputFile]) -> None:
    """Write the files of a folder beside it, and move them to its place when all are written.

    Raises:
        UsageError: the folder has files that no earlier run wrote, or another run is writing it.
        OpspecError: the folder cannot be written; what was in its place is unchanged.
    """
    require_replaceable(folder)
    with _errors_of_moving(folder):
        partial = _make_partial(folder)
        try:
            _fill(partial, folder, files)
            _move(partial, folder)
        except BaseException:
            # Also an interrupt: only a killed process leaves an incomplete folder behind.
            shutil.rmtree(partial, ignore_errors=True)
            raise


def require_replaceable(folder: str) -> None:
    """Raise UsageError unless a folder is missing, empty, or made of files that an earlier run wrote."""
    if not os.path.lexists(folder):
        return
    if os.path.islink(folder) or not os.path.isdir(folder):
        raise UsageError(f"{folder}: is not a folder", advice="name a new one")
    if os.path.ismount(folder) or os.path.samefile(folder, os.curdir):
        raise UsageError(
            f"{folder}: cannot be replaced, as it is a mount point or the current folder",
            advice="name a folder inside of it",
        )
    names = set(_names(folder))
    if not names:
        return
    if _LIST not in names:
        raise UsageError(f"{folder}: is not an empty folder", advice="name a new one, or delete it first")
    with open(os.path.join(folder, _LIST), encoding="utf-8", errors="replace") as stream:
        others = sorted(names - {_LIST, *stream.read().split("\n")})
    if others:
        raise UsageError(
            f"{folder}: has files that opspec-lint did not write: {listing(others, _SHOWN)}",
            advice="move them elsewhere, or name a new folder: an older one is replaced as a whole",
        )


def _names(folder: str) -> Iterator[str]:
    """Yield the paths of the files and links below a folder, as the list of files has them."""
    for top, folders, files in os.walk(folder):
        for name in [*files, *(name for name in folders if os.path.islink(os.path.join(top, name)))]:
            yield os.path.relpath(os.path.join(top, name), folder).replace(os.sep, "/")


def _make_partial(folder: str) -> str:
    """Make the folder beside the requested one that is filled first, and return its path."""
    partial = f"{os.path.abspath(folder)}.incomplete"
    if os.path.lexists(partial):
        raise UsageError(
            f"{partial}: exists: opspec-lint is writing it, or was stopped while it did",
            advice="if no other opspec-lint is at work there, delete it",
        )
    output.require_place(partial)
    os.mkdir(partial)
    return partial


def _fill(partial: str, folder: str, files: Iterable[OutputFile]) -> None:
    """Write the files to the incomplete folder, and then their list."""

    def write_file(name: str, content: output.Content) -> None:
        path = os.path.join(partial, name)
        # Not durable: to flush thousands of files takes minutes, and the folder can be made again.
        output.write(path, content, below=partial, makes_folder=True, is_durable=False)

    write_file(_MARK, _TEXT)
    names = []
    for file in files:
        name = os.path.relpath(file.path, folder)
        write_file(name, file.content)
        names.append(name.replace(os.sep, "/"))
    write_file(_LIST, "".join(f"{name}\n" for name in sorted(names)))
    os.remove(os.path.join(partial, _MARK))


def _move(partial: str, folder: str) -> None:
    """Put a complete folder in its place; an older one is moved aside first, and deleted last."""
    require_replaceable(folder)  # again: writing took a while
    place = os.path.abspath(folder)
    older = f"{place}.old" if os.path.lexists(place) else None
    if older is not None:
        os.rename(place, older)
    try:
        os.rename(partial, place)
    except OSError:
        if older is not None:
            os.rename(older, place)
        raise
    if older is not None:
        shutil.rmtree(older)


@contextmanager
def _errors_of_moving(folder: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OpspecError(
            f"{folder}: cannot be written: {error.strerror or error}", advice="what was in its place is unchanged"
        ) from None
