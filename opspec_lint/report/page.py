"""What the page for reviewers shows of a report: its header, its sections, and each finding, as plain data.

Texts are as a spec or a waiver has them; what puts them on the page puts them through `shown`.
"""

from __future__ import annotations

from opspec_lint.kit.record import Compact, Record
from opspec_lint.kit.text import distinct, one_line, plural, shorten
from opspec_lint.report import answers, release
from opspec_lint.report.details import evidence, judgement, review_words, waiver_words
from opspec_lint.report.entries import (
    counts,
    ignored_count,
    in_order,
    places,
    unchanged_count,
)
from opspec_lint.report.findings import CLEARED
from opspec_lint.report.headline import headline
from opspec_lint.report.ranking import first_breaks, group_of, is_internal, place, sections
from opspec_lint.report.versions import needed
from opspec_lint.spec.event import events
from opspec_lint.spec.values import freeze, show, show_both

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from opspec_lint.report.details import Detail
    from opspec_lint.report.entries import Surroundings
    from opspec_lint.report.findings import Comparison, Finding, Report, RuleFacts, Side
    from opspec_lint.report.ranking import FirstBreak

_LONGEST = 2000
"""Characters of a text."""
_FIRST = 5
"""Breaks that the first screen shows."""
_FAMILY = 4
"""Ops of which one and the same thing is to be said, and no other, from which on they share a frame."""
_NAME = 200
"""Characters of a name in a heading."""


class Row(Record):
    """A value at base and at head, as texts; None where a side has none."""

    label: str
    old: str | None
    new: str | None


class Item(Compact):
    """A finding as the page shows it; `paths` are those of base's and head's file. What it shows is made when asked."""

    id: str
    finding: Finding
    paths: tuple[str | None, ...]

    @property
    def group(self) -> str:
        """The group of entries that it is in."""
        return group_of(self.finding)

    @property
    def rows(self) -> tuple[Row, ...]:
        """The values that differ."""
        return tuple(_rows(self.finding))

    @property
    def judgement(self) -> list[Detail]:
        """Who breaks, what to do, and the declarations."""
        return list(judgement(self.finding))

    @property
    def evidence(self) -> list[Detail]:
        """What loaders, a history, known models and reviewers add."""
        return list(evidence(self.finding))

    @property
    def places(self) -> list[tuple[str, str]]:
        """Where it stands, by side."""
        # What is gone has at head the line of what comes next in its place.
        at_head = "near in head" if events()[self.finding.event].is_removal else "head"
        known = zip(("base", at_head), places(self.finding, self.paths), strict=True)
        return [(side, f"{place.path}:{place.line}:{place.column}") for side, place in known if place is not None]

    @property
    def datum(self) -> dict[str, Any]:
        """What the script filters by."""
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
    """The release that the change asks for, its least version, and why; `link` is the id of what decides."""

    part: str
    least: str | None
    reason: str
    link: str | None


class Team(Record):
    """A team that findings name: of how many it has to approve, why it has not; of how many it has, and who.

    What is waived is in neither number.
    """

    name: str
    open: int
    problems: tuple[str, ...]
    approved: int
    by: tuple[str, ...]


class OpFindings(Record):
    """What a comparison found about one op, or about none.

    Of a family, `name` is None and `rule` says the one thing that there is to say of each of its ops; `is_internal`
    tells whether they are internal ones.
    """

    name: str | None
    items: tuple[Item, ...]
    rule: str | None = None
    is_internal: bool = False


class First(Record):
    """A line of what to look at first, and the item of its finding."""

    item: Item
    of: FirstBreak


class Section(Record):
    """The general findings, or those of a comparison: its title, what else is to be said of it, and its ops.

    A title of two parts is from one to the other; a remark is a name between two texts.
    """

    id: str
    title: tuple[str, ...]
    remarks: tuple[tuple[str, str, str], ...]
    counts: str
    ops: tuple[OpFindings, ...]


