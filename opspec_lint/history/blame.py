"""Since when each argument and field of an op is what it is, and what it was before."""

from __future__ import annotations

import json

from opspec_lint.history.releases import containing, final
from opspec_lint.kit.errors import InputError, unknown_name
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from opspec_lint.history.store import Commit, Fact, History

EXISTS, WITHHELD = ("op", "", ""), ("op", "", "unresolved")
_SECTIONS = ("op", "input", "output", "attr", "op_version")
_LEFT_OUT = ("unknown", "unresolved")
"""Fields that say what the source does not, and nothing of the op."""


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
    facts = [each for each in history.facts_of(op) if each.key[0] in _SECTIONS and each.came <= at.number]
    if not facts:
        raise unknown_name("op", op, history.ops())
    by_key: dict[tuple[str, str, str], list[Fact]] = {}
    for fact in facts:
        by_key.setdefault(fact.key, []).append(fact)
    if not _holds(by_key.get(EXISTS, ()), at.number):
        raise _not_there(history, op, at, by_key.get(EXISTS, ()))
    commits, tags = history.commits(), history.tags()
    found = []
    for (section, argument, field), turns in by_key.items():
        life = _stays(by_key.get((section, argument, ""), ()), 0, at.number)[-1]
        if life[0] is None or field in _LEFT_OUT:
            continue
        *earlier, (value, number, _) = _stays(turns, life[1] if field else 0, at.number)
        back = next((end for same, _, end in reversed(earlier) if same == value), None)
        found.append(
            Blamed(
                section=section,
                argument=argument,
                field=field,
                value=value,
                before=earlier[-1][0] if earlier else None,
                since=commits[number],
                is_start=number == 0,
                releases=tuple(final(containing(number, tags))),
                back_to=None if back is None else commits[back],
            )
        )
    return sorted(found, key=lambda each: (_SECTIONS.index(each.section), each.argument, each.field))


def to_json(blamed: Sequence[Blamed], op: str, at: Commit) -> str:
    """Return what is said of an op as JSON text."""
    fields = [
        {
            "section": each.section,
            "argument": each.argument or None,
            "field": each.field or None,
            "value": _plain(each.value),
            "before": _plain(each.before),
            "since": _commit(each.since),
            "is_start": each.is_start,
            "releases": list(each.releases),
            "back_to": None if each.back_to is None else _commit(each.back_to),
        }
        for each in blamed
    ]
    return json.dumps({"version": 1, "op": op, "at": _commit(at), "fields": fields}, indent=1) + "\n"


def to_text(blamed: Sequence[Blamed], op: str, at: Commit) -> str:
    """Return what is said of an op as text: a line for each argument, and one for each field that changed later."""
    lines = [f"{op} at {at.id[:10]} of {at.date}", ""]
    for whole in (each for each in blamed if not each.field):
        fields = [each for each in blamed if each.field and _of(each) == _of(whole)]
        at_once = [each for each in fields if each.since == whole.since and each.back_to is None]
        said = ", ".join(f"{each.field} {_shown(each.value)}" for each in at_once)
        lines.append(one_line(f"{whole.section} {whole.argument or op}{': ' if said else ''}{said}"))
        back = "" if whole.back_to is None else f"; it was there until {whole.back_to.date}"
        lines.append(f"    {_since(whole)}{back}")
        for each in fields:
            if each not in at_once:
                lines.append(
                    one_line(f"  {each.field} {_shown(each.value)}; before {_shown(each.before)}{_back(each)}")
                )
                lines.append(f"    {_since(each)}")
    return "\n".join(lines) + "\n"


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


def _stays(turns: Iterable[Fact], born: int, at: int) -> list[tuple[str | None, int, int | None]]:
    """Return the values of a field from the number of one revision to that of another, each with its first and its end.

    None stands for the default value; the end of the last one is None.
    """
    found: list[tuple[str | None, int, int | None]] = []
    place: int | None = born
    for each in sorted(turns, key=_came):
        if place is None or (each.went is not None and each.went <= born):
            continue
        if each.came > place:
            found.append((None, place, each.came))
        place = None if each.went is None or each.went > at else each.went
        found.append((each.value, max(each.came, born), place))
    return found if place is None else [*found, (None, place, None)]


def _holds(facts: Iterable[Fact], at: int) -> bool:
    return any(each.came <= at and (each.went is None or each.went > at) for each in facts)


def _came(fact: Fact) -> int:
    return fact.came


def _not_there(history: History, op: str, at: Commit, exists: Sequence[Fact]) -> InputError:
    ends = [each.went for each in exists if each.went is not None]
    problem = f"has no op {op!r} at {at.id[:10]}"
    if not ends:
        return InputError(history.file, problem)
    gone = history.commits()[max(ends)]
    return InputError(history.file, problem, advice=f"{gone.id[:10]} of {gone.date} removed it: --at {gone.id[:10]}^")


def _plain(value: str | None) -> Any:
    return json.loads(value) if value else None


def _commit(commit: Commit) -> dict[str, Any]:
    return {
        "commit": commit.id,
        "date": commit.date,
        "subject": commit.subject,
        "pull_request": commit.pull_request,
    }
