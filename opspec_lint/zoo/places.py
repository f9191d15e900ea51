"""Opens the storage that models are in: the disk, an archive or a URL; each is opened once in a process."""

from __future__ import annotations

from functools import lru_cache

from opspec_lint.models.storage import DISK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.models.storage import Storage

ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")


def is_url(argument: str) -> bool:
    """Return whether an argument of the command line is a URL, or a chain of URLs: `zip://*.onnx::s3://zoo.zip`."""
    return "://" in argument


@lru_cache(maxsize=16)
def storage_of(source: str) -> Storage:
    """Return the storage for a source: the path of an archive, a URL, or "" for the disk.

    Raises InputError if the archive cannot be opened, UsageError if the package that opens the URL is not installed.
    """
    if not source:
        return DISK
    if is_url(source):
        from opspec_lint.zoo.remote import Remote

        return Remote(source)
    from opspec_lint.zoo.archives import open_archive

    return open_archive(source)
