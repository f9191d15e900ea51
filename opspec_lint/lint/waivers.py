"""Waivers: reviewed entries that accept a finding, with a reason, an owner and perhaps a last day.

An invalid waiver (expired, without a reason, too broad) accepts nothing, and is itself a finding.
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
    """The identity of a finding in a report: its spec file and its fingerprint."""

_SELECTORS = ("rule", "op", "kind", "name")
_UNUSED = (
    "base contains the change now, or the change was reverted",
    "no finding matches; `opspec-lint waive` writes waivers for existing findings",
)
"""The reason why a waiver matches nothing: for a waiver that base has as well, and for a new one."""
_OF_FINDINGS = ("waiver_unused", "waiver_outdated")
"""The defects of waivers that depend on the findings that there are not."""
_LONGEST = 120


class Waiver(Record):
    """An entry of a waiver file: its values by the keys of `schemas/waivers.schema.json`, and its place in the file."""

    fields: Mapping[str, Any]
    origin: Origin
    is_new: bool = False

    def get(self, key: str) -> Any:
        """Return the value of a key, None if the entry lacks it."""
        return self.fields.get(key)

    @property
    def as_waived(self) -> Waived:
        """The record that a waived finding carries: reason, owner, last day."""
        expires: str | None = self.get("expires")
        return Waived(reason=self.get("reason"), owner=self.get("owner"), expires=expires, is_new=self.is_new)

    @property
    def summary(self) -> str:
        """The waived finding in short: "attr_removed conv2d attr axis", or the fingerprint."""
        selectors = [str(self.get(key)) for key in ("rule", "op", "kind", "name") if self.get(key) is not None]
        return " ".join(selectors) or str(self.get("fingerprint"))


class Waivers:
    """The waivers of a report: which findings they accept, and which waivers are invalid.

    Findings may be passed in several batches if no waiver concerns findings of two batches. The same change in two spec
    files is two findings.

    - `today`: the day in UTC, as YYYY-MM-DD.
    - `has_several_files`: returns whether the project has several spec files; called only if a waiver names none, as
      the answer may need a search of the repository.
    - `is_partial`: only some ops are compared, so a waiver without a finding may be used: it is not reported.
    """

    def __init__(
        self,
        entries: Sequence[Waiver],
        today: str,
        has_several_files: Callable[[], bool] = lambda: False,
        *,
        is_partial: bool = False,
    ) -> None:
        self._entries = entries
        self._today = today
        self._is_partial = is_partial
        self._has_several_files = has_several_files
        self._several: bool | None = None
        # By the index of a waiver: the findings that it accepts, and those that it names with other values.
        self._fits: list[dict[Key, Finding]] = [{} for _ in entries]
        self._near: list[dict[Key, Finding]] = [{} for _ in entries]

    def waiver_step(self, findings: Collection[Finding]) -> Step | None:
        """Return the step that adds their waivers to the findings of a batch; None without waivers."""
        if not self._entries:
            return None  # so that no fingerprint is computed: a digest per finding
        waived = self._apply(findings)

        def waive(finding: Finding) -> Finding:
            match = waived.get(key_of(finding))
            # Otherwise the author of a change could waive the approval that his own change needs.
            is_blocked = finding.approval is not None and not finding.is_approved
            return finding if match is None or (match.is_new and is_blocked) else finding.replace(waived=match)

        return waive

    def _apply(self, findings: Collection[Finding]) -> dict[Key, Waived]:
        """Return the waiver of each accepted finding of a batch, and record which findings each waiver fits."""
        by_print: dict[str, dict[Key, Finding]] = {}
        by_op: dict[tuple[str, str | None], dict[Key, Finding]] = {}
        by_name: dict[tuple[str | None, str | None], dict[Key, Finding]] = {}
        for finding in findings:
            key = _, fingerprint = key_of(finding)
            by_print.setdefault(fingerprint, {})[key] = finding
            by_op.setdefault((finding.rule, finding.op), {})[key] = finding
            by_name.setdefault((finding.op, finding.name), {})[key] = finding
        waived: dict[Key, Waived] = {}
        for index, waiver in enumerate(self._entries):
            candidates = _candidates(waiver, by_print, by_op)
            fits = {key: finding for key, finding in candidates.items() if _fits_values(waiver, finding, key[1])}
            self._fits[index] |= fits
            candidates |= _changed_further(waiver, by_name)
            if not candidates:
                candidates = _pinned_with_old_values(waiver, findings)
            # A note needs no waiver, so a waiver that only notes resemble is unused, not outdated.
            self._near[index] |= {key: candidate for key, candidate in candidates.items() if candidate.level != "note"}
            if fits and not any(self._faults(waiver, fits, [])):
                acceptance = waiver.as_waived
                for key in fits:
                    waived.setdefault(key, acceptance)
        return waived

    def faults(self) -> Iterator[Fact]:
        """Yield a fact per defect of a waiver; to be called after the last batch of findings."""
        matched = {key for fits in self._fits for key in fits}
        for waiver, fits, near in zip(self._entries, self._fits, self._near, strict=True):
            unmatched = [finding for key, finding in near.items() if key not in matched]
            faults = self._faults(waiver, fits, unmatched)
            yield from (fault for fault in faults if not (self._is_partial and fault.event == "waiver_unused"))

    def findings_of_entries(self) -> tuple[Finding, ...]:
        """Return the findings about waivers that hold whatever else is audited; to be called after the last batch.

        A waiver that fits no finding may be for a model that is not audited.
        """
        from opspec_lint.lint.judge import judge_in_order
        from opspec_lint.lint.profile import NO_POLICY

        return judge_in_order((fault for fault in self.faults() if fault.event not in _OF_FINDINGS), NO_POLICY)

    def _faults(self, waiver: Waiver, fits: Mapping[Key, Finding], near: list[Finding]) -> Iterator[Fact]:
        """Yield the defects of a waiver that fits the findings `fits` and almost fits `near`."""
        lacking = ["file"] if self._lacks_file(waiver, fits) else []
        promises = {finding.promise for finding in fits.values() if finding.level == "error"} - {
            "",
            waiver.get("promise"),
        }
        lacking += (f"promise: {promise}" for promise in sorted(promises))
        return _faults(waiver, len(fits), near, self._today, lacking)

    def _lacks_file(self, waiver: Waiver, fits: Mapping[Key, Finding]) -> bool:
        """Return whether a waiver applies to several spec files without saying so by `file` or `covers`."""
        if "file" in waiver.fields or "covers" in waiver.fields or all(file is None for file, _ in fits):
            return False
        if self._several is None:
            self._several = self._has_several_files()
        return self._several


def key_of(finding: Finding) -> Key:
    """Return the identity of a finding in a report."""
    return finding.spec, finding.fingerprint


def _candidates(
    waiver: Waiver,
    by_print: Mapping[str, Mapping[Key, Finding]],
    by_op: Mapping[tuple[str, str | None], Mapping[Key, Finding]],
) -> dict[Key, Finding]:
    """Return the findings that a waiver names, by fingerprint or by rule and op, whatever values it pins."""
    rule, op = waiver.get("rule"), waiver.get("op")
    by_name = rule is not None and op is not None
    candidates = by_op.get((rule, op), {}) if by_name else by_print.get(waiver.get("fingerprint"), {})
    return {key: finding for key, finding in candidates.items() if _is_selected(waiver, finding)}


def _changed_further(
    waiver: Waiver, by_name: Mapping[tuple[str | None, str | None], Mapping[Key, Finding]]
) -> dict[Key, Finding]:
    """Return findings of other rules about the same argument and old value: the waived change has gone on changing."""
    op, name = waiver.get("op"), waiver.get("name")
    if op is None or name is None or "old" not in waiver.fields:
        return {}
    return {
        key: finding
        for key, finding in by_name.get((op, name), {}).items()
        if finding.field is not None
        and finding.rule != waiver.get("rule")
        and waiver.get("kind") in (None, finding.kind)
        and waiver.get("file") in (None, finding.spec)
        and _agrees(waiver.get("old"), finding.old)
    }


def _pinned_with_old_values(waiver: Waiver, findings: Iterable[Finding]) -> dict[Key, Finding]:
    """Return the findings that would have the fingerprint of a waiver with the values that it pins."""
    fields, fingerprint = waiver.fields, waiver.get("fingerprint")
    if fingerprint is None or not ("old" in fields or "new" in fields):
        return {}
    return {
        key_of(finding): finding
        for finding in findings
        if waiver.get("rule") in (None, finding.rule)
        and finding.fingerprint_with(fields.get("old", finding.old), fields.get("new", finding.new)) == fingerprint
    }


def _is_selected(waiver: Waiver, finding: Finding) -> bool:
    """Return whether a finding has the file, rule, op, kind and name that a waiver states."""
    is_there = finding.spec is None or waiver.get("file") in (None, finding.spec)
    return is_there and all(waiver.get(key) in (None, getattr(finding, key)) for key in _SELECTORS)


def _fits_values(waiver: Waiver, finding: Finding, fingerprint: str) -> bool:
    """Return whether a finding has the fingerprint and the values that a waiver pins."""
    return waiver.get("fingerprint") in (None, fingerprint) and all(
        key not in waiver.fields or _agrees(waiver.get(key), getattr(finding, key)) for key in ("old", "new")
    )


def _faults(waiver: Waiver, count: int, near: list[Finding], today: str, needed: Sequence[str]) -> Iterator[Fact]:
    """Yield the defects of a waiver.

    - `count`: the number of findings that it fits.
    - `near`: findings that it names, but whose values it does not fit.
    - `needed`: the keys that it lacks besides reason and owner.
    """
    lacking = [key for key in ("reason", "owner") if not is_visible(waiver.get(key) or "")] + list(needed)
    expires, rule = waiver.get("expires"), waiver.get("rule")
    covers = waiver.get("covers") or 1
    if lacking:
        yield _fault("waiver_incomplete", waiver, lacking=" and ".join(lacking))
    # The last day is included; days in the form YYYY-MM-DD are ordered as texts.
    expired = expires is not None and expires < today
    if expired:
        yield _fault("waiver_expired", waiver, expires=expires, owner=waiver.get("owner") or "nobody")
    if rule is not None and rule not in RULES.names():
        yield _fault("waiver_unknown_rule", waiver, advice=nearest_advice(rule, RULES.names()))
    elif count > covers and "file" not in needed:
        yield _fault("waiver_too_broad", waiver, count=count, covers=covers)
    # An outdated waiver is reported as such, not as unused: the advice names the value or fingerprint to copy.
    elif not count and near:
        yield _fault(
            "waiver_outdated", waiver, difference=_difference(waiver, near[0]), fingerprint=near[0].fingerprint
        )
    elif not count and not lacking and not expired:
        yield _fault("waiver_unused", waiver, new="new " if waiver.is_new else "", why=_UNUSED[waiver.is_new])


def _fault(event: EventId, waiver: Waiver, **facts: object) -> Fact:
    """Return the fact for a defect of a waiver, at the place of its entry."""
    values_of_templates = {"what": waiver.summary, **facts}
    return circumstance(
        event, "waiver", waiver.summary, values_of_templates, op=waiver.get("op"), origins=(None, waiver.origin)
    )


def _difference(waiver: Waiver, finding: Finding) -> str:
    """Return why a waiver no longer fits a finding: another rule, another value, or another fingerprint."""
    if waiver.get("rule") not in (None, finding.rule):
        return f"it is {finding.rule} now, not {waiver.get('rule')}"
    for key in ("old", "new"):
        if key in waiver.fields and not _agrees(waiver.get(key), getattr(finding, key)):
            pinned, actual = (
                shorten(values.show(values.freeze(side)), _LONGEST) for side in (waiver.get(key), getattr(finding, key))
            )
            return f"its {key} value is {actual}, not {pinned}"
    return f"its fingerprint is {finding.fingerprint}, not {waiver.get('fingerprint')}"


def _agrees(pinned: object, actual: object) -> bool:
    """Return whether a pinned value of a waiver file equals the value of a finding."""
    if isinstance(pinned, str) and isinstance(actual, (int, float)) and not isinstance(actual, bool):
        # PyYAML reads `1e-05` as a string (YAML 1.1 wants a dot); that the finding has a number decides.
        from opspec_lint.documents import yaml_text

        pinned = yaml_text.disputed_number(pinned)
    if isinstance(pinned, list) and isinstance(actual, list):
        return len(pinned) == len(actual) and all(map(_agrees, pinned, actual))
    if isinstance(pinned, dict) and isinstance(actual, dict):
        return pinned.keys() == actual.keys() and all(_agrees(pinned[key], actual[key]) for key in pinned)
    # The types as well: in Python True == 1 == 1.0, but a default of 1 is not one of true.
    same: bool = pinned == actual
    return same and type(pinned) is type(actual)
