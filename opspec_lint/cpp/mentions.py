"""The C++ files of a tree that mention a name; a content is searched once for all revisions that have it."""

from __future__ import annotations

import re
from functools import lru_cache

from opspec_lint.cpp.continued import without_breaks
from opspec_lint.kit.bounded_cache import BoundedCache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from opspec_lint.cpp.files import CppFiles

_MENTIONED = BoundedCache()
"""Whether a content mentions one of some names, by the id of the content and the names."""


def mentioning(
    files: CppFiles, blobs: Mapping[str, str], paths: Collection[str], names: frozenset[str]
) -> frozenset[str]:
    """Return the files that mention one of some names as a whole word, be it in a comment.

    Args:
        files: the files of the tree.
        blobs: the id of the content of each file.
        paths: the files to search.
        names: identifiers.
    """
    # Looked up before a new result is stored: that may clear a full cache.
    mentioned: dict[str, bool | None] = {path: _MENTIONED.get((blobs[path], names)) for path in paths}
    unknown = [path for path, is_mentioned in mentioned.items() if is_mentioned is None]
    files.load(unknown)
    for path in unknown:
        mentioned[path] = _MENTIONED[blobs[path], names] = _mentions(files.raw(path) or "", names)
    return frozenset(path for path, is_mentioned in mentioned.items() if is_mentioned)


def _mentions(text: str, names: frozenset[str]) -> bool:
    """Return whether a text contains one of some names, which the end of a line may break."""
    texts = (text, without_breaks(text)) if "\\" in text else (text,)
    # It takes a fraction of the time to look for a plain text than for a whole word.
    return any(name in text for name in names for text in texts) and any(map(_name_pattern(names).search, texts))


@lru_cache
def _name_pattern(names: frozenset[str]) -> re.Pattern[str]:
    """Return the pattern for any of some names as a whole word."""
    return re.compile(rf"\b(?:{'|'.join(sorted(names))})\b")
