"""Waivers: findings that are accepted, each with its reason, its owner and perhaps its last day.

A waiver that is not in order waives nothing, and is itself a finding.
"""

from __future__ import annotations

from opspec_lint.kit.errors import nearest_advice
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import is_visible, shorten
from opspec_lint.lint.circumstances import circumstance
from opspec_lint.lint.rulebook import RULES
from opspec_lint.report.findings import Waived
from opspec_lint.spec import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Any, TypeAlias

    from opspec_lint.lint.steps import Step
    from opspec_lint.report.findings import Finding
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Origin

    Key: TypeAlias = tuple[str | None, str]
    """What tells a finding from every other: the spec file that it was found in, and its fingerprint."""

_SELECTORS = ("rule", "op", "kind", "name")
_UNUSED = (
    "base contains the change now, or the change was reverted",
    "no finding matches; `opspec-lint waive` writes waivers for existing findings",
)
"""Why a waiver matches nothing, by whether it is new."""
_LONGEST = 120


class Waiver(Record):
    """An entry of the file: what it says, under the keys of `schemas/waivers.schema.json`, and where it stands."""

    fields: Mapping[str, Any]
    origin: Origin
    is_new: bool = False

    def get(self, key: str) -> Any:
        """Return the value of a key of the entry, None where it has none."""
        return self.fields.get(key)

    @property
    def word(self) -> Waived:
        """What it says of a finding that it waives."""
        expires: str | None = self.get("expires")
        return Waived(reason=self.get("reason"), owner=self.get("owner"), expires=expires, is_new=self.is_new)

    @property
    def what(self) -> str:
        """What it waives, in words."""
        words = [str(self.get(key)) for key in ("rule", "op", "kind", "name") if self.get(key) is not None]
        return " ".join(words) or str(self.get("fingerprint"))


class Waivers:
    """The waivers that hold for a report: what they say of its findings, and what is wrong with them.

    Findings may come in several portions, as long as no waiver is about findings of two: what is about ops, files and
    settings, and what follows from all of that. The same change in two spec files is two findings.

    Args:
        entries: the waivers.
        today: the day in UTC, as YYYY-MM-DD.
        has_several_files: tells, where that matters, whether a waiver that names no spec file could be for several.
    """

    def __init__(
        self, entries: Sequence[Waiver], today: str, has_several_files: Callable[[], bool] = lambda: False
    ) -> None:
        self._entries = entries
        self._today = today
        self._has_several_files = has_several_files
        self._several: bool | None = None
        self._fits: list[dict[Key, Finding]] = [{} for _ in entries]
        self._near: list[dict[Key, Finding]] = [{} for _ in entries]

    def waiving(self, findings: Collection[Finding]) -> Step | None:
        """Return the step that adds their waivers to the findings of a portion; None if there are no waivers.

        A waiver that the change itself adds does not replace an approval.
        """
        if not self._entries:
            return None  # and no fingerprint is worked out
        waived = self._apply(findings)

        def waive(finding: Finding) -> Finding:
            found = waived.get(key_of(finding))
            is_blocked = finding.approval is not None and not finding.is_approved
            return finding if found is None or (found.is_new and is_blocked) else finding.replace(waived=found)

        return waive

    def _apply(self, findings: Collection[Finding]) -> dict[Key, Waived]:
        """Return the waivers of the findings of a portion that are waived."""
        by_print: dict[str, dict[Key, Finding]] = {}
        by_op: dict[tuple[str, str | None], dict[Key, Finding]] = {}
        by_name: dict[tuple[str | None, str | None], dict[Key, Finding]] = {}
        for finding in findings:
            key = key_of(finding)
            by_print.setdefault(key[1], {})[key] = finding
            by_op.setdefault((finding.rule, finding.op), {})[key] = finding
            by_name.setdefault((finding.op, finding.name), {})[key] = finding
        waived: dict[Key, Waived] = {}
        for index, waiver in enumerate(self._entries):
            about = _about(waiver, by_print, by_op)
            fits = {key: each for key, each in about.items() if _holds(waiver, each, key[1])}
            self._fits[index] |= fits
            about |= _moved_on(waiver, by_name)
            if not about:
                about = _pinned_before(waiver, findings)
            self._near[index] |= {key: each for key, each in about.items() if each.level != "note"}
            if fits and not any(self._faults(waiver, fits, [])):
                waived |= dict.fromkeys((key for key in fits if key not in waived), waiver.word)
        return waived

    def faults(self) -> Iterator[Fact]:
        """Yield what is wrong with the waivers, after all findings were looked at."""
        taken = {key for fits in self._fits for key in fits}
        for waiver, fits, near in zip(self._entries, self._fits, self._near, strict=True):
            left = [each for key, each in near.items() if key not in taken]
            yield from self._faults(waiver, fits, left)

    def _faults(self, waiver: Waiver, fits: Mapping[Key, Finding], near: list[Finding]) -> Iterator[Fact]:
        lacking = ["file"] if self._lacks_file(waiver, fits) else []
        promises = {each.promise for each in fits.values() if each.level == "error"} - {"", waiver.get("promise")}
        lacking += (f"promise: {each}" for each in sorted(promises))
        return _faults(waiver, len(fits), near, self._today, lacking)

    def _lacks_file(self, waiver: Waiver, fits: Mapping[Key, Finding]) -> bool:
        """Tell whether a waiver would hold in whichever spec file, and does not say that it is to."""
        if "file" in waiver.fields or "covers" in waiver.fields or all(file is None for file, _ in fits):
            return False
        if self._several is None:
            self._several = self._has_several_files()
        return self._several


