"""What the files of models are called: for their op and their content, whatever is in the name of an op."""

from __future__ import annotations

import hashlib
import re

_LONGEST = 60


def file_of(op: str | None, data: bytes, suffix: str) -> str:
    """Return the name of a model's file, the same for the same model, and unlike any other's."""
    safe = re.sub(r"[^A-Za-z0-9_.-]", "_", op or "any")[:_LONGEST].lstrip(".-")
    return f"{safe}-{digest(data)[:12]}{suffix}"


def digest(data: bytes) -> str:
    """Return the SHA-256 of a model in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()
