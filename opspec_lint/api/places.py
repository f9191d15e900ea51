"""Names of files and specs in a call of the API: relative ones count from a folder that the call names."""

from __future__ import annotations

import os

from opspec_lint.kit.errors import UsageError
from opspec_lint.sources import references, released
from opspec_lint.sources.source import SOURCES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Path: TypeAlias = str | os.PathLike[str]


def absolute(path: Path, base_dir: Path | None) -> str:
    """Return a path that does not depend on the working directory.

    Raises:
        UsageError: the path is relative, and no absolute folder is named.
    """
    text = os.fspath(path)
    if os.path.isabs(text):
        return text
    folder = "" if base_dir is None else os.fspath(base_dir)
    if not os.path.isabs(folder):
        problem = f"{text!r} is a relative path" if base_dir is None else f"base_dir {folder!r} is a relative path"
        raise UsageError(problem, advice="pass an absolute path, or base_dir=os.getcwd()")
    return os.path.join(folder, text)


def reference(name: Path, base_dir: Path | None) -> str:
    """Return a reference of a spec that does not depend on the working directory.

    Raises:
        UsageError: a path in it is relative, and no folder is named; or it is standard input.
    """
    text = os.fspath(name)
    if text == references.STANDARD_INPUT:
        raise UsageError("standard input is no spec for a Python call", advice="write the spec to a file")
    # As on the command line, an existing file goes before a scheme or a revision (`sources/references.py`).
    if os.path.isabs(text) or (base_dir is not None and os.path.lexists(os.path.join(os.fspath(base_dir), text))):
        return absolute(text, base_dir)
    scheme, colon, argument = text.partition(":")
    if scheme in SOURCES:
        return f"{scheme}:{_argument(scheme, argument, base_dir)}" if colon or SOURCES.load(scheme).tree else text
    if released.is_name(text) or colon:
        return text
    return absolute(text, base_dir)


def _argument(scheme: str, argument: str, base_dir: Path | None) -> str:
    """Return the argument of a source: an interpreter without a slash is looked up, any other one is a path."""
    is_program = SOURCES.load(scheme).runs_code and os.sep not in argument
    return argument if is_program else absolute(argument or os.curdir, base_dir)
