"""The contents of the HTML page for reviewers, as plain data for its template: header, sections, findings.

Texts are not escaped or shortened here: the template passes each through `shown` and escapes it.
"""

from __future__ import annotations

from typing import NamedTuple

from opspec_lint.kit.record import Compact, Record
from opspec_lint.kit.text import distinct, one_line, plural, shorten
from opspec_lint.report import answers, release
from opspec_lint.report.details import describe_review, describe_waiver, evidence, judgement
from opspec_lint.report.entries import (
    counts,
    ignored_count,
    in_order,
    places,
    unchanged_count,
)
from opspec_lint.report.findings import CLEARED
from opspec_lint.report.headline import headline
from opspec_lint.report.ranking import first_breaks, group_of, is_internal, report_order, sections
from opspec_lint.report.versions import describe_least
from opspec_lint.spec.event import events
from opspec_lint.spec.values import freeze, show, show_both

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from opspec_lint.report.details import Detail
    from opspec_lint.report.entries import ComparisonContext
    from opspec_lint.report.findings import Comparison, Finding, Report, RuleFacts, Side
    from opspec_lint.report.ranking import FirstBreak

_LONGEST = 2000
"""Greatest length of a text."""
_FIRST = 5
"""Number of breaks on the first screen."""
_FAMILY = 4
"""Number of ops with the same single finding from which on they share a frame."""
_NAME = 200
"""Greatest length of a name in a heading."""


class Row(Record):
    """A value in base and head as text, None if a side has none."""

    label: str
    old: str | None
    new: str | None


class Item(Compact):
    """A finding on the page; `paths` are the paths of the files of base and head.

    Its texts are computed lazily, as a page may have hundreds of thousands of findings.
    """

    id: str
    finding: Finding
    paths: tuple[str | None, ...]

    @property
    def group(self) -> str:
        """The group of the finding, one of `ranking.GROUPS`."""
        return group_of(self.finding)

    @property
    def rows(self) -> tuple[Row, ...]:
        """The differing values."""
        return tuple(_rows(self.finding))

    @property
    def judgement(self) -> list[Detail]:
        """The details of the rule: who breaks, what to do, declarations."""
        return list(judgement(self.finding))

    @property
    def evidence(self) -> list[Detail]:
        """The details from proofs, history, known models and reviewers."""
        return list(evidence(self.finding))

    @property
    def places(self) -> list[tuple[str, str]]:
        """The places as pairs of side and `path:line:column`."""
        # A removed op has no line in head; its place there is the line of the next op.
        at_head = "near in head" if events()[self.finding.event].is_removal else "head"
        known = zip(("base", at_head), places(self.finding, self.paths), strict=True)
        return [(side, f"{place.path}:{place.line}:{place.column}") for side, place in known if place is not None]

    @property
    def datum(self) -> dict[str, Any]:
        """The values for the filters of the script."""
        finding = self.finding
        texts = {field: getattr(finding, field) for field in ("op", "kind", "name", "rule", "message", "review")}
        return {
            "id": self.id,
            "level": finding.level,
            "state": finding.cleared or "counts",
            **{field: None if text is None else shown(text) for field, text in texts.items()},
            "people": "; ".join(_people(finding)),
        }


class Release(Record):
    """The release that a change requires, its least version, and the reason; `link` is the id of the deciding item."""

    part: str
    least: str | None
    reason: str
    link: str | None


class Team(Record):
    """A team that has to approve findings.

    `open` findings await its approval, for the reasons in `problems`; `approved` findings have one, `by` these logins.
    Waived findings are in neither number.
    """

    name: str
    open: int
    problems: tuple[str, ...]
    approved: int
    by: tuple[str, ...]


class OpFindings(Record):
    """A frame of the page: the findings of one op, or the findings that concern no op (`name` is None).

    A frame for several ops with the same single finding has its `rule`; `is_internal`: these are internal ops.
    """

    name: str | None
    items: tuple[Item, ...]
    rule: str | None = None
    is_internal: bool = False


class First(Record):
    """One of the first breaks, with the item of its finding."""

    item: Item
    of: FirstBreak


class SectionRemark(NamedTuple):
    """A remark at the beginning of a section: a text, a name that is set apart, and a text after it."""

    before: str
    name: str
    after: str


class RuleCount(NamedTuple):
    """A rule of the findings, the number of its findings, and its texts, None if they are not known."""

    id: str
    findings: int
    texts: RuleFacts | None


class Section(Record):
    """A section of the page: the general findings, or the findings of one comparison.

    A title of two parts means base and head.
    """

    id: str
    title: tuple[str, ...]
    remarks: tuple[SectionRemark, ...]
    counts: str
    ops: tuple[OpFindings, ...]


