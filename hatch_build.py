"""Adds the released specs to the wheel, compressed: what `NAME@VERSION` names where there is no checkout."""

from __future__ import annotations

import gzip
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDER = "opspec_lint/released"
"""Where the wheel has the specs; `opspec_lint/sources/released.py` reads them there."""


def compressed(top: Path) -> dict[str, bytes]:
    """Return the released specs of a checkout, each compressed, by its path in the wheel.

    Equal specs give equal bytes.
    """
    specs = sorted((top / "specs").glob("*.json"))
    return {f"{FOLDER}/{path.name}.gz": gzip.compress(path.read_bytes(), 9, mtime=0) for path in specs}


class SpecsHook(BuildHookInterface[Any]):
    """Compresses the specs while a wheel is built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the compressed specs to a folder of their own, and name them to the wheel."""
        if version == "editable":
            return
        self.folder = tempfile.TemporaryDirectory()
        for place, data in compressed(Path(self.root)).items():
            path = Path(self.folder.name, Path(place).name)
            path.write_bytes(data)
            build_data["force_include"][str(path)] = place

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove the folder."""
        if version != "editable":
            self.folder.cleanup()
