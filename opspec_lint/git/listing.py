"""Listing of the files of a tree or of the index, each with the id of its content."""

from __future__ import annotations

from opspec_lint.git.repository import INDEX
from opspec_lint.kit.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.git.repository import Repository


def blobs(repository: Repository, revision: str, folders: Iterable[str]) -> dict[str, str]:
    """Return the ids of the regular files below some folders, by path from the top.

    Args:
        repository: the repository.
        revision: the id of a commit, or `git.INDEX`.
        folders: paths from the top, without a slash at their end; none for the top.

    Raises:
        InputError: git cannot list them, or a folder has two entries with one name.
    """
    files, _ = blobs_and_links(repository, revision, folders)
    return files


def blobs_and_links(
    repository: Repository, revision: str, folders: Iterable[str]
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the ids of the regular files, as `blobs` does, and the ids of the symbolic links.

    Raises:
        InputError: git cannot list them, a folder has two entries with one name, or the index has a merge conflict.
    """
    if revision == INDEX:
        listing = repository.output("ls-files", "--stage", "-z", "--full-name", "--", *(f":/{f}" for f in folders))
    else:
        # -t lists folders as well: a file and a folder with one name are a repeated name, too.
        listing = repository.output("ls-tree", "-r", "-t", "-z", "--full-tree", revision, "--", *folders)
    files: dict[str, str] = {}
    links: dict[str, str] = {}
    seen: set[str] = set()
    for entry in listing.decode("utf-8", "surrogateescape").split("\0")[:-1]:
        facts, _, path = entry.partition("\t")
        if revision == INDEX:
            mode, blob, stage = facts.split(" ")
            if stage != "0":  # git has two or three versions of a file in conflict
                from opspec_lint.git.conflicts import conflict_error

                raise conflict_error(path)
        else:
            mode, _, blob = facts.split(" ")
        if path in seen:
            raise duplicate_name_error(path, revision)
        seen.add(path)
        if mode.startswith("100"):
            files[path] = blob
        elif mode == "120000":
            links[path] = blob
    return files, links


def refuse_repeated_names(repository: Repository, revision: str) -> None:
    """Raise an error if a folder of a tree has two entries with one name.

    Git reads one entry for a path, and may write the other to a work tree.

    Raises:
        InputError: a folder has two entries with one name, or git cannot list them.
    """
    listing = repository.output("ls-tree", "-r", "-t", "-z", "--name-only", "--full-tree", revision)
    seen: set[bytes] = set()
    for path in listing.split(b"\0"):
        if path in seen:
            raise duplicate_name_error(path.decode("utf-8", "surrogateescape"), revision)
        seen.add(path)


def duplicate_name_error(path: str, revision: str) -> InputError:
    """Return the error for a folder with two entries of one name."""
    return InputError(
        f"{revision[:10]}:{path}",
        "the folder has two entries of this name, so that it depends on the reader which one is meant",
        advice="git writes no such tree: make the commit again; `git fsck` names the tree",
    )


def content_id(data: Iterable[bytes], size: int, like: str = "") -> str:
    """Return the id that git gives a content.

    Args:
        data: the content, in portions.
        size: the total number of bytes.
        like: an id in the same repository, whose length distinguishes SHA-256 from SHA-1.
    """
    import hashlib

    # SHA-1 here only names contents as git does, so its weakness does not matter (usedforsecurity=False).
    digest = hashlib.new("sha256" if len(like) == 64 else "sha1", b"blob %d\0" % size, usedforsecurity=False)
    for portion in data:
        digest.update(portion)
    return digest.hexdigest()
