"""Folders of commits, as the object store of git has them."""

from __future__ import annotations

import posixpath
import re

from opspec_lint.git.listing import duplicate_name_error
from opspec_lint.kit.errors import RepositoryError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Entries: TypeAlias = tuple[dict[str, str], dict[str, str], dict[str, str]]
    """The regular files, the symbolic links and the folders in a folder: the id of each by its name."""

FILES, LINKS, FOLDERS = range(3)
_KINDS = {b"100": FILES, b"120": LINKS, b"400": FOLDERS}
"""The kinds of entries, by the beginning of their modes; a submodule has none."""


def parse_entries(data: bytes, length: int, path: str, revision: str) -> Entries:
    """Return the entries of a folder.

    Args:
        data: the tree object: for each entry, the mode, a space, the name, a zero and the bytes of its id.
        length: the number of bytes of an id.
        path: the path of the folder, for messages.
        revision: the revision of the path, for messages.

    Raises:
        InputError: the folder has two entries with one name, or is damaged.
    """
    result: Entries = {}, {}, {}
    seen: set[bytes] = set()
    size = 0
    # Ids are raw bytes and may contain anything, so entries are matched in sequence, and the sizes have to add up.
    for mode, name, identity in re.findall(rb"(\d+) ([^\0]+)\0(.{%d})" % length, data, re.DOTALL):
        size += len(mode) + len(name) + length + 2
        if name in seen:
            raise duplicate_name_error(posixpath.join(path, _text(name)), revision)
        seen.add(name)
        kind = _KINDS.get(mode[:3])
        if kind is not None:
            result[kind][_text(name)] = identity.hex()
    if size != len(data):
        raise RepositoryError(f"{revision[:10]}:{path}", "is no folder that git wrote", advice="run `git fsck`")
    return result


def _text(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")
