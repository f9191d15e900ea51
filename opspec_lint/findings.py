"""Findings: the judgements of facts, and the report that holds them."""

from __future__ import annotations

from opspec_lint.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias

    from opspec_lint.model import Origin, Provenance

    Level: TypeAlias = Literal["error", "warning", "note", "off"]
    Direction: TypeAlias = Literal["backward", "forward"]

LEVELS: tuple[Level, ...] = ("off", "note", "warning", "error")
"""From the mildest to the worst."""


def worst(*levels: Level) -> Level:
    """Return the worst of some levels."""
    return max(levels, key=LEVELS.index)


def mildest(*levels: Level) -> Level:
    """Return the mildest of some levels."""
    return min(levels, key=LEVELS.index)


class Finding(Record):
    """A judgement of one fact under one rule.

    `directions` are the ways in which models break: "backward" (an old model on the new framework), "forward" (a new
    model on the old framework). A finding without "backward" is a relaxation: models saved before still load.
    `old` and `new` are JSON values; `field` is the field of the argument that they are of, or None for all of it.
    `breaks` says who breaks and how, `advice` what to do instead, `review` which team has to approve.
    """

    rule: str
    level: Level
    directions: tuple[Direction, ...]
    kind: Literal["op", "input", "output", "attr", "registration", "source", "waiver"]
    op: str | None
    name: str | None
    new_name: str | None = None
    confidence: float | None = None
    field: str | None = None
    old: Any = None
    new: Any = None
    message: str
    breaks: str
    advice: str
    review: str | None = None
    base_origin: Origin | None = None
    head_origin: Origin | None = None

    @property
    def is_relaxation(self) -> bool:
        """Whether models that were saved before still load, and mean the same."""
        return "backward" not in self.directions

    @property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits that tell this finding from all others and do not depend on any wording."""
        import hashlib
        import json

        identity = [self.rule, self.op, self.kind, self.name, self.new_name, self.field, self.old, self.new]
        text = json.dumps(identity, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


class RuleFacts(Record):
    """What a report says of a rule: its id, its title, and what it flags, why that breaks and what to do instead."""

    id: str
    title: str
    flags: str
    why: str
    instead: str


class Side(Record):
    """One of the two specs of a report."""

    file: str
    provenance: Provenance
    ops: int


class Report(Record):
    """What a check found: the findings, worst first within each op, ops in order of name, and the rules of them all.

    `only` names the ops that were looked at, None stands for all.
    """

    base: Side
    head: Side
    profile: str
    findings: tuple[Finding, ...]
    rules: tuple[RuleFacts, ...] = ()
    only: tuple[str, ...] | None = None

    def count(self, level: Level) -> int:
        """Return how many findings are of a level."""
        return sum(finding.level == level for finding in self.findings)

    @property
    def failed(self) -> bool:
        """Whether there is any finding at error level."""
        return any(finding.level == "error" for finding in self.findings)
