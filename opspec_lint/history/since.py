"""Adds to findings the revision and release since which models can rely on what changes, by a history."""

from __future__ import annotations

import json

from opspec_lint.history.releases import tags_containing, without_previews
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
    from opspec_lint.history.timeline import ValueSpan
    from opspec_lint.report.findings import Comparison, Finding
    from opspec_lint.spec.fields import Field, Section

_SECTIONS: dict[str, Section] = {"op": "ops", "input": "inputs", "output": "outputs", "attr": "attrs"}


def with_since(comparisons: Iterable[Comparison], history: History) -> Iterator[Comparison]:
    """Yield the comparisons with the origin of the base state in each finding.

    If base is no revision of the history, its last revision is used. A comparison of another framework is left
    unchanged. Raises InputError if the file is damaged.
    """
    framework = framework_of(history)
    last = history.last()
    for comparison in comparisons:
        at = history.commit_with_id(comparison.base.provenance.commit or "") or last
        if at is None or comparison.base.provenance.framework != framework:
            yield comparison
            continue
        finder = _SinceFinder(history, at, framework)
        yield Steps(dated=finder.add_since).apply(comparison)


def framework_of(history: History) -> str:
    """Return the framework of the ops in a history, "" if the history is empty."""
    last = history.last()
    facts = [] if last is None else history.facts(last.number, op="")
    provenance = next((fact.value for fact in facts if fact.key == ("spec", "", "provenance")), "{}")
    return str(json.loads(provenance).get("framework", ""))


def value_text(field: Field | None, value: Any) -> str | None:
    """Return a value of a finding as the history stores it: JSON text, or None for the default value of its field."""
    is_default = field is not None and json.dumps(value) == json.dumps(field.default, default=str)
    return None if is_default else json.dumps(value)


class _SinceFinder:
    """Adds origins to findings at one revision; the timeline of an op is read once."""

    def __init__(self, history: History, at: Commit, framework: str) -> None:
        self._history = history
        self._at = at
        self._table = fields.field_table(framework)
        self._tags = history.tags()
        self._lines: dict[str, dict[Key, list[ValueSpan]]] = {}

    def add_since(self, finding: Finding) -> Finding:
        """Return the finding with the origin of its base state; unchanged if the history does not know it."""
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
        spans = lines.get((finding.kind, argument, field), [whole[-1].replace(value=None)]) if field else whole
        value = value_text(self._table.fields_of(section).get(field), finding.new)
        earlier = next((span for span in reversed(spans[:-1]) if field and span.value == value), None)
        return finding.replace(since=self._make_since(spans[-1], earlier))

    def _make_since(self, now: ValueSpan, earlier: ValueSpan | None) -> Since:
        """Return since when a value is in force, in which releases, and until when an earlier span had it."""
        commit = self._history.commit_at(now.start)
        releases = without_previews(tags_containing(now.start, self._tags))
        ended = None if earlier is None or earlier.end is None else self._history.commit_at(earlier.end)
        began = None if earlier is None else self._history.commit_at(earlier.start)
        return Since(
            commit=commit.id,
            date=commit.date,
            pull_request=commit.pull_request,
            is_start=now.start == 0,
            release=releases[0] if releases else None,
            released=next((tag.date for tag in self._tags if releases and tag.name == releases[0]), None),
            releases=len(releases),
            back_to=None if began is None else began.id,
            until=None if ended is None else ended.date,
        )
