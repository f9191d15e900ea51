"""The public results: frozen views of the documents that the JSON formats write, with the same names of fields.

`docs/reference/python.md` is made of the docstrings here.
"""

from __future__ import annotations

from opspec_lint.api.values import frozen
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, ClassVar, Literal, TypeAlias, TypeVar

    from opspec_lint.api.made import MadeAudit, MadeReport

    Level: TypeAlias = Literal["error", "warning", "note"]
    Answer: TypeAlias = Literal["yes", "no", "unknown"]
    _View = TypeVar("_View", bound="View")


_LEVELS = ("error", "warning", "note")


class View(Record):
    """Base of the views: each field has the value of the member of its name in a JSON object."""

    _views: ClassVar[Mapping[str, type[View]]] = {}
    """The views of the members that are objects, or arrays of objects."""


def _view_of(view: type[_View], document: Mapping[str, Any]) -> _View:
    """Return the view of a JSON object."""
    views = view._views  # noqa: SLF001 - a private part of each class in this module
    return view(**{name: _viewed(value, views.get(name)) for name, value in document.items()})


def _viewed(value: Any, view: type[View] | None) -> Any:
    if view is None:
        return frozen(value)
    if value is None:
        return None
    return tuple([_view_of(view, item) for item in value]) if isinstance(value, list | tuple) else _view_of(view, value)


class Origin(View):
    """The place of a declaration: a file, with line and column, each counted from 1, None if the source has none."""

    file: str
    line: int | None
    column: int | None


class Waiver(View):
    """The waiver of a finding: its reason, its owner, and its last day as YYYY-MM-DD, None for no end.

    `new`: the change itself adds the waiver; False in an audit.
    """

    reason: str
    owner: str
    expires: str | None
    new: bool = False


class Approval(View):
    """The logins of the team members who approved a finding; if there are none, `problem` is the reason."""

    by: tuple[str, ...]
    problem: str | None


class Proof(View):
    """The verdict of a loader on a model that demonstrates a finding: confirmed, refuted, not_provable or not_tried."""

    verdict: str
    direction: Literal["backward", "forward"] | None
    loaded_by: str
    reason: str


class Since(View):
    """The commit that made base what a finding says, and the first release that has it, from a recorded history.

    `date` is the day of the commit and `released` the day of the release, as YYYY-MM-DD. `releases` is the number of
    releases that have it, from `release` to `until`. `is_start`: the history begins with it, so that it may be older.
    """

    commit: str
    date: str
    pull_request: int | None
    is_start: bool
    release: str | None
    released: str | None
    releases: int
    back_to: str | None
    until: str | None


class Usage(View):
    """The number of `models` that use the subject of a finding, `of` all known models of the framework."""

    models: int
    of: int
    with_attr: int | None
    with_value: int | None


class Position(View):
    """A line and a column of a file, both counted from 1."""

    line: int
    column: int


class Edit(View):
    """A text that replaces the part of a file from `start` to before `end`."""

    _views: ClassVar[Mapping[str, type[View]]] = {"start": Position, "end": Position}
    file: str
    start: Position
    end: Position
    text: str


class Fix(View):
    """Edits that remove a finding together; `safety` is "safe" or "unsafe"."""

    _views: ClassVar[Mapping[str, type[View]]] = {"edits": Edit}
    description: str
    safety: Literal["safe", "unsafe"]
    edits: tuple[Edit, ...]


class Finding(View):
    """The judgement of one difference between base and head under one rule.

    `comparison` is the index of the comparison that it is of, None for none. `directions` are the ways in which models
    break: "backward" is an old model on the new framework. `message` says what changed, `breaks` who breaks and how,
    `advice` what to do. A finding that is waived or approved does not count.
    """

    _views: ClassVar[Mapping[str, type[View]]] = {
        "base_origin": Origin,
        "head_origin": Origin,
        "waived": Waiver,
        "approval": Approval,
        "proofs": Proof,
        "since": Since,
        "usage": Usage,
        "fixes": Fix,
    }
    comparison: int | None
    rule: str
    level: Level
    directions: tuple[Literal["backward", "forward"], ...]
    consequence: str | None
    relaxation: bool
    kind: str
    op: str | None
    name: str | None
    new_name: str | None
    confidence: float | None
    field: str | None
    old: Any
    new: Any
    message: str
    breaks: str
    advice: str
    review: str | None
    callers: tuple[str, ...]
    before: str | None
    after: str | None
    base_origin: Origin | None
    head_origin: Origin | None
    also: tuple[str, ...]
    waived: Waiver | None
    approval: Approval | None
    proofs: tuple[Proof, ...]
    since: Since | None
    usage: Usage | None
    fixes: tuple[Fix, ...]
    fingerprint: str

    @property
    def counts(self) -> bool:
        """True if the finding is neither waived nor approved."""
        return self.waived is None and not (self.approval is not None and self.approval.by)


