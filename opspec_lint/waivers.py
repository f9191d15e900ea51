"""Waivers: findings that do not count, each with its reason, its owner and perhaps its last day.

A waiver that is not in order waives nothing, and is itself a finding.
"""

from __future__ import annotations

import posixpath

from opspec_lint import namedfile, rulebook, values
from opspec_lint.circumstances import Circumstance
from opspec_lint.errors import InputError, UsageError, nearest_advice
from opspec_lint.findings import Waived
from opspec_lint.model import Origin
from opspec_lint.plain import shorten
from opspec_lint.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from typing import Any

    from opspec_lint.config import Config
    from opspec_lint.document import Document
    from opspec_lint.findings import Finding
    from opspec_lint.trees import Tree

FILE = "opspec-waivers.yaml"
"""What the file is called, beside the configuration or at the top of the repository, unless that says otherwise."""
VERSION = 1

_SELECTORS = ("rule", "op", "kind", "name")
_LONGEST = 120


class Waiver(Record):
    """An entry of the file: what it says, under the keys of `schemas/waivers.schema.json`, and where it stands."""

    fields: Mapping[str, Any]
    origin: Origin
    is_new: bool = False

    def get(self, key: str) -> Any:
        """Return what the entry says under a key, None where it says nothing."""
        return self.fields.get(key)

    @property
    def what(self) -> str:
        """What it waives, in words."""
        words = [str(self.get(key)) for key in ("rule", "op", "kind", "name") if self.get(key) is not None]
        return " ".join(words) or str(self.get("fingerprint"))


def parse(data: bytes, file: str) -> tuple[Waiver, ...]:
    """Return the waivers that a file holds, YAML or JSON.

    Args:
        data: the bytes of the file.
        file: what messages and findings call it.

    Raises:
        UsageError: it holds no waivers, or not in the form of `schemas/waivers.schema.json`.
    """
    from opspec_lint import document, schema

    try:
        decoded = document.decode(data, file)
        decoded.refuse_repeated_keys()
    except InputError as error:
        raise UsageError(error.message, advice=error.advice) from None
    schema.require(decoded.value, "waivers", file, "docs/reference/waivers.md has the form")
    entries = decoded.value["waivers"]
    return tuple(
        Waiver(
            fields={key: values.thaw(value) for key, value in fields.items()},
            origin=Origin(file=file, line=line, column=1),
        )
        for fields, line in zip(entries, _lines(decoded, data), strict=True)
    )


def read(path: str) -> tuple[Waiver, ...]:
    """Return the waivers of a file that was named by hand.

    Raises:
        UsageError: it cannot be read, or is wrong.
    """
    return parse(namedfile.read(path, "file of waivers", "name a file of waivers"), path)


def of(tree: Tree, path: str, *, is_named: bool) -> tuple[Waiver, ...]:
    """Return the waivers of a repository; none where it has no such file.

    Args:
        tree: the files of the repository.
        path: the file.
        is_named: whether a configuration names the file, so that it has to be there.

    Raises:
        UsageError: the file is wrong, or is named and not there.
    """
    data = tree.read(path)
    if data is None:
        if is_named:
            raise UsageError(f"waivers: there is no file {path!r}", advice="write it, or take the setting out")
        return ()
    return parse(data, path)


def file_of(found: Config | None) -> str:
    """Return the file of a repository's waivers, from its top: the configured one, or that beside the configuration."""
    if found is None:
        return FILE
    return found.waivers or posixpath.join(posixpath.dirname(found.file), FILE)


def mark_new(waivers: Sequence[Waiver], of_base: Sequence[Waiver]) -> tuple[Waiver, ...]:
    """Return the waivers, those that base does not have marked as new."""
    import json

    def key(waiver: Waiver) -> str:
        return json.dumps(waiver.fields, sort_keys=True)

    known = set(map(key, of_base))
    return tuple(each.but(is_new=key(each) not in known) for each in waivers)


def apply(
    waivers: Sequence[Waiver], findings: Collection[Finding], today: str
) -> tuple[dict[str, Waived], list[Circumstance]]:
    """Decide which findings the waivers waive.

    Args:
        waivers: the waivers.
        findings: all findings of a report.
        today: the day, as YYYY-MM-DD.

    Returns:
        What is to be said of each waived finding, by fingerprint, and what is wrong with waivers.
    """
    if not waivers:
        return {}, []  # and no fingerprint is worked out
    by_fingerprint = {finding.fingerprint: finding for finding in findings}
    by_op: dict[tuple[str, str | None], dict[str, Finding]] = {}
    for key, finding in by_fingerprint.items():
        by_op.setdefault((finding.rule, finding.op), {})[key] = finding
    fitting: list[dict[str, Finding]] = []
    near: list[dict[str, Finding]] = []
    for waiver in waivers:
        about = _about(waiver, by_fingerprint, by_op)
        fitting.append({key: each for key, each in about.items() if _holds(waiver, each, key)})
        near.append({key: each for key, each in about.items() if each.level != "note"})
    taken = {key for each in fitting for key in each}
    waived: dict[str, Waived] = {}
    faults: list[Circumstance] = []
    for waiver, fits, others in zip(waivers, fitting, near, strict=True):
        left = [each for key, each in others.items() if key not in taken]
        own = list(_faults(waiver, len(fits), left, today))
        faults += own
        if not own:
            entry = Waived(
                reason=waiver.get("reason"),
                owner=waiver.get("owner"),
                expires=waiver.get("expires"),
                is_new=waiver.is_new,
            )
            waived |= dict.fromkeys((key for key in fits if key not in waived), entry)
    return waived, faults


