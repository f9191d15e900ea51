"""Limits for input that may come from anybody."""

from __future__ import annotations

from opspec_lint.kit.errors import InputError

MAX_BYTES = 512 << 20
"""Bytes of a spec file, far beyond any real one."""

MAX_DEPTH = 64
"""Levels of nesting of a value, far beyond any real one."""

MAX_SOURCE = 4 << 20
"""Bytes of one file of a source tree; the largest op source of Paddle has 160 KiB, its largest YAML file 200."""

MAX_SOURCES = 160 << 20
"""Bytes of all files that are read of one source tree; a Paddle tree of 2024 needs 8 MiB."""


def too_large(file: str, advice: str = "") -> InputError:
    """Return the error for a file with more than `MAX_BYTES`."""
    return InputError(file, f"is larger than {MAX_BYTES >> 20} MiB, the limit for a spec", advice=advice)