class Side(View):
    """One of the two specs of a comparison; `ops` is the number of its ops."""

    file: str
    framework: str
    version: str | None
    commit: str | None
    ops: int


class Summary(View):
    """The number of findings that count at each level, and of those that do not count."""

    error: int
    warning: int
    note: int
    waived: int
    approved: int


class LevelCounts(View):
    """The number of findings of one comparison that count at each level."""

    error: int
    warning: int
    note: int


class Comparison(View):
    """Two specs that were compared under a profile.

    `only` are the compared ops, None for all. `ignored` is the number of findings in ops that the configuration
    ignores.
    """

    _views: ClassVar[Mapping[str, type[View]]] = {"base": Side, "head": Side, "summary": LevelCounts}
    base: Side
    head: Side
    profile: str
    only: tuple[str, ...] | None
    ignored: int
    summary: LevelCounts


class Release(View):
    """The part of a semantic version that the change has to raise, and the reason.

    `fingerprint` identifies the finding that decides, None for none. `released`, `next` and `least` are None where no
    version was named.
    """

    part: Literal["major", "minor", "patch"]
    reason: str
    fingerprint: str | None
    released: str | None
    next: str | None
    least: str | None


class Report(View):
    """The result of a check, with the fields of `opspec-lint check --format json`.

    `findings` are in order of op, the worst of an op first. `version` is the version of the JSON format. `base` and
    `unchanged` belong to checks of a whole repository: here None and empty. In a notebook, a report is a table.
    """

    __slots__ = ("_made",)
    _views: ClassVar[Mapping[str, type[View]]] = {
        "comparisons": Comparison,
        "summary": Summary,
        "release": Release,
        "findings": Finding,
    }
    version: int
    base: str | None
    comparisons: tuple[Comparison, ...]
    unchanged: tuple[str, ...]
    summary: Summary
    release: Release
    findings: tuple[Finding, ...]

    if TYPE_CHECKING:
        _made: ClassVar[MadeReport]  # a slot of the instance, which is no field

    @property
    def failed(self) -> bool:
        """True if any finding at level error counts: the command line exits with 1."""
        return self.has("error")

    def has(self, level: Level) -> bool:
        """Return True if any finding that counts is of this level or of a worse one. Raises UsageError for others."""
        if level not in _LEVELS:
            from opspec_lint.kit.errors import unknown_name

            raise unknown_name("level", level, _LEVELS)
        return any(getattr(self.summary, name) for name in _LEVELS[: _LEVELS.index(level) + 1])

    def to_dict(self) -> dict[str, Any]:
        """Return the report as the document that `check --format json` writes, in new dicts and lists."""
        return self._made.document()

    def __repr__(self) -> str:
        counts = self.summary
        return (
            f"Report(findings={len(self.findings)}, error={counts.error}, warning={counts.warning}, note={counts.note})"
        )

    def _repr_html_(self) -> str:
        from opspec_lint.api.notebook import table
        from opspec_lint.kit.text import plural

        caption = ", ".join(plural(getattr(self.summary, level), level) for level in _LEVELS)
        rows = [(finding.level, finding.op, finding.message, finding.advice) for finding in self.findings]
        return table(caption, ("level", "op", "message", "instead"), rows)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return made_report, (self._made.portable(),)


