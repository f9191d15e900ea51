"""Adds to findings since when models rely on what changes, as a history knows it."""

from __future__ import annotations

import json

from opspec_lint.history.releases import containing, final
from opspec_lint.history.timeline import timelines
from opspec_lint.lint.steps import Steps
from opspec_lint.report.findings import Since
from opspec_lint.spec import fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from opspec_lint.history.facts import Key
    from opspec_lint.history.store import Commit, History
    from opspec_lint.history.timeline import Stay
    from opspec_lint.report.findings import Comparison, Finding
    from opspec_lint.spec.fields import Field, Section

_SECTIONS: dict[str, Section] = {"op": "ops", "input": "inputs", "output": "outputs", "attr": "attrs"}


def with_since(comparisons: Iterable[Comparison], history: History) -> Iterator[Comparison]:
    """Yield comparisons whose findings say since when base is what it is.

    A comparison whose base is of no revision of the history counts from the last one; one of another framework is left
    as it is.

    Args:
        comparisons: the comparisons.
        history: the history.

    Raises:
        InputError: the file is damaged.
    """
    framework = framework_of(history)
    last = history.last()
    for each in comparisons:
        at = history.with_id(each.base.provenance.commit or "") or last
        if at is None or each.base.provenance.framework != framework:
            yield each
            continue
        dated = _Dated(history, at, framework)
        yield Steps(dated=dated.finding).of(each)


def framework_of(history: History) -> str:
    """Return the framework whose ops a history is about, "" if it has no revision."""
    last = history.last()
    found = [] if last is None else history.facts(last.number, op="")
    provenance = next((each.value for each in found if each.key == ("spec", "", "provenance")), "{}")
    return str(json.loads(provenance).get("framework", ""))


def value_text(field: Field | None, value: Any) -> str | None:
    """Return a value of a finding as a history has it, None for the default of its field."""
    is_default = field is not None and json.dumps(value) == json.dumps(field.default, default=str)
    return None if is_default else json.dumps(value)


class _Dated:
    """Dates findings at one revision; what is known of an op is looked up once."""

    def __init__(self, history: History, at: Commit, framework: str) -> None:
        self._history = history
        self._at = at
        self._table = fields.field_table(framework)
        self._tags = history.tags()
        self._lines: dict[str, dict[Key, list[Stay]]] = {}

    def finding(self, finding: Finding) -> Finding:
        """Return a finding with since when base is what it is; as it is where the history does not know."""
        section = _SECTIONS.get(finding.kind)
        if section is None or finding.op is None:
            return finding
        if finding.op not in self._lines:
            self._lines[finding.op] = timelines(self._history, finding.op, self._at.number)
        argument = "" if finding.kind == "op" else finding.name or ""
        lines = self._lines[finding.op]
        whole = lines.get((finding.kind, argument, ""))
        if whole is None:
            return finding
        field = finding.field or ""
        stays = lines.get((finding.kind, argument, field), [whole[-1].replace(value=None)]) if field else whole
        value = value_text(self._table.fields_of(section).get(field), finding.new)
        earlier = next((each for each in reversed(stays[:-1]) if field and each.value == value), None)
        return finding.replace(since=self._since(stays[-1], earlier))

    def _since(self, now: Stay, earlier: Stay | None) -> Since:
        commit = self._history.numbered(now.start)
        releases = final(containing(now.start, self._tags))
        ended = None if earlier is None or earlier.end is None else self._history.numbered(earlier.end)
        began = None if earlier is None else self._history.numbered(earlier.start)
        return Since(
            commit=commit.id,
            date=commit.date,
            pull_request=commit.pull_request,
            is_start=now.start == 0,
            release=releases[0] if releases else None,
            released=next((each.date for each in self._tags if releases and each.name == releases[0]), None),
            releases=len(releases),
            back_to=None if began is None else began.id,
            until=None if ended is None else ended.date,
        )
