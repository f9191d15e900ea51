"""Waivers: findings that do not count, each with its reason, its owner and perhaps its last day.

A waiver that is not in order waives nothing, and is itself a finding.
"""

from __future__ import annotations

import posixpath
import re

from opspec_lint import rulebook, values
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
    from opspec_lint.conformity import conforms

    try:
        decoded = document.decode(data, file)
    except InputError as error:
        raise UsageError(error.message, advice=error.advice) from None
    if not conforms(decoded.value, schema.load("waivers")):
        for fault in schema.faults(decoded.value, "waivers"):
            where = f"{fault.where}: " if fault.where else ""
            raise UsageError(
                f"{file}: {where}{fault.problem}", advice=fault.advice or "docs/reference/waivers.md has the form"
            )
    lines = _lines(data)
    return tuple(
        Waiver(fields=fields, origin=Origin(file=file, line=line, column=1))
        for fields, line in zip(decoded.value["waivers"], lines, strict=True)
    )


def read(path: str) -> tuple[Waiver, ...]:
    """Return the waivers of a file that was named by hand.

    Raises:
        UsageError: it cannot be read, or is wrong.
    """
    try:
        with open(path, "rb") as stream:
            return parse(stream.read(), path)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}", advice="name a file of waivers") from None


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
    known = [each.fields for each in of_base]
    return tuple(each.but(is_new=each.fields not in known) for each in waivers)


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
    by_fingerprint = {finding.fingerprint: finding for finding in findings}
    waived: dict[str, Waived] = {}
    faults: list[Circumstance] = []
    for waiver in waivers:
        fitting = [
            fingerprint for fingerprint, finding in by_fingerprint.items() if _fits(waiver, finding, fingerprint)
        ]
        near = [each for key, each in by_fingerprint.items() if each.level != "note" and _is_about(waiver, each, key)]
        own = list(_faults(waiver, [by_fingerprint[each] for each in fitting], near, today))
        faults += own
        if not own:
            entry = Waived(
                reason=waiver.get("reason"),
                owner=waiver.get("owner"),
                expires=waiver.get("expires"),
                is_new=waiver.is_new,
            )
            waived |= dict.fromkeys((each for each in fitting if each not in waived), entry)
    return waived, faults


def _fits(waiver: Waiver, finding: Finding, fingerprint: str) -> bool:
    """Tell whether a waiver is about a finding and everything that it pins is so."""
    return (
        waiver.get("fingerprint") in (None, fingerprint)
        and all(waiver.get(key) in (None, getattr(finding, key)) for key in _SELECTORS)
        and all(key not in waiver.fields or _agrees(waiver.get(key), getattr(finding, key)) for key in ("old", "new"))
    )


def _is_about(waiver: Waiver, finding: Finding, fingerprint: str) -> bool:
    """Tell whether a waiver is about a finding, whatever it pins of it."""
    if waiver.get("rule") is None or waiver.get("op") is None:
        return waiver.get("fingerprint") == fingerprint
    return all(waiver.get(key) in (None, getattr(finding, key)) for key in _SELECTORS)


def _faults(waiver: Waiver, fitting: list[Finding], near: list[Finding], today: str) -> Iterator[Circumstance]:
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
    elif len(fitting) > covers:
        yield _fault("waiver_too_broad", waiver, count=len(fitting), covers=covers)
    elif not fitting and near:
        yield _fault(
            "waiver_outdated", waiver, difference=_difference(waiver, near[0]), fingerprint=near[0].fingerprint
        )
    elif not fitting and not lacking and not expired:
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
                shorten(values.show(values.freeze(each)), _LONGEST) for each in _both(waiver, finding, key)
            )
            return f"its {key} value is {actual}, and not {pinned}"
    return f"its fingerprint is {finding.fingerprint}, and not {waiver.get('fingerprint')}"


def _both(waiver: Waiver, finding: Finding, key: str) -> tuple[Any, Any]:
    return waiver.get(key), getattr(finding, key)


def _agrees(pinned: Any, actual: Any) -> bool:
    """Tell whether a pinned value is the one that there is. To PyYAML `1e-05` is a string; the other side decides."""
    if isinstance(pinned, str) and isinstance(actual, (int, float)) and not isinstance(actual, bool):
        return bool(_number(pinned) == actual)
    if isinstance(pinned, list) and isinstance(actual, list):
        return len(pinned) == len(actual) and all(map(_agrees, pinned, actual))
    if isinstance(pinned, dict) and isinstance(actual, dict):
        return pinned.keys() == actual.keys() and all(_agrees(pinned[key], actual[key]) for key in pinned)
    same: bool = pinned == actual
    return same and type(pinned) is type(actual)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _lines(data: bytes) -> list[int]:
    """Return the line of each entry of a file that has been read without a fault: one mapping, no aliases."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        root = yaml.compose(re.sub(rb"\t", b" ", data), Loader=loader)
    except yaml.YAMLError:  # some JSON is no YAML
        root = None
    entries = next((value.value for key, value in root.value if key.value == "waivers"), None) if root else None
    if entries is None:
        import json

        return [1] * len(json.loads(data)["waivers"])
    return [entry.start_mark.line + 1 for entry in entries]