class Page(Record):
    """All that stands on the page.

    `headline` is the verdict in a sentence, "" for a single audit, whose title says it; `stamp` is it in a word.
    `items` are those of all sections, in their order. `levels` counts the findings that count at each level that there
    is, `cleared` the others by why they do not. `release` is None where there is nothing that a release could be asked
    for. `rules` are the rules of the findings, how many each has, and what it says. `first` are the breaks to look at
    before all others.
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
    rules: tuple[tuple[str, int, RuleFacts | None], ...]
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
    outcomes = answers.outcomes(report)
    if not outcomes:
        return headline(report)
    return answers.counted(outcomes) if len(report.comparisons) > 1 else ""


def _first(items: Iterable[Item]) -> Iterator[First]:
    by_finding = {id(item.finding): item for item in items}
    for each in first_breaks((item.finding for item in by_finding.values()), _FIRST):
        yield First(item=by_finding[id(each.finding)], of=each)


def shown(words: str) -> str:
    """Return a text as the page shows it: on one line, and of bounded length."""
    return shorten(one_line(words), _LONGEST)


def heading(words: str) -> str:
    """Return a name as a heading shows it: on one line, and short."""
    return shorten(one_line(words), _NAME)


def _title(report: Report) -> tuple[str, ...]:
    if len(report.comparisons) != 1:
        audits = any(each.verdict is not None for each in report.comparisons)
        return (plural(len(report.comparisons), "audit" if audits else "comparison"),)
    return _heading(report.comparisons[0])


def _heading(comparison: Comparison) -> tuple[str, ...]:
    """Return what a comparison is from and to; of an audit the model, with what becomes of it in which release."""
    if comparison.verdict is not None:
        return (heading(f"{comparison.base.file} {comparison.verdict}"),)
    return _side(comparison.base), _side(comparison.head)


def _side(side: Side) -> str:
    return heading(f"{side.of} {side.provenance.version or ''}".rstrip())


def _ops_by_level(findings: Iterable[Finding]) -> dict[str, int]:
    """Return in how many ops there are findings of each level that count."""
    ops: dict[str, set[str | None]] = {level: set() for level in ("error", "warning", "note")}
    for each in findings:
        if each.counts and each.op is not None:
            ops[each.level].add(each.op)
    return {level: len(names) for level, names in ops.items()}


def _sections(report: Report) -> list[Section]:
    """Return the general findings, if there are any, and each comparison; an id names one finding of the page."""
    parts = [
        (
            each,
            in_order(
                report.replace(comparisons=()) if each is None else report.replace(comparisons=(each,), general=())
            ),
        )
        for each in sections(report)
    ]
    ids = iter(distinct(finding.fingerprint for _, part in parts for finding, _ in part))
    made = []
    for each, part in parts:
        ops = _ops(part, ids)
        if each is None:
            title: tuple[str, ...] = ("The change as a whole",)
            made.append(Section(id="general", title=title, remarks=(), counts=counts(report.general), ops=ops))
            continue
        told = counts(each.findings) or "no findings"
        number = 1 + sum(section.id != "general" for section in made)
        remarks = tuple(_remarks(each))
        made.append(Section(id=f"comparison-{number}", title=_heading(each), remarks=remarks, counts=told, ops=ops))
    return made


def _remarks(comparison: Comparison) -> Iterator[tuple[str, str, str]]:
    """Yield what was compared, under which profile, and what was left out."""
    for word, side in (("base", comparison.base), ("head", comparison.head)):
        commit = f", commit {one_line(side.provenance.commit[:10])}" if side.provenance.commit else ""
        yield f"{word}: ", side.file, f" ({plural(side.ops, 'op')}{commit})"
    yield "profile: ", comparison.profile, ""
    if comparison.only is not None:
        yield "only ", ", ".join(comparison.only), ""
    if comparison.ignored:
        yield f"left out: {ignored_count(comparison.ignored)}", "", ""


def _ops(found: list[tuple[Finding, Surroundings]], ids: Iterator[str]) -> tuple[OpFindings, ...]:
    """Return the findings under their ops, the op with the worst finding first."""
    by_op: dict[str | None, list[Item]] = {}
    for finding, around in found:
        by_op.setdefault(finding.op, []).append(Item(id=next(ids), finding=finding, paths=around.paths))
    families: dict[tuple[str, str, bool], list[Item]] = {}
    blocks = []
    for op, items in by_op.items():
        finding = items[0].finding
        if op is not None and len(items) == 1 and finding.is_about_whole_op and finding.counts:
            families.setdefault((finding.rule, items[0].group, is_internal(op)), []).append(items[0])
        else:
            blocks.append(OpFindings(name=op, items=tuple(items)))
    for (rule, _, is_inner), items in families.items():
        if len(items) < _FAMILY:
            blocks += (OpFindings(name=item.finding.op, items=(item,)) for item in items)
        else:
            blocks.append(OpFindings(name=None, items=tuple(items), rule=rule, is_internal=is_inner))
    return tuple(sorted(blocks, key=_order))


def _order(block: OpFindings) -> tuple[object, ...]:
    """Return the place of a block: the one of its first finding."""
    return place(block.items[0].finding)


def _rows(finding: Finding) -> Iterator[Row]:
    """Yield the values that differ: one of a field, or each field of an argument that came, went or was renamed."""
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
    return show(freeze(values[key])) if key in values else None


def _cleared(findings: Iterable[Finding]) -> dict[str, int]:
    """Return how many findings do not count, by why that is so; only what there is."""
    found = [finding.cleared for finding in findings]
    return {why: found.count(why) for why in CLEARED if why in found}


def _release(report: Report, items: Iterable[Item]) -> Release:
    """Return the release that the change asks for; its least version, where the released one is known."""
    found, versions = release.verdict(report), report.versions
    least = None
    if versions is not None:
        least = needed(found.part, versions)
    links = (item.id for item in items if item.finding is found.finding)
    return Release(part=found.part, least=least, reason=found.reason, link=next(links, None))


def _teams(findings: Iterable[Finding]) -> list[Team]:
    """Return the teams that findings name, in order of name."""
    asked: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.review:
            asked.setdefault(finding.review, []).append(finding)
    return [_team(name, asked[name]) for name in sorted(asked)]


def _team(name: str, findings: list[Finding]) -> Team:
    missing = [finding.approval for finding in findings if finding.counts]
    given = [finding.approval for finding in findings if finding.cleared == "approved"]
    return Team(
        name=shown(name),
        open=len(missing),
        problems=tuple(dict.fromkeys(each.problem for each in missing if each is not None)),
        approved=len(given),
        by=tuple(dict.fromkeys(login for each in given if each is not None for login in each.by)),
    )


def _rules(report: Report, findings: list[Finding]) -> list[tuple[str, int, RuleFacts | None]]:
    """Return each rule that was applied, how many findings it has, and what it says, in order of name."""
    facts = {rule.id: rule for rule in report.rules}
    found = [finding.rule for finding in findings]
    return [(rule, found.count(rule), facts.get(rule)) for rule in sorted(set(found))]


def _people(finding: Finding) -> Iterator[str]:
    """Yield who waives a finding, with the reason, and who has approved of it or has to."""
    if finding.waived is not None:
        yield waiver_words(finding.waived)
    if finding.review:
        yield review_words(finding)