class Page(Record):
    """The contents of the page.

    - `headline`: the verdict as a sentence, "" for a single audit, whose title has it; `stamp`: the verdict as a word
    - `items`: the items of all sections in order; `first`: the breaks to look at first
    - `levels`: the number of findings that count by level; `ops`: of their ops; `cleared`: of other findings by reason
    - `release`: None if there are neither findings nor versions
    """

    title: tuple[str, ...]
    headline: str
    stamp: str
    counts: str
    unchanged: str
    sections: tuple[Section, ...]
    items: tuple[Item, ...]
    levels: dict[str, int]
    ops: dict[str, int]
    cleared: dict[str, int]
    release: Release | None
    teams: tuple[Team, ...]
    rules: tuple[RuleCount, ...]
    first: tuple[First, ...]


def page(report: Report) -> Page:
    """Return the contents of the page of a report."""
    sections = tuple(_sections(report))
    items = tuple(item for section in sections for op in section.ops for item in op.items)
    findings = [item.finding for item in items]
    return Page(
        title=_title(report),
        headline=_headline(report),
        stamp=answers.stamp(report),
        counts=counts(report.findings) or "no findings",
        unchanged=unchanged_count(report) if report.unchanged else "",
        sections=sections,
        items=items,
        levels={level: count for level in ("error", "warning", "note") if (count := report.count(level))},
        ops=_ops_by_level(findings),
        cleared=_cleared(findings),
        release=_release(report, items) if findings or report.versions else None,
        teams=tuple(_teams(findings)),
        rules=tuple(_rules(report, findings)),
        first=tuple(_first(items)),
    )


def _headline(report: Report) -> str:
    """Return the verdict as a sentence, "" for a single audit."""
    outcomes = answers.outcomes(report)
    if not outcomes:
        return headline(report)
    return answers.describe_verdicts(outcomes) if len(report.comparisons) > 1 else ""


def _first(items: Iterable[Item]) -> Iterator[First]:
    """Yield the breaks to look at first."""
    # By identity, as a finding may have values that are not hashable.
    by_finding = {id(item.finding): item for item in items}
    for first_break in first_breaks((item.finding for item in by_finding.values()), _FIRST):
        yield First(item=by_finding[id(first_break.finding)], of=first_break)


def shown(text: str) -> str:
    """Return a text for the page: on one line and of bounded length."""
    return shorten(one_line(text), _LONGEST)


def heading(text: str) -> str:
    """Return a name for a heading: on one line and short."""
    return shorten(one_line(text), _NAME)


def _title(report: Report) -> tuple[str, ...]:
    """Return the title of the page: of its single comparison, or else their number."""
    if len(report.comparisons) != 1:
        audits = any(comparison.verdict is not None for comparison in report.comparisons)
        return (plural(len(report.comparisons), "audit" if audits else "comparison"),)
    return _heading(report.comparisons[0])


def _heading(comparison: Comparison) -> tuple[str, ...]:
    """Return the names of base and head; for an audit, the model and the verdict in one part."""
    if comparison.verdict is not None:
        return (heading(f"{comparison.base.file} {comparison.verdict}"),)
    return _side(comparison.base), _side(comparison.head)


def _side(side: Side) -> str:
    """Return the framework and version of a spec."""
    return heading(f"{side.of} {side.provenance.version or ''}".rstrip())


def _ops_by_level(findings: Iterable[Finding]) -> dict[str, int]:
    """Return the number of ops with findings that count, by level."""
    ops: dict[str, set[str | None]] = {level: set() for level in ("error", "warning", "note")}
    for finding in findings:
        if finding.counts and finding.op is not None:
            ops[finding.level].add(finding.op)
    return {level: len(names) for level, names in ops.items()}


def _sections(report: Report) -> list[Section]:
    """Return the sections: general findings, if any, and each comparison. Ids of items are unique on the page."""
    parts = [
        (
            comparison,
            in_order(
                report.replace(comparisons=())
                if comparison is None
                else report.replace(comparisons=(comparison,), general=())
            ),
        )
        for comparison in sections(report)
    ]
    # Two spec files may have the same finding; a link on the page needs an id that occurs once.
    ids = iter(distinct(finding.fingerprint for _, part in parts for finding, _ in part))
    made = []
    for comparison, part in parts:
        ops = _ops(part, ids)
        if comparison is None:
            title: tuple[str, ...] = ("The change as a whole",)
            made.append(Section(id="general", title=title, remarks=(), counts=counts(report.general), ops=ops))
            continue
        count_text = counts(comparison.findings) or "no findings"
        number = 1 + sum(section.id != "general" for section in made)
        remarks = tuple(_remarks(comparison))
        made.append(
            Section(id=f"comparison-{number}", title=_heading(comparison), remarks=remarks, counts=count_text, ops=ops)
        )
    return made


