"""The files that an audit of many models reads: from folders, archives, URLs, glob patterns and lists."""

from __future__ import annotations

import os
import stat

from opspec_lint.kit.errors import InputError
from opspec_lint.zoo.places import ARCHIVES, is_url
from opspec_lint.zoo.work import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

STANDARD_INPUT = "-"
_WILDCARDS = "*?["
_LINK = "is a link to a folder, which is not followed"


def places(arguments: Sequence[str], standard_input: Callable[[], bytes]) -> Iterator[Place]:
    """Yield the files that the arguments of the command line name.

    `arguments` are files, folders, quoted patterns, archives, URLs, and `-` for a list that `standard_input` returns.
    Raises InputError if a pattern matches nothing or an archive or URL cannot be listed, UsageError if the package that
    opens a URL is not installed.
    """
    for argument in arguments:
        if argument == STANDARD_INPUT:
            lines = os.fsdecode(standard_input()).splitlines()
            yield from (place for line in lines if line for place in _list_argument(line))
        else:
            yield from _list_argument(argument)


def _list_argument(argument: str) -> Iterator[Place]:
    """Yield the places of models that one argument names: a URL, a folder, a pattern, an archive or a file."""
    if is_url(argument):
        from opspec_lint.zoo.remote import list_url

        yield from list_url(argument)
    elif os.path.isdir(argument):
        yield from _walk_folder(argument)
    # A file whose name contains a wildcard is taken as a file, hence the look at the disk first.
    elif not os.path.lexists(argument) and any(sign in argument for sign in _WILDCARDS):
        yield from _list_matches(argument)
    elif argument.endswith(ARCHIVES) and os.path.isfile(argument):
        from opspec_lint.zoo.archives import list_archive

        yield from list_archive(argument)
    else:
        yield Place(path=argument, is_named=True)


def _list_matches(pattern: str) -> Iterator[Place]:
    import glob

    matches = sorted(glob.iglob(pattern, recursive=True))
    if not matches:
        raise InputError(pattern, "matches no file", advice="quote the pattern; ** matches folders")
    for path in matches:
        yield from _walk_folder(path) if os.path.isdir(path) and not os.path.islink(path) else [_place(path)]


def _walk_folder(folder: str) -> Iterator[Place]:
    """Yield the files below a folder in order of their names, without following links to folders."""
    waiting = [folder]
    while waiting:
        path = waiting.pop()
        try:
            with os.scandir(path) as scan:
                entries = sorted(scan, key=lambda entry: entry.name)
        except OSError as error:
            yield Place(path=path, problem=f"cannot be listed: {error.strerror}")
            continue
        for entry in entries:
            if not entry.is_dir(follow_symlinks=False):
                yield _place(entry.path)
        waiting += (entry.path for entry in reversed(entries) if entry.is_dir(follow_symlinks=False))


def _place(path: str) -> Place:
    try:
        is_folder_link = os.path.islink(path) and stat.S_ISDIR(os.stat(path).st_mode)
    except OSError:
        is_folder_link = False
    return Place(path=path, problem=_LINK if is_folder_link else "")
