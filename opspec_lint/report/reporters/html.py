"""HTML, one page for a reviewer: a picture, filters, and every finding with old beside new, the witness, the advice.

The page is one self-contained file: its style and its script are in it, and a policy in it lets nothing else
load or run. What comes from a spec is text, escaped by the templates (`templates/`), and the script reads it as JSON
and never writes it as markup. Without the script the page still holds everything.
"""

from __future__ import annotations

import os
from functools import cache

from opspec_lint.kit.text import plural
from opspec_lint.report.entries import review_words
from opspec_lint.report.reporter import Reporter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jinja2 import Environment
    from markupsafe import Markup

    from opspec_lint.report.findings import Report


_TEMPLATES = os.path.join(os.path.dirname(os.path.dirname(__file__)), "templates")

_OPEN = 20
"""A report of up to so many findings shows each of them open."""
_WIDTH, _BARS = 1040, 200
"""Pixels: of the picture, and of the longest bar of a rule in it."""
_DIRECTIONS = {
    "backward": "a model saved before, on the new framework",
    "forward": "a new model, on the old framework",
}


def render(report: Report) -> str:
    """Return the report as one HTML page."""
    from opspec_lint.report import page, tally

    environment = _environment()
    style, script = (_own(name) for name in ("report.css", "report.js"))
    shown = page.page(report)
    return (
        environment.get_template("report.html.jinja")
        .render(
            report=report,
            page=shown,
            picture=tally.draw((item.finding for item in shown.items), width=_WIDTH, rule_width=_BARS),
            directions=_DIRECTIONS,
            opened=len(shown.items) <= _OPEN,
            style=style,
            script=script,
            style_hash=_hash(style),
            script_hash=_hash(script),
        )
        .rstrip("\n")
        + "\n"
    )


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from opspec_lint.report import page

    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printed,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "address": _address,
        "plural": plural,
        "review": review_words,
        "name": page.heading,
    }
    return environment


def _printed(value: Any) -> Any:
    """Return what an expression of a template prints: a text on one line, and of bounded length."""
    from opspec_lint.report import page

    return page.shown(value) if type(value) is str else value


def _address(text: str) -> Markup:
    """Return a text as a part of an address, where nothing is left that could be markup."""
    from urllib.parse import quote

    from markupsafe import Markup

    return Markup(quote(text, safe=""))  # noqa: S704 - letters, digits and %


def _own(name: str) -> Markup:
    """Return a file of our own that stands in the page as it is."""
    from markupsafe import Markup

    with open(os.path.join(_TEMPLATES, name), encoding="utf-8") as file:
        return Markup(file.read())  # noqa: S704 - it is no data


def _hash(text: str) -> str:
    """Return what a Content-Security-Policy calls a text that it allows (CSP level 2, hash-source)."""
    import base64
    import hashlib

    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


REPORTER = Reporter(
    summary="a page for reviewers, one self-contained file with a chart, filters, search and a link to each finding",
    render=render,
    wants_lines=True,
)
