"""The files of patches in the library of a wheel, where they stand as plain texts that end in NUL."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.pir import patch_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mmap import mmap

    from opspec_lint.frameworks.paddle.pir.patch_files import PatchFile

_HEADING = b"_patches:\n"
_HEADINGS = (b"op", b"op_pair", b"attr", b"type")
_LONGEST = 1 << 20
"""Bytes of one such text."""
_FIRST = 1
"""The version of PIR whose patches are none: every file is of it, or newer."""


def patch_documents(data: bytes | mmap) -> list[str]:
    """Return the texts of patches in a library, in their order, which is that of their versions up to nine of them."""
    found = []
    at = data.find(_HEADING)
    while at >= 0:
        start = data.rfind(b"\0", max(0, at - _LONGEST), at) + 1
        end = data.find(b"\0", at, at + _LONGEST)
        if end > 0 and data[start:at].rpartition(b"\n")[2] in _HEADINGS:
            found.append(data[start:end].decode("utf-8", "replace"))
            at = end
        at = data.find(_HEADING, at + 1)
    return found


def patches_of(data: bytes | mmap, file: str) -> list[PatchFile]:
    """Return the patches that a library holds.

    The first version has none, so that the texts are those of version 2 and on, and their number tells the version of
    PIR that the release writes.
    """
    texts = patch_documents(data)
    return [patch_files.read(text, f"{file}:{number}.yaml", number) for number, text in enumerate(texts, _FIRST + 1)]


def version_of(files: list[PatchFile]) -> int:
    """Return the version of PIR that a release with these patches writes."""
    return max((each.version for each in files), default=_FIRST)
