"""What is found in a tree of the ops of PIR's dialects, and how it lies in the cache."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.source.declared import KINDS, LATE_KINDS
from opspec_lint.frameworks.paddle.source.dialect.legacy_names import NO_TABLES
from opspec_lint.kit.record import Record
from opspec_lint.sources.packing import Packing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeAlias

    from opspec_lint.frameworks.paddle.source.dialect.legacy_names import Tables
    from opspec_lint.spec.model import Origin, Remark

    Place: TypeAlias = tuple[str, int | None, int | None]
    """File, line and column."""


class LegacyData(Record):
    """What an op_compat.yaml says: the tables of `LegacyNames`, and the places of names.

    These are by op of PIR, without its dialect, and by argument; "" is the entry of the op. All of it is plain data, as
    most of it is never looked at.
    """

    tables: Tables = NO_TABLES
    places: Mapping[str, Mapping[str, Place]] = {}


class Patches(Record):
    """What a tree, or a wheel, changes of ops in older files.

    `version` is that of PIR which the last release wrote, None where it has none. `loading` is what its loader decides
    by, as a spec has it. `of_ops` are the actions for each op by its name, each as JSON, None for an op whose patches
    cannot be told. `places` are those of the patches of an op and of what `loading` says, `remarks` what is wrong.
    """

    version: int | None = None
    loading: Mapping[str, Any] = {}
    of_ops: Mapping[str, tuple[str, ...] | None] = {}
    places: Mapping[str, Origin] = {}
    remarks: tuple[Remark, ...] = ()


class Extraction(Record):
    """What a tree declares: its ops by name, packed (`PACKING`), and what is to be said of reading it.

    `is_there` is false for a tree without any generator of such ops.
    """

    ops: Mapping[str, Any] = {}
    remarks: tuple[Remark, ...] = ()
    legacy: LegacyData = LegacyData()
    patches: Patches = Patches()
    is_there: bool = False


PACKING = Packing(*KINDS, Patches, Extraction, LegacyData, late=(*LATE_KINDS, LegacyData))
