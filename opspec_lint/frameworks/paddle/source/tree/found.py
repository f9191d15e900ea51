"""What a tree declares of its ops, as plain data."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.frameworks.paddle.source.records import AttrRecord, Built, HistoryRecord, Unresolved
    from opspec_lint.frameworks.paddle.source.yaml.faults import Fault
    from opspec_lint.frameworks.paddle.source.yaml.names import Alias


class Extraction:
    """What a tree declares: all of it plain data.

    `ops` maps a name to its record and the builds that have it. An op that builds declare differently is there once
    more for each of them, as `NAME [BUILD]`. `histories` maps an op to the record of its history. `dropped` has the
    entries of op_version.yaml that match no op, `misspelt` the keys of op_compat.yaml that nothing reads, `faults` what
    else is wrong in YAML. `aliases` maps an op to the names that op_compat.yaml gives to it and its arguments. `builds`
    are those that were looked at.
    """

    def __init__(self) -> None:
        self.ops: dict[str, Built] = {}
        self.boilerplate: tuple[AttrRecord, ...] = ()
        self.histories: dict[str, HistoryRecord] = {}
        self.has_versions = False
        self.without: list[str] = []
        self.unresolved: list[Unresolved] = []
        self.dropped: list[tuple[str, str, int]] = []
        self.misspelt: list[tuple[str, str, str, int]] = []
        self.faults: list[Fault] = []
        self.aliases: dict[str, dict[str, Alias]] = {}
        self.fingerprint: str | None = None
        self.strange_generator: tuple[str, str] | None = None
        self.fields: tuple[str, ...] = ()
        self.builds: tuple[str, ...] = ()

    def plain(self) -> dict[str, Any]:
        """Return all of it as one mapping."""
        return dict(vars(self))
