"""Configuration of the docs site: `.ci/docs` runs Sphinx with `-c tools/docs`, in an environment with the extra `docs`.

The pages are the ones that a code host shows: Markdown with relative links. A link that leads nowhere, to a page, a
heading or a file, is a warning, and -W makes that an error. A link to a file outside of docs/ becomes a download. The
navigation is the list of pages on index.md.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from opspec_lint import __version__

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "opspec-lint"
author = "the authors of opspec-lint"
release = version = __version__
extensions = ["myst_parser"]
html_theme = "furo"
html_title = f"opspec-lint {release}"
html_copy_source = html_show_sourcelink = False
nitpicky = True
smartquotes = False  # or `--` becomes a dash where an option is not in code
myst_heading_anchors = 4

RULES = "reference/rules/index"
SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
PAGE = re.compile(r"\]\(([\w./-]+)\.md\)")


def setup(app: Sphinx) -> None:
    """Add the navigation to each page when Sphinx reads it."""
    app.connect("source-read", add_navigation)


def add_navigation(_: Sphinx, page: str, source: list[str]) -> None:
    """Append the toctrees, from which Sphinx makes its navigation, to the home page and to the list of rules."""
    if page == "index":
        introduction, *sections = SECTION.split(source[0])
        seen: set[str] = set()
        parts = [("", introduction), *zip(sections[::2], sections[1::2], strict=True)]
        trees = [tree(caption, unseen(PAGE.findall(text), seen)) for caption, text in parts]
        source[0] += "\n" + "\n".join(trees)
    elif page == RULES:
        source[0] += "\n" + tree("", unseen(PAGE.findall(source[0]), set()))


def unseen(pages: list[str], seen: set[str]) -> list[str]:
    """Return the pages that are not in `seen`, and add them to it."""
    new = [page for page in dict.fromkeys(pages) if page not in seen]
    seen.update(new)
    return new


def tree(caption: str, pages: list[str]) -> str:
    """Return one toctree, hidden on the page itself."""
    options = [":hidden:", *([f":caption: {caption}"] if caption else [])]
    return "\n".join(["```{toctree}", *options, "", *pages, "```", ""])
