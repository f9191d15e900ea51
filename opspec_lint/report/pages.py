"""What a page of one file is made of: templates that escape everything, and a style and a script that it allows."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from jinja2 import Environment
    from markupsafe import Markup

TEMPLATES = os.path.join(os.path.dirname(__file__), "templates")
BASE_STYLE = os.path.join(TEMPLATES, "base.css")
"""The colors and fonts of all our pages."""
REPORT_STYLE = os.path.join(TEMPLATES, "report.css")
"""The style of findings and tables, on top of it."""


def environment(folder: str, shown: Callable[[str], str]) -> Environment:
    """Return an environment for the templates of a folder.

    Args:
        folder: the folder.
        shown: makes of a text what an expression of a template prints of it; that is escaped.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    def printed(value: Any) -> Any:
        return shown(value) if type(value) is str else value

    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=printed,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def address(text: str) -> Markup:
    """Return a text as a part of an address, where nothing is left that could be markup."""
    from urllib.parse import quote

    from markupsafe import Markup

    return Markup(quote(text, safe=""))  # noqa: S704 - letters, digits and %


def own(*paths: str) -> Markup:
    """Return files of our own, one after the other, that stand in a page as they are."""
    from markupsafe import Markup

    texts = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            texts.append(file.read())
    return Markup("".join(texts))  # noqa: S704 - it is no data


def policy_hash(text: str) -> str:
    """Return the hash by which a Content-Security-Policy allows a text (CSP level 2, hash-source)."""
    import base64
    import hashlib

    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
