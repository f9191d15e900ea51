"""TOML, by the parser of the standard library or, before Python 3.11, of `tomli`."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def loads(text: str) -> dict[str, Any]:
    """Return the decoded TOML of a text; ValueError or RecursionError if it is none."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    decoded: dict[str, Any] = tomllib.loads(text.removeprefix("\ufeff"))  # a byte order mark, which TOML does not allow
    return decoded
