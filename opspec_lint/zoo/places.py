"""Where models lie: the disk, an archive or a URL. Each source is opened once in a process."""

from __future__ import annotations

from functools import lru_cache

from opspec_lint.models.storage import DISK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.models.storage import Storage

ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")


def is_url(word: str) -> bool:
    """Tell whether a word of the command line is a URL, or a chain of them."""
    return "://" in word


@lru_cache(maxsize=16)
def storage_of(source: str) -> Storage:
    """Return the storage that a source is.

    Args:
        source: the path of an archive, a URL, or "" for the disk.

    Raises:
        InputError: the archive cannot be opened.
        UsageError: the package that opens the URL is not installed.
    """
    if not source:
        return DISK
    if is_url(source):
        from opspec_lint.zoo.remote import Remote

        return Remote(source)
    from opspec_lint.zoo.archives import opened

    return opened(source)