class ModelFinding(View):
    """The obstacle of a loader in a model, or something that the loader ignores.

    `graph` is the function or block, "" for the main graph, and `node` the first node that has it. `old` is what the
    model has, `new` what the release has.
    """

    _views: ClassVar[Mapping[str, type[View]]] = {"waived": Waiver}
    rule: str
    level: Level
    kind: str
    graph: str | None
    node: str | None
    op: str | None
    name: str | None
    old: Any
    new: Any
    message: str
    breaks: str
    advice: str
    waived: Waiver | None
    fingerprint: str


class ModelVerdict(View):
    """The verdict on one model under one loader of one release.

    `loads` answers whether the release loads the model as it was saved: "yes", "no" or "unknown", which is neither.
    `verdict` is the worst that a finding leads to, and `reason` its word.
    """

    _views: ClassVar[Mapping[str, type[View]]] = {"findings": ModelFinding}
    model: str
    against: str
    loader: str | None
    loads: Answer
    verdict: Literal["loads", "changed", "cannot_tell", "fails_at_run", "refused", "unreadable"]
    reason: str | None
    findings: tuple[ModelFinding, ...]


class Refusal(View):
    """A release that does not load a model as it was saved, with the first reason."""

    release: str
    verdict: str
    reason: str


class Doubt(View):
    """A release that may or may not load a model: the missing fact, and how to supply it."""

    release: str
    reason: str
    remedy: str


class Reach(View):
    """The known releases that load a model by a loader, older ones first.

    `is_claimed`: no spec of the oldest release is known; it follows from the versions of the ops.
    """

    _views: ClassVar[Mapping[str, type[View]]] = {"refusals": Refusal, "unknown": Doubt}
    model: str
    loader: str | None
    oldest: str | None
    newest: str | None
    is_claimed: bool
    loads: tuple[str, ...]
    refusals: tuple[Refusal, ...]
    unknown: tuple[Doubt, ...]


class AnswerCounts(View):
    """The number of verdicts with each answer; a model that cannot be read has none."""

    yes: int
    no: int
    unknown: int


class Audit(View):
    """The result of an audit of models, with the fields of `opspec-lint audit --format json`.

    `reaches` are the releases between which each model loads; empty if specs were named. In a notebook, an audit is a
    table.
    """

    __slots__ = ("_made",)
    _views: ClassVar[Mapping[str, type[View]]] = {"counts": AnswerCounts, "audits": ModelVerdict, "reaches": Reach}
    version: int
    counts: AnswerCounts
    audits: tuple[ModelVerdict, ...]
    reaches: tuple[Reach, ...] = ()

    if TYPE_CHECKING:
        _made: ClassVar[MadeAudit]  # a slot of the instance, which is no field

    @property
    def failed(self) -> bool:
        """True if the command line would not exit with 0.

        With named specs, any spec does not load a model, or a model cannot be read; without, no release loads a model.
        """
        return self._made.code != 0

    def to_dict(self) -> dict[str, Any]:
        """Return the audit as the document that `audit --format json` writes, in new dicts and lists."""
        return self._made.document()

    def __repr__(self) -> str:
        counts = self.counts
        return f"Audit(audits={len(self.audits)}, yes={counts.yes}, no={counts.no}, unknown={counts.unknown})"

    def _repr_html_(self) -> str:
        from opspec_lint.api.notebook import table

        counts = self.counts
        caption = f"{counts.yes} load, {counts.no} do not, {counts.unknown} unknown"
        rows = [
            (verdict.model, verdict.against, verdict.loader, verdict.loads, _first_obstacle(verdict))
            for verdict in self.audits
        ]
        return table(caption, ("model", "release", "loader", "loads", "reason"), rows)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return made_audit, (self._made.portable(),)


def _first_obstacle(verdict: ModelVerdict) -> str:
    return next((finding.message for finding in verdict.findings if finding.level != "note"), "")


def made_report(made: MadeReport) -> Report:
    """Return the public `Report` of a comparison that the program made; pickles call this function."""
    report = _view_of(Report, made.document())
    object.__setattr__(report, "_made", made)
    return report


def made_audit(made: MadeAudit) -> Audit:
    """Return the public `Audit` of an audit that the program made; pickles call this function."""
    audit = _view_of(Audit, made.document())
    object.__setattr__(audit, "_made", made)
    return audit
