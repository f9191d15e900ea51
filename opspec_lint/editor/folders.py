"""The folder in which a file is checked: the one in which `check` finds the configuration for the file."""

from __future__ import annotations

import os

from opspec_lint.project.config import FILES

_TABLE = b"[tool.opspec-lint"


def folder_of(path: str) -> str | None:
    """Return the nearest folder around a file that has a configuration, or else the top of its repository.

    None if it is in no repository, or in its git directory.
    """
    # The real path, as git knows no links: a linked folder belongs to the repository that contains its files.
    folder = os.path.dirname(os.path.realpath(path))
    configured: str | None = None
    while True:
        if os.path.basename(folder) == ".git":
            return None
        if configured is None and any(_configures(os.path.join(folder, name)) for name in FILES):
            configured = folder
        if os.path.lexists(os.path.join(folder, ".git")):
            return configured or folder
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def _configures(path: str) -> bool:
    """Return whether a file configures opspec-lint; a pyproject.toml may configure only other tools."""
    if not os.path.isfile(path):
        return False
    if not path.endswith("pyproject.toml"):
        return True
    with open(path, "rb") as stream:
        return _TABLE in stream.read()
