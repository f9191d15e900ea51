"""Since when each argument and field of an op is what it is, and what it was before."""

from __future__ import annotations

import json

from opspec_lint.history.gaps import gap_json, gap_text
from opspec_lint.history.releases import containing, final
from opspec_lint.history.timeline import EXISTS, SECTIONS, timelines
from opspec_lint.kit.errors import InputError, unknown_name
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from opspec_lint.history.gaps import Gap
    from opspec_lint.history.store import Commit, History
    from opspec_lint.kit.errors import OpspecError


class Blamed(Record):
    """A field of an op or argument, and since when it is what it is.

    `section`, `argument` and `field` are those of a fact (`history/facts.py`). `value` and `before` are JSON texts:
    "" for one that only states that something exists, None for a field that has its default value, or for what did not
    exist. `since` is the commit that brought the value, and `is_start` whether that is the first one of the history, so
    that the value may be older. `releases` are the tags that contain it. `back_to` is the commit up to which the same
    value held before, None if it never did: then it was reverted to.
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


def blame(history: History, op: str, at: Commit) -> list[Blamed]:
    """Return the fields of an op at a revision, those of the op itself first, then argument by argument.

    Args:
        history: the history.
        op: the name of the op.
        at: the revision.

    Raises:
        InputError: the op does not exist at the revision.
        UsageError: there never was such an op.
    """
    lines = timelines(history, op, at.number)
    if not lines:
        raise _not_there(history, op, at)
    tags = history.tags()
    found = []
    for (section, argument, field), (*earlier, now) in lines.items():
        back = next((each.end for each in reversed(earlier) if each.value == now.value), None)
        found.append(
            Blamed(
                section=section,
                argument=argument,
                field=field,
                value=now.value,
                before=earlier[-1].value if earlier else None,
                since=history.numbered(now.start),
                is_start=now.start == 0,
                releases=tuple(final(containing(now.start, tags))),
                back_to=None if back is None else history.numbered(back),
            )
        )
    return sorted(found, key=lambda each: (SECTIONS.index(each.section), each.argument, each.field))


def to_json(blamed: Sequence[Blamed], gaps: Sequence[Gap], op: str, at: Commit) -> str:
    """Return the fields of an op, and the revisions that could not be read, as JSON text."""
    fields = [
        {
            "section": each.section,
            "argument": each.argument or None,
            "field": each.field or None,
            "value": _value(each.value),
            "before": _value(each.before),
            "since": _commit(each.since),
            "is_start": each.is_start,
            "releases": list(each.releases),
            "back_to": None if each.back_to is None else _commit(each.back_to),
        }
        for each in blamed
    ]
    document = {
        "version": 1,
        "op": op,
        "at": _commit(at),
        "fields": fields,
        "unread": [gap_json(gap) for gap in gaps],
    }
    return json.dumps(document, indent=1) + "\n"


def to_text(blamed: Sequence[Blamed], gaps: Sequence[Gap], op: str, at: Commit) -> str:
    """Return the fields of an op as text: a line for each argument, and one for each field that changed later.

    The revisions that could not be read are at the end: what changed within a gap is blamed on the revision behind it.
    """
    notes = ("", *map(gap_text, gaps)) if gaps else ()
    return "\n".join((f"{op} at {at.id[:10]} of {at.date}", "", *lines(blamed, op), *notes)) + "\n"


def lines(blamed: Sequence[Blamed], op: str) -> list[str]:
    """Return the fields of an op as lines of text, two for each argument and for each field that changed later."""
    found = []
    for whole in (each for each in blamed if not each.field):
        fields = [each for each in blamed if each.field and _of(each) == _of(whole)]
        at_once = [each for each in fields if each.since == whole.since and each.back_to is None]
        said = ", ".join(f"{each.field} {_shown(each.value)}" for each in at_once)
        found.append(one_line(f"{whole.section} {whole.argument or op}{': ' if said else ''}{said}"))
        back = "" if whole.back_to is None else f"; it was there until {whole.back_to.date}"
        found.append(f"    {_since(whole)}{back}")
        for each in fields:
            if each not in at_once:
                found.append(
                    one_line(f"  {each.field} {_shown(each.value)}; before {_shown(each.before)}{_back(each)}")
                )
                found.append(f"    {_since(each)}")
    return found


def _of(each: Blamed) -> tuple[str, str]:
    return each.section, each.argument


def _since(each: Blamed) -> str:
    commit = each.since
    if each.is_start:
        return f"as in the first revision of the history, {commit.date} {commit.id[:10]}"
    pull_request = "" if commit.pull_request is None else f" #{commit.pull_request}"
    first = f"first in {one_line(each.releases[0])}" if each.releases else "in no release"
    return f"since {commit.date} {commit.id[:10]}{pull_request}, {first}"


def _back(each: Blamed) -> str:
    return "" if each.back_to is None else f", and {_shown(each.value)} until {each.back_to.date}"


def _shown(value: str | None) -> str:
    return "not set" if value is None else value or "none"


def _not_there(history: History, op: str, at: Commit) -> OpspecError:
    turns = [each for each in history.facts_of(op) if each.key == EXISTS]
    if not turns:
        return unknown_name("op", op, history.ops())
    gone = max((each.went for each in turns if each.went is not None and each.went <= at.number), default=None)
    commit = history.numbered(min(each.came for each in turns) if gone is None else gone)
    said = "added" if gone is None else "removed"
    advice = f"{commit.id[:10]} of {commit.date} {said} it: --at {commit.id[:10]}{'' if gone is None else '^'}"
    return InputError(history.file, f"has no op {op!r} at {at.id[:10]}", advice=advice)


def _value(value: str | None) -> Any:
    return json.loads(value) if value else None


def _commit(commit: Commit) -> dict[str, Any]:
    return {
        "commit": commit.id,
        "date": commit.date,
        "subject": commit.subject,
        "pull_request": commit.pull_request,
    }
