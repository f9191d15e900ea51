"""Builds the site: its files, one after the other. The same releases give the same bytes."""

from __future__ import annotations

import json
import os
from functools import cache
from itertools import groupby

from opspec_lint.kit.errors import UsageError
from opspec_lint.kit.record import Record
from opspec_lint.lint import rulebook
from opspec_lint.report import pages
from opspec_lint.site import compat, pair_page, search
from opspec_lint.site.addresses import relative_link
from opspec_lint.site.commits import Commits
from opspec_lint.site.judgements import judgements
from opspec_lint.site.line_site import LineSite
from opspec_lint.site.releases import lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, TypeAlias

    from jinja2 import Environment
    from markupsafe import Markup

    from opspec_lint.history.store import History
    from opspec_lint.site.judgements import Judgements
    from opspec_lint.site.pair_page import Entry
    from opspec_lint.spec.model import Spec

    File: TypeAlias = tuple[str, str | Iterator[str]]

_TEMPLATES = os.path.join(os.path.dirname(__file__), "templates")
_START = "index.html"
_RULES = "rules/index.html"


class Sources(Record):
    """The input of a site: the releases by name, older ones first, histories, and files of proofs.

    `ops` are names and patterns of the ops that the site is limited to, None for all.
    """

    specs: tuple[tuple[str, Spec], ...]
    histories: tuple[History, ...] = ()
    proofs: tuple[str, ...] = ()
    ops: tuple[str, ...] | None = None


class _Place(Record):
    """A page of two releases that shows findings of a rule, their title, and the number of these findings.

    `is_next` is true if the releases follow each other, or the models cross to the newest release.
    """

    file: str
    title: str
    count: int
    is_next: bool


def files(sources: Sources, progress: Callable[[int, int, str], None] | None = None) -> Iterator[File]:
    """Yield the path of each file of the site, from its top, and its text.

    Args:
        sources: the input.
        progress: called with the number of pages of ops that are done, the number of all, and the current framework.

    Raises:
        UsageError: no release has any of the ops that the site is limited to.
        InputError: a history or a file of proofs cannot be read.
    """
    from opspec_lint.documents import schema

    # The styles come first, so that every page that is there looks as it will.
    yield "site.css", pages.inline_files(pages.BASE_STYLE, os.path.join(_TEMPLATES, "site.css"))
    yield "site.js", pages.inline_files(os.path.join(_TEMPLATES, "site.js"))
    known = lines(sources.specs, sources.ops)
    if sources.ops is not None and not known:
        raise UsageError(
            "none of the ops that the site is limited to is in any of the releases",
            advice="write their names as the framework does, one a line",
        )
    sites = [
        LineSite(line, tuple(judgements(line, known, sources.proofs)), Commits(line, sources.histories))
        for line in known
    ]
    yield "compat/compat.schema.json", json.dumps(schema.load("compat"), indent=1) + "\n"
    yield "compat/index.json", compat.index_json({site.data: site.line for site in sites})
    yield from _Pages(sites, progress or _report_nothing).render_all()


def _report_nothing(done: int, total: int, current: str) -> None:
    """Ignore the progress."""


