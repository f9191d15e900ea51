"""What the open folders (rules, formats, extractors, reporters, profiles) hold: the names of their modules."""

from __future__ import annotations

import importlib
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

_ROOT = os.path.dirname(__file__)


def names(folder: str) -> list[str]:
    """Return the names of the modules of an open folder, such as "rules", sorted. Nothing is imported."""
    return sorted(file[:-3] for file in os.listdir(os.path.join(_ROOT, folder)) if _is_open(file))


def module(folder: str, name: str) -> ModuleType:
    """Import one module of an open folder."""
    return importlib.import_module(f"opspec_lint.{folder}.{name}")


def _is_open(file: str) -> bool:
    return file.endswith(".py") and not file.startswith("_")