def _about(
    waiver: Waiver, by_fingerprint: Mapping[str, Finding], by_op: Mapping[tuple[str, str | None], Mapping[str, Finding]]
) -> dict[str, Finding]:
    """Return the findings that a waiver is about, whatever it pins of them."""
    rule, op, fingerprint = (waiver.get(key) for key in ("rule", "op", "fingerprint"))
    if rule is not None and op is not None:
        found = by_op.get((rule, op), {})
    else:
        found = {fingerprint: by_fingerprint[fingerprint]} if fingerprint in by_fingerprint else {}
    return {key: each for key, each in found.items() if _is_selected(waiver, each)}


def _is_selected(waiver: Waiver, finding: Finding) -> bool:
    return all(waiver.get(key) in (None, getattr(finding, key)) for key in _SELECTORS)


def _holds(waiver: Waiver, finding: Finding, fingerprint: str) -> bool:
    """Tell whether everything that a waiver pins of a finding is so."""
    return waiver.get("fingerprint") in (None, fingerprint) and all(
        key not in waiver.fields or _agrees(waiver.get(key), getattr(finding, key)) for key in ("old", "new")
    )


def _faults(waiver: Waiver, count: int, near: list[Finding], today: str) -> Iterator[Circumstance]:
    """Yield what is wrong with a waiver that fits so many findings; `near` are others that it is about."""
    lacking = [key for key in ("reason", "owner") if not (waiver.get(key) or "").strip()]
    expires, rule = waiver.get("expires"), waiver.get("rule")
    covers = waiver.get("covers") or 1
    if lacking:
        yield _fault("waiver_incomplete", waiver, lacking=" and no ".join(lacking))
    expired = expires is not None and expires < today
    if expired:
        yield _fault("waiver_expired", waiver, expires=expires, owner=waiver.get("owner") or "nobody")
    if rule is not None and rule not in rulebook.names():
        yield _fault("waiver_unknown_rule", waiver, advice=nearest_advice(rule, rulebook.names()))
    elif count > covers:
        yield _fault("waiver_too_broad", waiver, count=count, covers=covers)
    elif not count and near:
        yield _fault(
            "waiver_outdated", waiver, difference=_difference(waiver, near[0]), fingerprint=near[0].fingerprint
        )
    elif not count and not lacking and not expired:
        yield _fault("waiver_unused", waiver)


def _fault(event: str, waiver: Waiver, **facts: object) -> Circumstance:
    return Circumstance(
        event=event,
        kind="waiver",
        name=waiver.what,
        op=waiver.get("op"),
        facts={"what": waiver.what, **facts},
        origin=waiver.origin,
    )


def _difference(waiver: Waiver, finding: Finding) -> str:
    for key in ("old", "new"):
        if key in waiver.fields and not _agrees(waiver.get(key), getattr(finding, key)):
            pinned, actual = (
                shorten(values.show(values.freeze(each)), _LONGEST) for each in (waiver.get(key), getattr(finding, key))
            )
            return f"its {key} value is {actual}, and not {pinned}"
    return f"its fingerprint is {finding.fingerprint}, and not {waiver.get('fingerprint')}"


def _agrees(pinned: Any, actual: Any) -> bool:
    """Tell whether a pinned value is the one that there is. To PyYAML `1e-05` is a string; the other side decides."""
    if isinstance(pinned, str) and isinstance(actual, (int, float)) and not isinstance(actual, bool):
        from opspec_lint import yamltext

        pinned = yamltext.disputed_number(pinned)
    if isinstance(pinned, list) and isinstance(actual, list):
        return len(pinned) == len(actual) and all(map(_agrees, pinned, actual))
    if isinstance(pinned, dict) and isinstance(actual, dict):
        return pinned.keys() == actual.keys() and all(_agrees(pinned[key], actual[key]) for key in pinned)
    same: bool = pinned == actual
    return same and type(pinned) is type(actual)


def _lines(decoded: Document, data: bytes) -> list[int]:
    """Return the line of each entry of a file that has been read without a fault: one mapping, no aliases."""
    if decoded.text is not None:
        from opspec_lint import locate

        return locate.lines_of_items(decoded.text, "waivers")
    import yaml

    root: Any = yaml.compose(data, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    entries = next(value.value for key, value in root.value if key.value == "waivers")
    return [entry.start_mark.line + 1 for entry in entries]
