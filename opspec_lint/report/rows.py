"""Findings as the rows of a table: which are told together, and what changed in a few words."""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.report.ranking import place
from opspec_lint.spec.values import freeze, show_both

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.report.entries import Entry
    from opspec_lint.report.findings import Finding

_FAMILY = 4
"""Findings of which one and the same thing is to be said, from which on they share a row."""
_SHORT = 40
"""Characters of a value that stands in a cell."""
_FIELDS = {"default_value": "default"}


class Brief(Record):
    """What changed, in a few words: the field, and its value in base and in head, None where it has none."""

    field: str
    old: str | None
    new: str | None


def brief(finding: Finding) -> Brief | None:
    """Return what changed in a few words, None if it takes the message to say it."""
    old, new = finding.old, finding.new
    if finding.new_name is not None and finding.name is not None:
        return Brief(field="", old=finding.name, new=finding.new_name)
    if finding.field is None or old is new or (old is None and new is None):
        return None
    if finding.field != "default_value" and type(old) is type(new) is str:
        texts = old, new
    else:
        texts = show_both(freeze(old), freeze(new))
    if any(len(text) > _SHORT for text in texts):
        return None
    before, after = (None if each is None else text for each, text in zip((old, new), texts, strict=True))
    return Brief(field=_FIELDS.get(finding.field, finding.field.replace("_", " ")), old=before, new=after)


def grouped(found: Iterable[Entry]) -> list[list[Entry]]:
    """Return entries as rows, the one to look at first first: those of one rule about whole ops are one row.

    So are those of one rule about arguments of one op, if all say the same of them.
    """
    by_key: dict[tuple[object, ...], list[Entry]] = {}
    for entry in sorted(found, key=lambda entry: place(entry.finding)):
        by_key.setdefault(_family(entry), []).append(entry)
    return [row for each in by_key.values() for row in ([each] if len(each) >= _FAMILY else [[one] for one in each])]


def _family(entry: Entry) -> tuple[object, ...]:
    finding = entry.finding
    about = finding.rule, entry.spec, entry.cleared
    if finding.op is None or entry.finding.fixes:
        return (id(entry),)
    if finding.is_about_whole_op:
        return about
    if finding.field is None and finding.new_name is None:
        return (*about, finding.op, finding.kind)
    return (id(entry),)
