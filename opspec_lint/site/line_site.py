"""The part of the site that is about one framework: its facts, and where its pages are."""

from __future__ import annotations

import re
from functools import cached_property

from opspec_lint.kit.record import Compact
from opspec_lint.site import when
from opspec_lint.site.addresses import file_names
from opspec_lint.site.op_page import LineView
from opspec_lint.site.releases import family_of
from opspec_lint.site.timeline import timelines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from opspec_lint.site.commits import Commits
    from opspec_lint.site.judgements import Judgements
    from opspec_lint.site.releases import Line

_VERSION = re.compile("(?:_v|V)[0-9]{1,2}$")
_LISTED = 700
"""Pages of ops that one page lists."""
_DECLARATIONS = 40
"""Ops of one name on a page."""


class ListedPage(Compact):
    """A page in a list of ops: its name and file, when its ops came and went, and how often they broke models."""

    name: str
    file: str
    since: str
    until: str
    broken: int


class LineSite:
    """The pages of a framework.

    Args:
        line: its releases.
        judged: how its models are judged, under its own releases first.
        commits: finds the commit behind a change.
    """

    def __init__(self, line: Line, judged: Sequence[Judgements], commits: Commits) -> None:
        self.line = line
        self.judged = judged
        self.ops = timelines(line)
        self.view = LineView(line, self.ops, judged, commits)
        self.folder = file_names([line.framework])[line.framework]
        self.pages = _families(line, self.ops)
        self.files = {family: f"{self.folder}/op/{name}.html" for family, name in file_names(self.pages).items()}
        self.of_op = {op: self.files[family] for family, ops in self.pages.items() for op in ops}

    def versions_by_name(self, page: str) -> list[str]:
        """Return the other pages with the name of a page and another version (`expand`, `expand_v2`)."""
        return [version for version in self._by_stem[_stem(page)] if version != page]

    @cached_property
    def _by_stem(self) -> dict[str, list[str]]:
        by_stem: dict[str, list[str]] = {}
        for page in self.pages:
            by_stem.setdefault(_stem(page), []).append(page)
        return by_stem

    def since(self, page: str) -> str:
        """Return the first release with any op of a page."""
        spans = (self.ops[op].whole.spans[0] for op in self.pages[page])
        return when.since(min(spans, key=lambda span: (span.since, not span.is_older)), self.line)

    @property
    def top(self) -> str:
        """The page of the framework."""
        return f"{self.folder}/index.html"

    @property
    def data(self) -> str:
        """The file with its facts as JSON."""
        return f"compat/{self.folder}.json"

    @property
    def search_script(self) -> str:
        """The path of the script that has the names for the search."""
        return f"search/{self.folder}.js"

    @cached_property
    def lists(self) -> list[list[str]]:
        """The names on each page of the list of ops."""
        every = list(self.pages)
        return [every[start : start + _LISTED] for start in range(0, len(every), _LISTED)]

    def list_file(self, number: int) -> str:
        """Return the page of a part of the list of ops, by its number from 0."""
        return f"{self.folder}/ops-{number + 1}.html"

    def list_rows(self, number: int) -> Iterator[ListedPage]:
        """Yield the rows of a part of the list of ops, by its number from 0."""
        for name in self.lists[number]:
            ops = [self.ops[op].whole for op in self.pages[name]]
            gone = [] if any(op.is_there_last for op in ops) else [op.spans[-1] for op in ops]
            last = max(gone, key=lambda span: span.until or 0, default=None)
            yield ListedPage(
                name=name,
                file=self.files[name],
                since=self.since(name),
                until=(last and when.until(last, self.line)) or "",
                broken=sum(self.view.summaries.count_breaking_releases(op) for op in self.pages[name]),
            )

    def pair_file(self, judged: Judgements, base: int, head: int, part: int = 0) -> str:
        """Return the page of two releases, by their places; for a long one, the page of a part."""
        saved, loading = judged.saved.releases, judged.loading.releases
        names = file_names(dict.fromkeys(release.name for release in (*saved, *loading)))
        which = f"-{part + 1}" if part else ""
        return f"{self.folder}/{names[saved[base].name]}-in-{names[loading[head].name]}{which}.html"


def _stem(page: str) -> str:
    """Return the name of a page without a version: `expand` for `expand_v2`, `Sum` for `SumV2`."""
    return _VERSION.sub("", page)


def _families(line: Line, ops: Iterable[str]) -> dict[str, list[str]]:
    """Return the ops of each page, by their common name; the newest version first."""
    family = family_of(line.framework)
    by_family: dict[str, list[str]] = {}
    for op in ops:
        by_family.setdefault(family(op), []).append(op)
    pages: dict[str, list[str]] = {}
    for name in sorted(by_family):
        ordered = sorted(by_family[name], key=_by_version)
        # An op with very many versions or overloads has several pages, each small enough to open quickly.
        for start in range(0, len(ordered), _DECLARATIONS):
            page = f"{name} ({start // _DECLARATIONS + 1})" if start else name
            while start and page in by_family:
                page += "'"
            pages[page] = ordered[start : start + _DECLARATIONS]
    return pages


def _by_version(op: str) -> tuple[int, str]:
    """Return the sort key of an op: the newest version first; an op without a version comes last."""
    version = op.rpartition("@")[2]
    is_version = version.isascii() and version.isdecimal() and len(version) < 10
    return -int(version) if is_version else 0, op
