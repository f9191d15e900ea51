"""The HTML view, one self-contained page: the graph to zoom and to move in, details beside it, and audit findings.

The script draws the picture from the data in the page. Without it, the page is a table of the nodes.
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

    from opspec_lint.models.view import ShownModel

_TEMPLATES = os.path.join(os.path.dirname(os.path.dirname(__file__)), "templates")
_SCRIPTS = (
    "picture/model.js",
    "picture/layout.js",
    "picture/tree.js",
    "picture/viewport.js",
    "picture/drawing.js",
    "picture/pane.js",
    "picture/panel.js",
    "picture/search.js",
    "show.js",
)
"""The script, in the order in which its parts use each other."""
_MAX_TEXT = 20_000
"""Characters of a text; the longest one is the description of the model."""


def render(models: Iterable[ShownModel]) -> str:
    """Return the page of some models; two are side by side, with their differences."""
    from opspec_lint.models.picture.page import pages_of

    # The page allows only its own style and script, by their hashes, because names in a model may contain markup.
    style = pages.inline_files(pages.BASE_STYLE, pages.REPORT_STYLE, os.path.join(_TEMPLATES, "show.css"))
    script = pages.inline_files(*(os.path.join(_TEMPLATES, name) for name in _SCRIPTS))
    return (
        _environment()
        .get_template("show.html.jinja")
        .render(
            models=list(pages_of(models)),
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
    """Return the template environment of the page."""
    environment = pages.environment(_TEMPLATES, lambda text: shorten(text, _MAX_TEXT))
    environment.filters |= {"plural": plural, "line": one_line}
    return environment


VIEW = View(render=render, marks=True)
