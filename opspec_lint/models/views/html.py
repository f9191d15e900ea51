"""A page of one file: the graph folded, with a drawing of each box that is opened, a search, and what an audit found.

Every box is a `details` with a drawing of what is in it, and links from box to box, so that a browser without
JavaScript, a keyboard and a screen reader have all of it. The script searches, and opens what a link leads to.
"""

from __future__ import annotations

import os
from functools import cache

from opspec_lint.kit.text import one_line, plural, shorten
from opspec_lint.models.view import View
from opspec_lint.report import pages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jinja2 import Environment

    from opspec_lint.models.view import Seen

_TEMPLATES = os.path.join(os.path.dirname(os.path.dirname(__file__)), "templates")
_LONGEST = 20_000
"""Characters of a text; the longest is what the model says of itself."""


def render(models: Iterable[Seen]) -> str:
    """Return the page of models."""
    from opspec_lint.models.picture import layout
    from opspec_lint.models.picture.page import pages_of

    style = pages.own(pages.BASE_STYLE, pages.REPORT_STYLE, os.path.join(_TEMPLATES, "show.css"))
    script = pages.own(os.path.join(_TEMPLATES, "show.js"))
    return (
        _environment()
        .get_template("show.html.jinja")
        .render(
            models=list(pages_of(models)),
            height=layout.HEIGHT,
            style=style,
            script=script,
            style_hash=pages.policy_hash(style),
            script_hash=pages.policy_hash(script),
        )
        .rstrip("\n")
        + "\n"
    )


@cache
def _environment() -> Environment:
    from opspec_lint.models.picture import words

    environment = pages.environment(_TEMPLATES, lambda text: shorten(text, _LONGEST))
    environment.filters |= {"plural": plural, "line": one_line, "short": words.short}
    return environment


VIEW = View(render=render, marks=True)
