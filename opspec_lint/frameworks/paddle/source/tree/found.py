"""What is found in a tree, and how it lies in the cache."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.source.declared import KINDS, LATE_KINDS, Declaration
from opspec_lint.kit.record import Record
from opspec_lint.sources.packing import Packing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from opspec_lint.spec.model import Remark

LATE = {"extra": "Var", "quant": "Var", "support_tensor": "Attr"}
"""The flags that not every tree knows, each with the message of OpProto that has it in one that does."""


class Extraction(Record):
    """What a tree declares.

    `ops` are packed (`declared.PACKING`), by name. An op that builds declare differently is there once more for each of
    them, as `NAME [BUILD]`. `builds` has the builds of those that not all builds have. `boilerplate` are the attrs that
    every op has besides its own, `without` the ops without a proto. `histories` maps an op to its packed `History`,
    `aliases` to its packed `Aliases`, and `fields` are the flags of `LATE` that the tree knows.
    """

    ops: Mapping[str, Any] = {}
    builds: Mapping[str, tuple[str, ...]] = {}
    boilerplate: tuple[Declaration, ...] = ()
    histories: Mapping[str, Any] = {}
    has_versions: bool = False
    without: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] = ()
    aliases: Mapping[str, Any] = {}
    fields: tuple[str, ...] = ()


PACKING = Packing(*KINDS, Extraction, late=LATE_KINDS)