class _Pages:
    """Renders the pages of all frameworks, and gathers which rules they name."""

    def __init__(self, sites: Sequence[LineSite], progress: Callable[[int, int, str], None]) -> None:
        self._sites = sites
        self._progress = progress
        self._done = 0
        self._environment = _environment()
        self._environment.globals |= {
            "sites": sites,
            "rule_file": _rule_file,
            "breaks": pair_page.count,
            "is_limited": pair_page.is_limited,
            "has_limits": pair_page.has_limits,
        }
        self._rules: dict[str, list[_Place]] = {}

    def render_all(self) -> Iterator[File]:
        """Yield all pages, the pages of rules last."""
        yield self._page(_START, "start")
        for site in self._sites:
            yield from self._of_line(site)
            # The sites of all frameworks are built one after the other; their comparisons do not fit into memory
            # together.
            for judged in site.judged:
                judged.forget()
        for rule, places in sorted(self._rules.items()):
            yield self._page(_rule_file(rule), "rule", rule=rulebook.load(rule), places=places)
        yield self._page(_RULES, "rules", rules=[rulebook.load(rule) for rule in sorted(self._rules)])

    def _of_line(self, site: LineSite) -> Iterator[File]:
        """Yield the files of one line of releases, such as Paddle's legacy ops: lists, ops, pairs, search, data."""
        yield self._page(site.top, "line", site=site)
        for number in range(len(site.lists)):
            yield self._page(site.list_file(number), "ops", site=site, number=number, rows=site.list_rows(number))
        total = sum(len(line_site.pages) for line_site in self._sites)
        for name, ops in site.pages.items():
            self._progress(self._done, total, site.line.title)
            self._done += 1
            others = [another for another in self._sites if another is not site and name in another.files]
            lead = site.view.summaries.of_page(ops)
            shown = {"name": name, "ops": site.view.views(ops), "others": others, "lead": lead}
            yield self._page(site.files[name], "op", site=site, **shown)
        op_cell = self._op_cell(site)
        for judged in site.judged:
            for base, head in judged.comparisons:
                if judged.has_page(base, head):
                    yield from self._of_pair(site, judged, base, head, op_cell)
        yield site.search_script, search.script(site)
        yield site.data, compat.to_json(site.line, site.ops, site.judged[0])
        if site is self._sites[-1]:
            self._progress(total, total, "")

    def _op_cell(self, site: LineSite) -> Callable[[str | None], Markup]:
        """Return a function that returns the link to an op on the pages of two releases of a line."""
        from markupsafe import Markup

        template = self._environment.get_template("op_cell.html.jinja")

        # All these pages are in one folder, and name the same few thousand ops again and again.
        @cache
        def op_cell(op: str | None) -> Markup:
            text = template.render(op=op, site=site, link=lambda target: relative_link(site.top, target))
            return Markup(text)  # noqa: S704 - the template has escaped it

        return op_cell

    def _of_pair(
        self, site: LineSite, judged: Judgements, base: int, head: int, op_cell: Callable[[str | None], Markup]
    ) -> Iterator[File]:
        """Yield the pages of the comparison of two releases; a long comparison has several."""
        view = pair_page.view(judged, base, head)
        parts = pair_page.split(view.entries)
        names = [site.pair_file(judged, base, head, part) for part in range(len(parts))]
        self._note_rules(judged, base, head, names[0])
        for part, entries in enumerate(parts):
            shown = {"view": view, "part": part, "parts": names, "groups": _by_group(entries), "op_cell": op_cell}
            yield self._page(names[part], "pair", site=site, judged=judged, **shown)

    def _note_rules(self, judged: Judgements, base: int, head: int, file: str) -> None:
        """Record the rules that the page of two releases names."""
        sides = (judged.saved, base), (judged.loading, head)
        title = " in ".join(f"{line.title} {line.releases[place].label}" for line, place in sides)
        rules = [finding.rule for finding in judged.comparisons[base, head].findings]
        is_next = head == (len(judged.loading.releases) - 1 if judged.is_crossing else base + 1)
        for rule in sorted(set(rules)):
            place = _Place(file=file, title=title, count=rules.count(rule), is_next=is_next)
            self._rules.setdefault(rule, []).append(place)

    def _page(self, page: str, template: str, **shown: Any) -> File:
        def link(target: str) -> str:
            return relative_link(page, target)

        text = self._environment.get_template(f"{template}.html.jinja").render(link=link, **shown)
        return page, f"{text}\n"


def _rule_file(rule: str) -> str:
    return f"rules/{rule}.html"


def _by_op(entries: Iterable[Entry]) -> list[list[Entry]]:
    """Return the entries in lists: adjacent entries of the same op are one list."""
    return [list(same_op) for _, same_op in groupby(entries, key=lambda entry: entry.op)]


def _by_group(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(entry.group, []).append(entry)
    return groups


def _environment() -> Environment:
    from opspec_lint.kit.text import plural
    from opspec_lint.report.page import heading, shown

    environment = pages.environment(_TEMPLATES, shown)
    environment.filters |= {"plural": plural, "name": heading, "by_op": _by_op}
    return environment
