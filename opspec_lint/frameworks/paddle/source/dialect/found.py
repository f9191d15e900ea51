"""What a tree declares of the ops of PIR's dialects, as plain data."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.frameworks.paddle.source.dialect.records import OpRecord
    from opspec_lint.frameworks.paddle.source.records import Unresolved


class Extraction:
    """What a tree declares: its ops by name, what of them is unresolved, and which generator is not known.

    `is_there` is false for a tree without any generator of such ops. `kernels` are the ops that are one kernel of
    another, with that. `legacy` is what its `Legacy` holds, and `patches` what its `Patches` hold, both as plain data.
    """

    def __init__(self) -> None:
        self.ops: dict[str, OpRecord] = {}
        self.kernels: dict[str, str] = {}
        self.unresolved: list[Unresolved] = []
        self.strange_generator: tuple[str, str] | None = None
        self.legacy: Any = None
        self.patches: dict[str, Any] = {}
        self.is_there = False

    def plain(self) -> dict[str, Any]:
        """Return all of it as one mapping."""
        return dict(vars(self))
