"""The records of results: findings, comparisons of two specs, and the report with all comparisons."""

from __future__ import annotations

from opspec_lint.kit.record import Record, Sparse
from opspec_lint.spec.interface.declarations import is_interface

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
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
REPORTED_LEVELS = LEVELS[1:]
"""The levels of the findings in a report."""
"""From the mildest to the worst."""
CLEARED: tuple[Cleared, ...] = ("approved", "newly waived", "waived")
"""The reasons why a finding does not count."""
CONSEQUENCES: Mapping[Consequence, str] = {
    "misread": "misread silently",
    "refused": "refused by the verifier",
    "lost": "value lost",
    "unknown_number": "unknown number",
}
"""The text for each consequence."""


def worst(*levels: Level) -> Level:
    """Return the worst of some levels."""
    return max(levels, key=LEVELS.index)


def mildest(*levels: Level) -> Level:
    """Return the mildest of some levels."""
    return min(levels, key=LEVELS.index)


class Waived(Record):
    """The waiver of a finding. `expires` is its last day, as YYYY-MM-DD; `is_new`: the checked change adds it."""

    reason: str
    owner: str
    expires: str | None = None
    is_new: bool = False


class Approval(Record):
    """The approval of a finding by a team: the logins of members who approved, or the reason why it is missing."""

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
    """The origin of the base state of a finding in a history.

    - `commit`, `date`, `pull_request`: the commit that introduced it; the number is from the subject of the commit
    - `is_start`: this is the first revision of the history, so the state may be older
    - `release`, `released`: the first release that contains it, and its day; `releases`: the number of such releases
    - `back_to`, `until`: if head reverts to an earlier state, the commit that introduced that state, and the day on
      which it was replaced
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
    """The number of known models that a finding concerns.

    Of the `of` known models of the framework, `models` use the op, `with_attr` set the attr of the finding, and
    `with_value` set it to the default value of base; the last two are None if the finding concerns no attr.
    """

    models: int
    of: int
    with_attr: int | None = None
    with_value: int | None = None


class Finding(Sparse):
    """The judgement of one fact by one rule.

    The judgement:
    - `directions`: "backward" (existing models break on the new framework), "forward" (new models break on the old
      one). A finding without "backward" is a relaxation
    - `consequence`: what a reader does with the bytes of such a model: "misread" (a wrong value, no error), "refused"
      (by the verifier), "lost" (the value is not read), "unknown_number" (it has no name for it), None if unknown
    - `is_ignored`: the loaders ignore the part of the model and continue
    - `callers`: callers of a saved model that break: calls of a "function", calls by keywords of a "signature", a
      "session"
    - `message`: what changed; `breaks`: who breaks, and how; `advice`: what to do
    - `review`: the team that has to approve, None if no team has to

    The fact:
    - `event`, `kind`, `op`, `name`, `new_name`, `field`, `graph` and `node` (its place in a saved model)
    - `old`, `new`: JSON values of the field, or of the whole argument if `field` is None
    - `declared`: the declarations in base and head as text, None if a report does not show them
    - `promise`: what base promises for the op, which a waiver has to name; `needs`: data for the fixer of the rule

    Added by later steps (`lint/steps.py`):
    - `base_origin`, `head_origin`, `spec` (path of the spec file), `also` (other bases with the same finding), `fixes`
    - `waived`, `approval` (None if no reviews were read), `proofs`, `since`, `usage`
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
        """The required team has approved the finding."""
        return self.approval is not None and bool(self.approval.by)

    @property
    def counts(self) -> bool:
        """The finding is neither waived nor approved."""
        return self.cleared is None

    @property
    def cleared(self) -> Cleared | None:
        """The reason why the finding does not count, None if it counts; a waiver goes before an approval."""
        if self.waived is not None:
            return "newly waived" if self.waived.is_new else "waived"
        return "approved" if self.is_approved else None

    def fails(self, least: Level) -> bool:
        """Return whether the finding counts, and has the level `least` or a worse one."""
        return self.counts and LEVELS.index(self.level) >= LEVELS.index(least)

    @property
    def concerns_whole_op(self) -> bool:
        """True if the finding concerns an op, and not a field or an argument of the op."""
        return self.kind == "op" and self.field is None

    @property
    def is_relaxation(self) -> bool:
        """Existing models still load with the same meaning."""
        return "backward" not in self.directions

    @property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits that identify the finding, whatever its wording, level and place."""
        return self.fingerprint_with(self.old, self.new)

    def fingerprint_with(self, old: Any, new: Any) -> str:
        """Return the fingerprint that the finding would have with the values `old` and `new`."""
        import hashlib
        import json

        # Waivers in repositories of users contain fingerprints: a change of this list invalidates all of them.
        identity = [self.rule, self.op, self.kind, self.name, self.new_name, self.field, old, new]
        text = json.dumps(identity, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


class RuleFacts(Record):
    """The texts of a rule for a report. `fix` is the safety of its fix, None if it has none."""

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
    """The findings between two specs, ops by name, the worst finding of an op first; or the audit of a model.

    - `base`, `head`: the same object if one spec was judged by itself
    - `only`: the compared ops, None for all; `ignored`: the number of findings in ops that the configuration ignores
    - `is_silenced`: base and head differ, and the profile turns off every rule that judges the differences
    - `exempt_under`: a profile that exempts every op with a break, None if there is none
    - `fix_step`: adds its fixes to a finding, during the check; None if they are added, or the files are not readable
    - `verdict`, `outcome`: for an audit, where base is a saved model and `profile` a loader: the verdict as a sentence
      and as a word; None for two specs
    """

    base: Side
    head: Side
    profile: str
    findings: tuple[Finding, ...]
    only: tuple[str, ...] | None = None
    ignored: int = 0
    is_silenced: bool = False
    verdict: str | None = None
    outcome: str | None = None
    exempt_under: str | None = None
    fix_step: Callable[[Finding], Finding | None] | None = None


class Report(Record):
    """The result of a check.

    - `comparisons`; `general`: findings that concern no two specs: added or removed files, the configuration, waivers
    - `rules`: the texts of the rules of all findings
    - `base`: a description of the revision of base for people; `unchanged`: spec files that are the same at base
    - `versions`: the released and the next version, None if the user gave none
    - `prefix`: the folder in which the check was started, relative to the top of the repository
    - `anchor`: the path, from `prefix`, of a file of head for findings that concern no file
    - `top`: the folder that paths of fixes are relative to, None if head is not in a work tree
    - `address`: the URL of head's files on a code host; `lines_there`: lines with another number there, by path and
      number in head
    - `documentation`: the address of the folder docs of this program; without it, reports have no links to rules
    - `has_safe_fix`: `check --fix` writes something; known of a report with errors
    - `touches`: the change touches a contract, a setting or a waiver; `news`: a finding is caused by the change. The
      other findings are against releases, so every change has them
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
    documentation: str | None = None
    has_safe_fix: bool = False
    touches: bool = True
    news: bool = True

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, waived ones too: the general ones, then by comparison."""
        return self.general + tuple(finding for comparison in self.comparisons for finding in comparison.findings)

    @property
    def waived(self) -> tuple[Finding, ...]:
        """The findings that a waiver accepts."""
        return tuple(finding for finding in self.findings if finding.waived is not None)

    @property
    def approved(self) -> tuple[Finding, ...]:
        """The findings that an approval accepts, unless a waiver does."""
        return tuple(finding for finding in self.findings if finding.cleared == "approved")

    def count(self, level: Level) -> int:
        """Return the number of findings of a level, without waived and approved ones."""
        return sum(finding.level == level and finding.counts for finding in self.findings)

    def failing(self, least: Level) -> Report:
        """Return a report with only the findings that count and have the level `least` or a worse one.

        It does not list the unchanged files.
        """

        def select(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
            return tuple(finding for finding in findings if finding.fails(least))

        kept = (comparison.replace(findings=select(comparison.findings)) for comparison in self.comparisons)
        comparisons = tuple(comparison for comparison in kept if comparison.findings)
        return self.replace(general=select(self.general), comparisons=comparisons, unchanged=())

    @property
    def failed(self) -> bool:
        """The report has an error that counts."""
        return self.has("error")

    def has(self, least: Level) -> bool:
        """Return whether any finding that counts has the level `least` or a worse one."""
        return any(finding.fails(least) for finding in self.findings)
