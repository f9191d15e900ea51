"""The pointer that git-lfs leaves in the place of a file (https://git-lfs.com, specification version 1)."""

from __future__ import annotations

START = b"version https://git-lfs.github.com/spec/"
"""How it begins."""
