"""Findings as rows of a table: similar findings share a row, and a value change is shortened to a few words."""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.report.ranking import report_order
from opspec_lint.spec.values import freeze, show_both

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.report.entries import Entry
    from opspec_lint.report.findings import Finding

_FAMILY = 4
"""Number of similar findings from which on they share a row."""
_SHORT = 40
"""Greatest length of a value in a cell."""
_FIELDS = {"default_value": "default"}


class Brief(Record):
    """A value change in short: the field, and its values in base and head, None if unset."""

    field: str
    old: str | None
    new: str | None


def brief(finding: Finding) -> Brief | None:
    """Return the change of a finding in short; None if only the message can state it."""
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
    before, after = (None if value is None else text for value, text in zip((old, new), texts, strict=True))
    return Brief(field=_FIELDS.get(finding.field, finding.field.replace("_", " ")), old=before, new=after)


def group_rows(entries: Iterable[Entry]) -> list[list[Entry]]:
    """Return entries as rows in report order.

    Four or more entries of one rule share a row if they concern whole ops, or whole arguments of one op.
    """
    by_key: dict[tuple[object, ...], list[Entry]] = {}
    for entry in sorted(entries, key=lambda entry: report_order(entry.finding)):
        by_key.setdefault(_family(entry), []).append(entry)
    return [
        row
        for family in by_key.values()
        for row in ([family] if len(family) >= _FAMILY else [[entry] for entry in family])
    ]


def _family(entry: Entry) -> tuple[object, ...]:
    """Return the key of entries that may share a row; a unique one if the entry has a value or a fix to show."""
    finding = entry.finding
    key = finding.rule, entry.spec, entry.cleared
    # A row shows one fix, and the values of one change.
    if finding.op is None or entry.finding.fixes:
        return (id(entry),)
    if finding.concerns_whole_op:
        return key
    if finding.field is None and finding.new_name is None:
        return (*key, finding.op, finding.kind)
    return (id(entry),)
