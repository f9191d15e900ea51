"""Findings, which are judgements of facts; the comparisons that yield them; and the report of all of them."""

from __future__ import annotations

from opspec_lint.kit.record import Record, Sparse
from opspec_lint.spec.interface.declarations import is_interface

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Literal, TypeAlias

    from opspec_lint.fixes.fix import Fix, Safety
    from opspec_lint.report.versions import Versions
    from opspec_lint.spec import fact
    from opspec_lint.spec.fact import Kind
    from opspec_lint.spec.ids import EventId, RuleId
    from opspec_lint.spec.interface.declarations import Caller
    from opspec_lint.spec.model import Origin, Provenance

    Level: TypeAlias = Literal["error", "warning", "note", "off"]
    Cleared: TypeAlias = Literal["approved", "newly waived", "waived"]
    Direction: TypeAlias = fact.Direction
    Consequence: TypeAlias = Literal["misread", "refused", "lost", "unknown_number"]

DIRECTIONS: tuple[Direction, ...] = ("backward", "forward")
LEVELS: tuple[Level, ...] = ("off", "note", "warning", "error")
"""From the mildest to the worst."""
CLEARED: tuple[Cleared, ...] = ("approved", "newly waived", "waived")
"""The reasons why a finding does not count."""
CONSEQUENCES: Mapping[Consequence, str] = {
    "misread": "misread silently",
    "refused": "refused by the verifier",
    "lost": "value lost",
    "unknown_number": "unknown number",
}
"""What happens to the bytes of a file, in words."""


def worst(*levels: Level) -> Level:
    """Return the worst of some levels."""
    return max(levels, key=LEVELS.index)


def mildest(*levels: Level) -> Level:
    """Return the mildest of some levels."""
    return min(levels, key=LEVELS.index)


class Waived(Record):
    """The waiver of a finding: its reason, its owner, and its last day.

    `expires` is the last day, as YYYY-MM-DD. `is_new` is whether the waiver is added by the change itself.
    """

    reason: str
    owner: str
    expires: str | None = None
    is_new: bool = False


class Approval(Record):
    """Whether a team has approved a finding.

    `by` are the logins of the members who have, as the code host writes them. If it is empty, `problem` says why.
    """

    by: tuple[str, ...] = ()
    problem: str = ""


class Proven(Record):
    """The result of loading the models that demonstrate a finding, in one direction.

    `verdict` is "confirmed", "refuted", "not_provable" or "not_tried"; `loaded_by` is the release of the loader.
    """

    verdict: str
    direction: Direction | None
    loaded_by: str
    reason: str


class Since(Record):
    """Since when base is what a finding says of it, as a history knows it.

    `commit` brought it, on the day `date`, with a pull request, if its subject names one. `is_start` is whether that is
    the first revision of the history, so that it may be older. `release` is the first release that contains it, of the
    day `released`, and `releases` the number of all. If head has a value again that base had earlier, `back_to` is the
    commit that brought it then, and `until` the day on which it was replaced; both are None otherwise.
    """

    commit: str
    date: str
    pull_request: int | None
    is_start: bool
    release: str | None
    released: str | None
    releases: int
    back_to: str | None = None
    until: str | None = None


class Usage(Record):
    """How many known models use what a finding is about.

    `models` use the op, of all that are known of the framework; `with_attr` of these set the attr, and `with_value` set
    it to the value that base has as its default; both are None if the finding is about none.
    """

    models: int
    of: int
    with_attr: int | None = None
    with_value: int | None = None


