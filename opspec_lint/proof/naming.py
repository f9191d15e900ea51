"""Names of files and folders of models, from op, content and release."""

from __future__ import annotations

import hashlib
import re

from opspec_lint.kit.pattern import pattern

_LONGEST = 60
_PLAIN = pattern(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,99}")


def model_file_name(op: str | None, data: bytes, suffix: str) -> str:
    """Return the file name of a model: "conv2d-0123456789ab.pb"; equal models have equal names."""
    return f"{_safe_name(op or 'any')}-{digest(data)[:12]}{suffix}"


def release_folder_name(framework: str, release: str) -> str:
    """Return the folder name of a release: "paddle-2.6.2"; characters that file names may not have are replaced."""
    name = f"{framework}-{release}"
    # Different releases must not share a folder after the replacement: the digest tells them apart.
    return (
        name if _PLAIN.fullmatch(name) else f"{_safe_name(name)}-{digest(name.encode('utf-8', 'surrogatepass'))[:12]}"
    )


def _safe_name(name: str) -> str:
    """Return a name with "_" for characters that are unsafe in file names, without leading dots."""
    return re.sub(r"[^A-Za-z0-9_.-]", "_", name)[:_LONGEST].lstrip(".-")


def digest(data: bytes) -> str:
    """Return the SHA-256 of a model in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()