def key_of(finding: Finding) -> Key:
    """Return the key that tells a finding from every other of a report."""
    return finding.spec, finding.fingerprint


def _about(
    waiver: Waiver,
    by_print: Mapping[str, Mapping[Key, Finding]],
    by_op: Mapping[tuple[str, str | None], Mapping[Key, Finding]],
) -> dict[Key, Finding]:
    """Return the findings that a waiver is about, whatever it pins of them."""
    rule, op = waiver.get("rule"), waiver.get("op")
    by_name = rule is not None and op is not None
    found = by_op.get((rule, op), {}) if by_name else by_print.get(waiver.get("fingerprint"), {})
    return {key: each for key, each in found.items() if _is_selected(waiver, each)}


def _moved_on(
    waiver: Waiver, by_name: Mapping[tuple[str | None, str | None], Mapping[Key, Finding]]
) -> dict[Key, Finding]:
    """Return the findings of other rules to which the change of a waiver has led: it began at the same old value."""
    op, name = waiver.get("op"), waiver.get("name")
    if op is None or name is None or "old" not in waiver.fields:
        return {}
    return {
        key: each
        for key, each in by_name.get((op, name), {}).items()
        if each.field is not None
        and each.rule != waiver.get("rule")
        and waiver.get("kind") in (None, each.kind)
        and waiver.get("file") in (None, each.spec)
        and _agrees(waiver.get("old"), each.old)
    }


def _pinned_before(waiver: Waiver, findings: Iterable[Finding]) -> dict[Key, Finding]:
    """Return the findings that would have the fingerprint of a waiver if their values were those that it pins."""
    said, fingerprint = waiver.fields, waiver.get("fingerprint")
    if fingerprint is None or not ("old" in said or "new" in said):
        return {}
    return {
        key_of(each): each
        for each in findings
        if waiver.get("rule") in (None, each.rule)
        and each.fingerprint_with(said.get("old", each.old), said.get("new", each.new)) == fingerprint
    }


def _is_selected(waiver: Waiver, finding: Finding) -> bool:
    is_there = finding.spec is None or waiver.get("file") in (None, finding.spec)
    return is_there and all(waiver.get(key) in (None, getattr(finding, key)) for key in _SELECTORS)


def _holds(waiver: Waiver, finding: Finding, fingerprint: str) -> bool:
    """Tell whether everything that a waiver pins of a finding is so."""
    return waiver.get("fingerprint") in (None, fingerprint) and all(
        key not in waiver.fields or _agrees(waiver.get(key), getattr(finding, key)) for key in ("old", "new")
    )


def _faults(waiver: Waiver, count: int, near: list[Finding], today: str, needed: Sequence[str]) -> Iterator[Fact]:
    """Yield what is wrong with a waiver that fits so many findings.

    Args:
        waiver: the waiver.
        count: how many findings it fits.
        near: other findings that it is about.
        today: the day in UTC.
        needed: what it lacks besides a reason and an owner.
    """
    lacking = [key for key in ("reason", "owner") if not is_visible(waiver.get(key) or "")] + list(needed)
    expires, rule = waiver.get("expires"), waiver.get("rule")
    covers = waiver.get("covers") or 1
    if lacking:
        yield _fault("waiver_incomplete", waiver, lacking=" and ".join(lacking))
    expired = expires is not None and expires < today
    if expired:
        yield _fault("waiver_expired", waiver, expires=expires, owner=waiver.get("owner") or "nobody")
    if rule is not None and rule not in RULES.names():
        yield _fault("waiver_unknown_rule", waiver, advice=nearest_advice(rule, RULES.names()))
    elif count > covers and "file" not in needed:
        yield _fault("waiver_too_broad", waiver, count=count, covers=covers)
    elif not count and near:
        yield _fault(
            "waiver_outdated", waiver, difference=_difference(waiver, near[0]), fingerprint=near[0].fingerprint
        )
    elif not count and not lacking and not expired:
        yield _fault("waiver_unused", waiver, new="new " if waiver.is_new else "", why=_UNUSED[waiver.is_new])


def _fault(event: EventId, waiver: Waiver, **facts: object) -> Fact:
    told = {"what": waiver.what, **facts}
    return circumstance(event, "waiver", waiver.what, told, op=waiver.get("op"), origins=(None, waiver.origin))


def _difference(waiver: Waiver, finding: Finding) -> str:
    if waiver.get("rule") not in (None, finding.rule):
        return f"it is {finding.rule} now, not {waiver.get('rule')}"
    for key in ("old", "new"):
        if key in waiver.fields and not _agrees(waiver.get(key), getattr(finding, key)):
            pinned, actual = (
                shorten(values.show(values.freeze(each)), _LONGEST) for each in (waiver.get(key), getattr(finding, key))
            )
            return f"its {key} value is {actual}, not {pinned}"
    return f"its fingerprint is {finding.fingerprint}, not {waiver.get('fingerprint')}"


def _agrees(pinned: object, actual: object) -> bool:
    """Tell whether a pinned value is the one that there is. To PyYAML `1e-05` is a string; the other side decides."""
    if isinstance(pinned, str) and isinstance(actual, (int, float)) and not isinstance(actual, bool):
        from opspec_lint.documents import yaml_text

        pinned = yaml_text.disputed_number(pinned)
    if isinstance(pinned, list) and isinstance(actual, list):
        return len(pinned) == len(actual) and all(map(_agrees, pinned, actual))
    if isinstance(pinned, dict) and isinstance(actual, dict):
        return pinned.keys() == actual.keys() and all(_agrees(pinned[key], actual[key]) for key in pinned)
    same: bool = pinned == actual
    return same and type(pinned) is type(actual)
