"""The files of the site and the links between them: names that no file system and no server takes for another."""

from __future__ import annotations

import re
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_LONGEST = 80
_TAKEN = frozenset(
    ("", "con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10)))
)
"""Names that Windows reserves for devices, whatever the extension is, and the empty name."""


def file_names(names: Iterable[str]) -> dict[str, str]:
    """Return the name of a file for each of some names, without a suffix.

    They are letters, digits, `_`, `.` and `-`, and none begins with a dot. If several names would have the same file,
    ignoring case, their files contain a part of their hash.
    """
    plain = {name: _plain(name) for name in names}
    count: dict[str, int] = {}
    for file in plain.values():
        count[file.casefold()] = count.get(file.casefold(), 0) + 1
    # A clash is decided case-insensitively: the site may be served from a file system without case.
    return {
        name: file if _is_free(file, count) else f"{file.replace('.', '-')}~{_digest(name)}"
        for name, file in plain.items()
    }


def relative_link(page: str, target: str) -> str:
    """Return the link from one page to another, both as paths from the top of the site."""
    return _link_from(page.rpartition("/")[0], target)


@cache  # as the pages of a folder have the same links, some of them thousands of times
def _link_from(folder: str, target: str) -> str:
    here, there = folder.split("/") if folder else [], target.split("/")
    shared = 0
    while shared < len(here) and shared < len(there) - 1 and here[shared] == there[shared]:
        shared += 1
    return "/".join([".."] * (len(here) - shared) + there[shared:])


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.]+", "-", name).lstrip(".-")[:_LONGEST].rstrip(".-")


def _is_free(name: str, count: dict[str, int]) -> bool:
    return count[name.casefold()] == 1 and name.casefold().partition(".")[0] not in _TAKEN


def _digest(name: str) -> str:
    import hashlib

    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:10]