class Finding(Sparse):
    """A judgement of one fact under one rule; `event` is the event of the fact.

    `directions` are the ways in which models break: "backward" (an old model on the new framework), "forward" (a new
    model on the old framework). A finding without "backward" is a relaxation: existing models still load. `consequence`
    is what happens to the bytes of such a model: "misread" (a wrong value, and no error), "refused" (by the verifier),
    "lost" (the value is not read), "unknown_number" (the reader has no name for it), None if the rule does not say.
    `is_ignored` is whether the loaders ignore what such a model says, and go on.
    `old` and `new` are JSON values, of the field `field` of an argument, or of the whole argument if `field` is None.
    `callers` are the callers of a saved model that break: calls of a "function", calls by the keywords of a
    "signature", a "session". `declared` is the declaration in base and in head as text, None if it is not shown.
    `breaks` says who breaks and how, `advice` what to do instead, `review` which team has to approve. `also` names the
    other bases of the report that have the same finding. `approval` is None if no reviews were read. `spec` is the path
    of its spec file in the repository, `graph` and `node` its place in a saved model; each is None if there is none.
    `proofs` are the results of `prove`, `since` is what a history says of base, `usage` how many known models use it.
    `promise` is what base promises of the op, which a waiver has to name, "" for nothing. `fixes` are the edits that
    remove it, if they were asked for, and `needs` is what the fixer of its rule has to know of its fact. A finding that
    is `waived` or approved does not count.
    """

    rule: RuleId
    event: EventId
    level: Level
    directions: tuple[Direction, ...]
    consequence: Consequence | None = None
    is_ignored: bool = False
    kind: Kind
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
    callers: tuple[Caller, ...] = ()
    declared: tuple[str | None, str | None] = (None, None)
    base_origin: Origin | None = None
    head_origin: Origin | None = None
    also: tuple[str, ...] = ()
    spec: str | None = None
    graph: str | None = None
    node: str | None = None
    waived: Waived | None = None
    approval: Approval | None = None
    proofs: tuple[Proven, ...] = ()
    since: Since | None = None
    usage: Usage | None = None
    promise: str = ""
    needs: Record | None = None
    fixes: tuple[Fix, ...] = ()

    @property
    def is_approved(self) -> bool:
        """Whether the team that has to approve has done so."""
        return self.approval is not None and bool(self.approval.by)

    @property
    def counts(self) -> bool:
        """Whether it counts: nobody waived it, and the team did not approve it."""
        return self.cleared is None

    @property
    def cleared(self) -> Cleared | None:
        """Why it does not count, None where it does; what is waived needs no approval."""
        if self.waived is not None:
            return "newly waived" if self.waived.is_new else "waived"
        return "approved" if self.is_approved else None

    @property
    def is_about_whole_op(self) -> bool:
        """True if the finding concerns an op, and not a field or an argument of the op."""
        return self.kind == "op" and self.field is None

    @property
    def is_relaxation(self) -> bool:
        """Whether existing models still load, and mean the same."""
        return "backward" not in self.directions

    @property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits that identify the finding and do not depend on any wording."""
        return self.fingerprint_with(self.old, self.new)

    def fingerprint_with(self, old: Any, new: Any) -> str:
        """Return the fingerprint that the finding would have with other values."""
        import hashlib
        import json

        identity = [self.rule, self.op, self.kind, self.name, self.new_name, self.field, old, new]
        text = json.dumps(identity, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


class RuleFacts(Record):
    """The texts of a rule for a report: its id, its title, what it flags, why that breaks and what to do instead.

    `fix` is the safety of its fix, None if it has none.
    """

    id: str
    title: str
    flags: str
    why: str
    instead: str
    fix: Safety | None = None


class Side(Record):
    """One of the two specs of a comparison.

    `file` is the name that the user gave. `path` is its path in the repository, None if it is not a file, or unknown.
    """

    file: str
    provenance: Provenance
    ops: int
    path: str | None = None

    @property
    def of(self) -> str:
        """The subject of the spec: a framework, or the interface of a model of a framework."""
        saved_by = self.provenance.made_by if is_interface(self.provenance) else None
        return self.provenance.framework if saved_by is None else f"{self.provenance.framework} of {saved_by}"


class Comparison(Record):
    """The findings between two specs: ops in order of name, the worst finding of an op first.

    `base` and `head` are the same object if one spec was judged by itself. `only` names the ops that were compared,
    None for all. `ignored` counts the findings about ops that the configuration ignores. `exempt_under` is a profile
    that exempts every op that breaks existing models, None if there is none.

    `verdict` says what becomes of a saved model, which is base, under the loader that `profile` names, in a sentence,
    and `outcome` in a word; both are None if two specs were compared.
    """

    base: Side
    head: Side
    profile: str
    findings: tuple[Finding, ...]
    only: tuple[str, ...] | None = None
    ignored: int = 0
    verdict: str | None = None
    outcome: str | None = None
    exempt_under: str | None = None


class Report(Record):
    """The result of a check.

    `general` are the findings that are not about two specs: added or removed files, the configuration, waivers.
    `unchanged` are the spec files that are the same at base. `base` describes the revision of base for people, None if
    there is none. `rules` are the rules of all findings. `versions` are the released and the next version, None if they
    were not given. `prefix` is the folder in which the check was started, relative to the top of the repository.
    `anchor` is the path from there of a file of head for findings that are of no file, None if none is known.
    `top` is the folder that the files of fixes count from, None if head is not in a work tree. `address` is that of
    head's files on a code host, None if it is on none; `lines_there` are the lines that have another number there, by
    path and number in head. `touches` is whether the change touches a contract, a setting or a waiver, and `news`
    whether any finding is due to it; the other findings are against releases, and every change has them.
    """

    comparisons: tuple[Comparison, ...]
    general: tuple[Finding, ...] = ()
    rules: tuple[RuleFacts, ...] = ()
    base: str | None = None
    unchanged: tuple[str, ...] = ()
    versions: Versions | None = None
    prefix: str = ""
    anchor: str | None = None
    top: str | None = None
    address: str | None = None
    lines_there: Mapping[tuple[str, int], int] = {}
    touches: bool = True
    news: bool = True

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, waived ones too: the general ones, then by comparison."""
        return self.general + tuple(finding for comparison in self.comparisons for finding in comparison.findings)

    @property
    def waived(self) -> tuple[Finding, ...]:
        """The findings that a waiver says not to count."""
        return tuple(finding for finding in self.findings if finding.waived is not None)

    @property
    def approved(self) -> tuple[Finding, ...]:
        """The findings that no waiver clears, but the approval of the team that they need."""
        return tuple(finding for finding in self.findings if finding.cleared == "approved")

    def count(self, level: Level) -> int:
        """Return how many findings of a level count."""
        return sum(finding.level == level and finding.counts for finding in self.findings)

    @property
    def failed(self) -> bool:
        """Whether there is any finding at error level that counts."""
        return self.has("error")

    def has(self, least: Level) -> bool:
        """Tell whether any finding that counts is of a level, or of a worse one."""
        return any(finding.counts and LEVELS.index(finding.level) >= LEVELS.index(least) for finding in self.findings)
