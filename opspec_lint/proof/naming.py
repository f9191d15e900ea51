"""What files and folders of models are called: for op, content and release, whatever is in their names."""

from __future__ import annotations

import hashlib
import re

from opspec_lint.kit.pattern import pattern

_LONGEST = 60
_PLAIN = pattern(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,99}")


def file_of(op: str | None, data: bytes, suffix: str) -> str:
    """Return the name of a model's file, the same for the same model, and unlike any other's."""
    return f"{_safe(op or 'any')}-{digest(data)[:12]}{suffix}"


def folder_of(framework: str, release: str) -> str:
    """Return the name of the folder of a release: its own name, or if that is no name of a file, a similar one."""
    name = f"{framework}-{release}"
    return name if _PLAIN.fullmatch(name) else f"{_safe(name)}-{digest(name.encode('utf-8', 'surrogatepass'))[:12]}"


def _safe(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]", "_", name)[:_LONGEST].lstrip(".-")


def digest(data: bytes) -> str:
    """Return the SHA-256 of a model in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()
