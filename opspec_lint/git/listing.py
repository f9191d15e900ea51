"""Lists the files of a tree or of the index, each with the id of its content."""

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
        folders: paths from the top, without a slash at their end; none stands for the top.

    Raises:
        InputError: git cannot list them, or a name stands twice in a folder.
    """
    return blobs_and_links(repository, revision, folders)[0]


def blobs_and_links(
    repository: Repository, revision: str, folders: Iterable[str]
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the ids of the regular files, as `blobs` does, and those of the symbolic links.

    Raises:
        InputError: git cannot list them, a name stands twice in a folder, or the index has a merge conflict in one.
    """
    if revision == INDEX:
        listing = repository.output("ls-files", "--stage", "-z", "--full-name", "--", *(f":/{f}" for f in folders))
    else:
        listing = repository.output("ls-tree", "-r", "-t", "-z", "--full-tree", revision, "--", *folders)
    found: dict[str, str] = {}
    links: dict[str, str] = {}
    seen: set[str] = set()
    for entry in listing.decode("utf-8", "surrogateescape").split("\0"):
        facts, _, path = entry.partition("\t")
        words = facts.split(" ")
        if revision == INDEX and path and words[2] != "0":
            from opspec_lint.git.conflicts import unmerged

            raise unmerged(path)
        if path in seen:
            raise named_twice(path, revision)
        seen.add(path)
        kind = found if words[0].startswith("100") else links if words[0] == "120000" else None
        if kind is not None:
            kind[path] = words[1] if revision == INDEX else words[2]
    return found, links


def refuse_repeated_names(repository: Repository, revision: str) -> None:
    """Make sure that no folder of a tree has two entries of one name.

    Of such entries, git reads one where it is asked for the path, and may write another one to a work tree.

    Raises:
        InputError: a folder has two, or git cannot list them.
    """
    listing = repository.output("ls-tree", "-r", "-t", "-z", "--name-only", "--full-tree", revision)
    seen: set[bytes] = set()
    for path in listing.split(b"\0"):
        if path in seen:
            raise named_twice(path.decode("utf-8", "surrogateescape"), revision)
        seen.add(path)


def named_twice(path: str, revision: str) -> InputError:
    """Return the error that a folder has two entries of one name."""
    return InputError(
        f"{revision[:10]}:{path}",
        "the folder has two entries of this name, so that it depends on the reader which one is meant",
        advice="git writes no such tree: make the commit again; `git fsck` names the tree",
    )


def content_id(data: Iterable[bytes], size: int, like: str = "") -> str:
    """Return the id that git gives a content.

    Args:
        data: the content, in portions.
        size: the bytes of all of it.
        like: an id of the same repository, which tells SHA-256 from SHA-1.
    """
    import hashlib

    digest = hashlib.new("sha256" if len(like) == 64 else "sha1", b"blob %d\0" % size, usedforsecurity=False)
    for portion in data:
        digest.update(portion)
    return digest.hexdigest()
