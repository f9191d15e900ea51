"""The limits of the archives that a release of PyTorch loads, read from files of its wheel or source tree.

`versions.h` states the newest version of TorchScript archives. `schema.py` of torch.export states the version of its
format, whose major number has to equal the one of an archive. `load` of torch.export names the layouts that it reads.
"""

from __future__ import annotations

from opspec_lint.frameworks.pytorch.framework import EXPORT_LAYOUTS, EXPORT_SCHEMA, OPERATOR_VERSION
from opspec_lint.frameworks.pytorch.saved.layout import LAYOUTS
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

VERSIONS = "caffe2/serialize/versions.h"
EXPORT_FORMAT = "torch/_export/serde/schema.py"
EXPORT_LOADERS = ("torch/export/__init__.py", "torch/_export/__init__.py")
FILES = (VERSIONS, EXPORT_FORMAT, *EXPORT_LOADERS)
_NEWEST = pattern(r"\bkMaxSupportedFileFormatVersion\s*=\s*(0[xX][0-9a-fA-F]+|\d+)")
_FORMAT = pattern(r"^SCHEMA_VERSION\s*=\s*\(\s*(\d+)\s*,\s*(\d+)\s*\)", "m")


def read_limits(texts: Mapping[str, str | None]) -> dict[str, object]:
    """Return the values of `Spec.loading` that files of a release state; `texts` has them by the paths in `FILES`."""
    result: dict[str, object] = {}
    newest, version = _NEWEST.search(texts.get(VERSIONS) or ""), _FORMAT.search(texts.get(EXPORT_FORMAT) or "")
    if newest is not None:
        result[OPERATOR_VERSION] = int(newest[1], 0)
    if version is not None:
        result[EXPORT_SCHEMA] = int(version[1]), int(version[2])
    loaders = "\n".join(texts.get(path) or "" for path in EXPORT_LOADERS)
    layouts = tuple(name for name, mark in LAYOUTS.items() if mark in loaders)
    if layouts:
        result[EXPORT_LAYOUTS] = layouts
    return result
