"""Which files a run is about: those in folders, archives and URLs, those that patterns match, and those of a list."""

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
_SIGNS = "*?["
_LINK = "is a link to a folder, which is not followed"


def places(words: Sequence[str], standard_input: Callable[[], bytes]) -> Iterator[Place]:
    """Yield the files that words of the command line stand for.

    Args:
        words: files, folders, quoted patterns, archives, URLs, and `-` for a list on standard input.
        standard_input: returns the list.

    Raises:
        InputError: a pattern matches nothing, or an archive or URL cannot be listed.
        UsageError: what opens a URL is not installed.
    """
    for word in words:
        if word == STANDARD_INPUT:
            lines = os.fsdecode(standard_input()).splitlines()
            yield from (place for line in lines if line for place in _of_word(line))
        else:
            yield from _of_word(word)


def _of_word(word: str) -> Iterator[Place]:
    if is_url(word):
        from opspec_lint.zoo.remote import listed

        yield from listed(word)
    elif os.path.isdir(word):
        yield from _searched(word)
    elif not os.path.lexists(word) and any(sign in word for sign in _SIGNS):
        yield from _matched(word)
    elif word.endswith(ARCHIVES) and os.path.isfile(word):
        from opspec_lint.zoo.archives import listed as listed_in

        yield from listed_in(word)
    else:
        yield Place(path=word, is_named=True)


def _matched(pattern: str) -> Iterator[Place]:
    import glob

    found = sorted(glob.iglob(pattern, recursive=True))
    if not found:
        raise InputError(pattern, "matches no file", advice="quote the pattern; ** stands for folders")
    for each in found:
        yield from _searched(each) if os.path.isdir(each) and not os.path.islink(each) else [_place(each)]


def _searched(folder: str) -> Iterator[Place]:
    """Yield the files below a folder, in order of their names; links to folders are not followed."""
    waiting = [folder]
    while waiting:
        path = waiting.pop()
        try:
            with os.scandir(path) as found:
                entries = sorted(found, key=lambda each: each.name)
        except OSError as error:
            yield Place(path=path, problem=f"cannot be listed: {error.strerror}")
            continue
        for each in entries:
            if not each.is_dir(follow_symlinks=False):
                yield _place(each.path)
        waiting += (each.path for each in reversed(entries) if each.is_dir(follow_symlinks=False))


def _place(path: str) -> Place:
    try:
        is_folder_link = os.path.islink(path) and stat.S_ISDIR(os.stat(path).st_mode)
    except OSError:
        is_folder_link = False
    return Place(path=path, problem=_LINK if is_folder_link else "")