def _remarks(comparison: Comparison) -> Iterator[SectionRemark]:
    """Yield the remarks of a comparison: files, profile, selected ops, ignored findings."""
    for label, side in (("base", comparison.base), ("head", comparison.head)):
        commit = f", commit {one_line(side.provenance.commit[:10])}" if side.provenance.commit else ""
        yield SectionRemark(f"{label}: ", side.file, f" ({plural(side.ops, 'op')}{commit})")
    yield SectionRemark("profile: ", comparison.profile, "")
    if comparison.only is not None:
        yield SectionRemark("only ", ", ".join(comparison.only), "")
    if comparison.ignored:
        yield SectionRemark(f"left out: {ignored_count(comparison.ignored)}", "", "")


def _ops(findings: list[tuple[Finding, ComparisonContext]], ids: Iterator[str]) -> tuple[OpFindings, ...]:
    """Return the frames of a section, the op with the worst finding first; `ids` are the ids for its items."""
    by_op: dict[str | None, list[Item]] = {}
    for finding, context in findings:
        by_op.setdefault(finding.op, []).append(Item(id=next(ids), finding=finding, paths=context.paths))
    # Ops whose only finding is the same one about the whole op, such as "was removed", may share a frame.
    same_finding: dict[tuple[str, str, bool], list[Item]] = {}
    frames = []
    for op, items in by_op.items():
        finding = items[0].finding
        if op is not None and len(items) == 1 and finding.concerns_whole_op and finding.counts:
            same_finding.setdefault((finding.rule, items[0].group, is_internal(op)), []).append(items[0])
        else:
            frames.append(OpFindings(name=op, items=tuple(items)))
    for (rule, _, has_internal_ops), items in same_finding.items():
        if len(items) < _FAMILY:
            frames += (OpFindings(name=item.finding.op, items=(item,)) for item in items)
        else:
            frames.append(OpFindings(name=None, items=tuple(items), rule=rule, is_internal=has_internal_ops))
    return tuple(sorted(frames, key=_frame_order))


def _frame_order(frame: OpFindings) -> tuple[object, ...]:
    """Return the sort key of a frame: by its first finding."""
    return report_order(frame.items[0].finding)


def _rows(finding: Finding) -> Iterator[Row]:
    """Yield the differing values: of the changed field, or of each field of an added, removed or renamed argument."""
    old, new = finding.old, finding.new
    sides = [side for side in (old, new) if side is not None]
    if finding.field is None and sides and all(type(side) is dict for side in sides):
        for key in {**(old or {}), **(new or {})}:
            yield Row(label=key, old=_value(old or {}, key), new=_value(new or {}, key))
    elif sides:
        shown = show_both(freeze(old), freeze(new))
        before, after = (None if value is None else text for value, text in zip((old, new), shown, strict=True))
        yield Row(label=finding.field or "value", old=before, new=after)


def _value(values: dict[str, Any], key: str) -> str | None:
    """Return a value of a field as text, None if it is unset."""
    return show(freeze(values[key])) if key in values else None


def _cleared(findings: Iterable[Finding]) -> dict[str, int]:
    """Return the numbers of findings that do not count, by reason."""
    reasons = [finding.cleared for finding in findings]
    return {why: reasons.count(why) for why in CLEARED if why in reasons}


def _release(report: Report, items: Iterable[Item]) -> Release:
    """Return the release that the change requires, with its least version if the released one is known."""
    verdict, versions = release.verdict(report), report.versions
    least = None
    if versions is not None:
        least = describe_least(verdict.part, versions)
    links = (item.id for item in items if item.finding is verdict.finding)
    return Release(part=verdict.part, least=least, reason=verdict.reason, link=next(links, None))


def _teams(findings: Iterable[Finding]) -> list[Team]:
    """Return the teams that findings name, in order of name."""
    by_team: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.review:
            by_team.setdefault(finding.review, []).append(finding)
    return [_team(name, by_team[name]) for name in sorted(by_team)]


def _team(name: str, findings: list[Finding]) -> Team:
    """Return a team with the numbers of its open and approved findings."""
    missing = [finding.approval for finding in findings if finding.counts]
    given = [finding.approval for finding in findings if finding.cleared == "approved"]
    return Team(
        name=shown(name),
        open=len(missing),
        problems=tuple(dict.fromkeys(approval.problem for approval in missing if approval is not None)),
        approved=len(given),
        by=tuple(dict.fromkeys(login for approval in given if approval is not None for login in approval.by)),
    )


def _rules(report: Report, findings: list[Finding]) -> list[RuleCount]:
    """Return the rules of the findings, in order of id."""
    texts = {rule.id: rule for rule in report.rules}
    rule_ids = [finding.rule for finding in findings]
    return [RuleCount(rule, rule_ids.count(rule), texts.get(rule)) for rule in sorted(set(rule_ids))]


def _people(finding: Finding) -> Iterator[str]:
    """Yield the waiver of a finding, and its approval or the team that has to approve."""
    if finding.waived is not None:
        yield describe_waiver(finding.waived)
    if finding.review:
        yield describe_review(finding)
