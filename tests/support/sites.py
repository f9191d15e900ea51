"""Sites of invented releases, and readers of their pages."""

from __future__ import annotations

import functools
import html
import http.server
import posixpath
import re
import shlex
import threading
from contextlib import contextmanager
from html.parser import HTMLParser

from opspec_lint.site import build
from opspec_lint.site.releases import lines
from opspec_lint.spec.model import Provenance
from opspec_lint.spec.notation import parse_spec


def spec(text, version="1.0", framework="paddle", **more):
    """Return a spec of some lines of the notation."""
    parsed = parse_spec(text, framework=framework, binding=more.pop("binding", "name"))
    return parsed.replace(
        provenance=Provenance(framework=framework, version=version), file=f"{framework}@{version}", **more
    )


def specs(*texts, framework="paddle"):
    """Releases 1.0, 2.0 and so on of a framework, each by its lines, or by its spec."""
    named_specs = []
    for number, text in enumerate(texts, 1):
        made = spec(text, f"{number}.0", framework) if isinstance(text, str) else text
        named_specs.append((f"{framework}@{number}.0", made))
    return tuple(named_specs)


def line(*texts, framework="paddle"):
    """Return the line of such releases."""
    return lines(specs(*texts, framework=framework))[0]


def site(*texts, framework="paddle", **more):
    """Return the files of a site of such releases, by path."""
    return files(specs(*texts, framework=framework), **more)


def files(named, **more):
    """Return the files of a site of releases, by path."""
    sources = build.Sources(specs=tuple(named), **more)
    return {path: text if isinstance(text, str) else "".join(text) for path, text in build.files(sources)}


class _Page(HTMLParser):
    """The tables of a page, each a list of rows of cells."""

    def __init__(self):
        super().__init__()
        self.tables = []
        self._is_in_cell = False

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        if tag == "table":
            self.tables.append((named.get("class"), []))
        elif tag == "tr":
            self.tables[-1][1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][1][-1].append("")
            self._is_in_cell = True

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self._is_in_cell = False

    def handle_data(self, data):
        if self._is_in_cell:
            self.tables[-1][1][-1][-1] += data


def table(text, name):
    """Return the rows of the first table of a class, without its heading."""
    page = _Page()
    page.feed(text)
    rows = next(rows[1:] for kind, rows in page.tables if kind == name)
    return [[re.sub(r"\s+", " ", cell).strip() for cell in row] for row in rows]


def broken(pages):
    """Return the links that lead nowhere, with the page that each is on."""
    ids, links = {}, []
    for path, text in pages.items():
        if path.endswith(".html"):
            every = re.findall(r' id="([^"]*)"', text)
            ids[path] = set(every)
            assert len(ids[path]) == len(every), path
            for link in dict.fromkeys(re.findall(r' (?:href|src)="([^"]*)"', text)):
                target, _, fragment = link.partition("#")
                place = posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) if target else path
                links += [] if link == "data:," else [(path, link, place, fragment)]
    return [
        (path, link)
        for path, link, place, fragment in links
        if place not in pages or (fragment and fragment not in ids[place])
    ]


_SECTION = re.compile(r'<section class="loads".*?</section>', re.DOTALL)
_COMMAND = re.compile(r"<code>(opspec-lint check .*?)</code>")
_ROW = re.compile(r'<tr><th scope="row"><bdi>(.*?)</bdi></th><td>(.*?)</td>\s*<td>(.*?)</td></tr>', re.DOTALL)
_RANGE = re.compile(r'<bdi class="range">(.*?)</bdi>')
_REASON = re.compile(
    r'<span class="word \w+">(.*?)</span> <b><bdi>(.*?)</bdi></b> .*?<small>(?:<a href="[^"]*">(.*?)</a>)?', re.DOTALL
)


def where(text):
    """Yield the rows of the page of an op that are about models: the command, the releases, ranges and reasons."""
    for section in _SECTION.findall(text):
        command = shlex.split(html.unescape(_COMMAND.search(section)[1]))
        for saved, ranges, reasons in _ROW.findall(section):
            yield command, html.unescape(saved), _RANGE.findall(ranges), _REASON.findall(reasons)


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Say nothing."""


def written(pages, folder):
    for path, text in pages.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


@contextmanager
def serve(folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
