"""The reporter `html`: a page for reviewers with a chart, filters, and every finding with old and new values.

The page is one self-contained file: style and script are inlined, and its Content-Security-Policy lets nothing else
load or run. Texts of a spec are escaped by the templates (`templates/`); the script reads them as JSON and never writes
markup. Without the script, the page still shows everything.
"""

from __future__ import annotations

import os
from functools import cache

from opspec_lint.kit.text import one_line, plural
from opspec_lint.report import details, pages
from opspec_lint.report.reporter import Reporter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jinja2 import Environment
    from markupsafe import Markup

    from opspec_lint.fixes.fix import Fix
    from opspec_lint.report.findings import Report


_TEMPLATES = pages.TEMPLATES

_PART = 1000
"""Number of pieces that Jinja joins to a part of the page."""
_OPEN = 20
"""Greatest number of findings that a page shows unfolded."""
_WIDTH, _BARS = 1040, 200
"""Widths in pixels of the chart, and of the longest bar of a rule in it."""
_DIRECTIONS = {
    "backward": "an existing model, on the new framework",
    "forward": "a new model, on the old framework",
}


def render(report: Report) -> str:
    """Return the report as one HTML page."""
    return "".join(parts(report))


def parts(report: Report) -> Iterator[str]:
    """Yield the page in parts, as it has about 1.5 KB per finding."""
    from opspec_lint.report import page, tally

    environment = _environment()
    style = pages.inline_files(pages.BASE_STYLE, pages.REPORT_STYLE)
    script = pages.inline_files(os.path.join(_TEMPLATES, "report.js"))
    shown = page.page(report)
    stream = environment.get_template("report.html.jinja").stream(
        report=report,
        page=shown,
        picture=tally.draw((item.finding for item in shown.items), width=_WIDTH, rule_width=_BARS),
        directions=_DIRECTIONS,
        sides=details.SIDES,
        opened=len(shown.items) <= _OPEN,
        style=style,
        script=script,
        style_hash=pages.policy_hash(style),
        script_hash=pages.policy_hash(script),
    )
    # Jinja yields every tag and expression by itself: a write for each would take longer than the page.
    stream.enable_buffering(_PART)
    yield from stream
    yield "\n"


@cache
def _environment() -> Environment:
    """Return the Jinja environment with the filters of the page."""
    from opspec_lint.report import page

    environment = pages.environment(_TEMPLATES, page.shown)
    environment.filters |= {
        "address": pages.address,
        "plural": plural,
        "patch": _patch,
        "name": page.heading,
    }
    return environment


def _patch(fix: Fix) -> Markup:
    """Return the diff of a fix, line by line with unprintable characters escaped, as safe markup."""
    from markupsafe import escape

    from opspec_lint.fixes.unified import fix_diff

    return escape("\n".join(map(one_line, fix_diff(fix).split("\n"))))


REPORTER = Reporter(
    summary="a page for reviewers: one self-contained file with a chart, filters, search and a link to each finding",
    render=render,
    parts=parts,
    wants_lines=True,
    wants_fixes=True,
)
