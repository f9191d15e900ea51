"""The revision in which each argument and field of an op got its present value, and the value before that."""

from __future__ import annotations

import json

from opspec_lint.history.gaps import gap_json, gap_text
from opspec_lint.history.releases import tags_containing, without_previews
from opspec_lint.history.timeline import EXISTS, SECTIONS, timelines
from opspec_lint.kit.errors import InputError, unknown_name
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import one_line, plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from opspec_lint.history.gaps import Gap
    from opspec_lint.history.store import Commit, History
    from opspec_lint.kit.errors import OpspecError


class FieldBlame(Record):
    """The origin of the value of one field of an op or argument.

    `section`, `argument` and `field` are as in `history/facts.py`. `value` and `before` are JSON texts: "" for a field
    that only states that something exists; None for a default value, and for an argument that did not exist. `since` is
    the commit that brought the value; `is_start`: it is the first commit of the history, so the value may be older.
    `releases` are the tags that contain it. `back_to` is the last commit before `since` at which the field had the same
    value: the value was reverted to; None if it never had it before.
    """

    section: str
    argument: str
    field: str
    value: str | None
    before: str | None
    since: Commit
    is_start: bool
    releases: tuple[str, ...]
    back_to: Commit | None = None


def blame(history: History, op: str, at: Commit) -> list[FieldBlame]:
    """Return the origin of each field of an op at a revision: fields of the op itself first, then by argument.

    Raises InputError if the op does not exist at the revision, UsageError if it never existed.
    """
    lines_by_field = timelines(history, op, at.number)
    if not lines_by_field:
        raise _missing_op_error(history, op, at)
    tags = history.tags()
    fields = []
    for (section, argument, field), (*earlier, now) in lines_by_field.items():
        back = next((span.end for span in reversed(earlier) if span.value == now.value), None)
        fields.append(
            FieldBlame(
                section=section,
                argument=argument,
                field=field,
                value=now.value,
                before=earlier[-1].value if earlier else None,
                since=history.commit_at(now.start),
                is_start=now.start == 0,
                releases=tuple(without_previews(tags_containing(now.start, tags))),
                back_to=None if back is None else history.commit_at(back),
            )
        )
    return sorted(fields, key=lambda blame: (SECTIONS.index(blame.section), blame.argument, blame.field))


class Coverage(Record):
    """The revisions that the search for the changes of one op read, and the number of all revisions."""

    read: tuple[str, ...]
    total: int

    @property
    def text(self) -> str:
        """One line with the number of revisions that were read, and the kind of change that this leaves unknown."""
        unknown = "unknown is what another file changed and changed back between two of them"
        return f"read {len(self.read)} of {plural(self.total, 'revision')}, those that concern the op; {unknown}"


def coverage(history: History) -> Coverage | None:
    """Return which revisions were read, None for a history with all revisions."""
    total = history.total()
    read = () if total is None else tuple(history.numbers())
    return None if total is None or len(read) == total else Coverage(read=read, total=total)


def to_json(
    blamed: Sequence[FieldBlame], gaps: Sequence[Gap], op: str, at: Commit, covered: Coverage | None = None
) -> str:
    """Return the fields of an op and the revisions that were not read as JSON text."""
    fields = [
        {
            "section": field.section,
            "argument": field.argument or None,
            "field": field.field or None,
            "value": _json_value(field.value),
            "before": _json_value(field.before),
            "since": _commit_json(field.since),
            "is_start": field.is_start,
            "releases": list(field.releases),
            "back_to": None if field.back_to is None else _commit_json(field.back_to),
        }
        for field in blamed
    ]
    document = {
        "version": 1,
        "op": op,
        "at": _commit_json(at),
        "fields": fields,
        "unread": [gap_json(gap) for gap in gaps],
        "searched": None if covered is None else {"read": list(covered.read), "revisions": covered.total},
    }
    return json.dumps(document, indent=1) + "\n"


def to_text(
    blamed: Sequence[FieldBlame], gaps: Sequence[Gap], op: str, at: Commit, covered: Coverage | None = None
) -> str:
    """Return the fields of an op as text: a line for each argument, and for each field that changed after it.

    Unread revisions are listed at the end, since a change within a gap is blamed on the revision after the gap.
    """
    limits = (*map(gap_text, gaps), *(() if covered is None else (covered.text,)))
    notes = ("", *limits) if limits else ()
    return "\n".join((f"{op} at {at.id[:10]} of {at.date}", "", *blame_lines(blamed, op), *notes)) + "\n"


def blame_lines(blamed: Sequence[FieldBlame], op: str) -> list[str]:
    """Return two lines of text for each argument, and for each field that changed after its argument was added."""
    lines = []
    for whole in (field for field in blamed if not field.field):
        fields = [field for field in blamed if field.field and _argument_key(field) == _argument_key(whole)]
        at_once = [field for field in fields if field.since == whole.since and field.back_to is None]
        values = ", ".join(f"{field.field} {_value_text(field.value)}" for field in at_once)
        lines.append(one_line(f"{whole.section} {whole.argument or op}{': ' if values else ''}{values}"))
        back = "" if whole.back_to is None else f"; it was there until {whole.back_to.date}"
        lines.append(f"    {_since_text(whole)}{back}")
        for field in fields:
            if field not in at_once:
                change = f"{_value_text(field.value)}; before {_value_text(field.before)}"
                lines.append(one_line(f"  {field.field} {change}{_reverted_text(field)}"))
                lines.append(f"    {_since_text(field)}")
    return lines


def _argument_key(blamed: FieldBlame) -> tuple[str, str]:
    return blamed.section, blamed.argument


def _since_text(blamed: FieldBlame) -> str:
    commit = blamed.since
    if blamed.is_start:
        return f"as in the first revision of the history, {commit.date} {commit.id[:10]}"
    pull_request = "" if commit.pull_request is None else f" #{commit.pull_request}"
    first = f"first in {one_line(blamed.releases[0])}" if blamed.releases else "in no release"
    return f"since {commit.date} {commit.id[:10]}{pull_request}, {first}"


def _reverted_text(blamed: FieldBlame) -> str:
    return "" if blamed.back_to is None else f", and {_value_text(blamed.value)} until {blamed.back_to.date}"


def _value_text(value: str | None) -> str:
    return "not set" if value is None else value or "none"


def _missing_op_error(history: History, op: str, at: Commit) -> OpspecError:
    """Return the error for an op that a commit lacks; its advice names the commit that added or removed the op."""
    facts = [fact for fact in history.facts_of(op) if fact.key == EXISTS]
    if not facts:
        return unknown_name("op", op, history.ops())
    gone = max((fact.went for fact in facts if fact.went is not None and fact.went <= at.number), default=None)
    commit = history.commit_at(min(fact.came for fact in facts) if gone is None else gone)
    verb = "added" if gone is None else "removed"
    advice = f"{commit.id[:10]} of {commit.date} {verb} it: --at {commit.id[:10]}{'' if gone is None else '^'}"
    # The file of a history of one op is a temporary one.
    name = history.file if history.total() is None else history.about()["source"]
    return InputError(name, f"has no op {op!r} at {at.id[:10]}", advice=advice)


def _json_value(value: str | None) -> Any:
    return json.loads(value) if value else None


def _commit_json(commit: Commit) -> dict[str, Any]:
    return {
        "commit": commit.id,
        "date": commit.date,
        "subject": commit.subject,
        "pull_request": commit.pull_request,
    }
