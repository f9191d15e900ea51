"""The parts of self-contained HTML pages: escaping templates, inlined style and script, and their policy hashes."""

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
"""Colors and fonts of all pages."""
REPORT_STYLE = os.path.join(TEMPLATES, "report.css")
"""The style of findings and tables, in addition to `BASE_STYLE`."""


def environment(folder: str, shown: Callable[[str], str]) -> Environment:
    """Return a Jinja environment for the templates of a folder.

    Every text that a template prints passes through `shown`, which shortens it, and is then escaped.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    def printed(value: Any) -> Any:
        return shown(value) if type(value) is str else value

    # StrictUndefined, as a misspelt name in a template must fail and not print nothing.
    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=printed,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def address(text: str) -> Markup:
    """Return a text, percent-encoded as a part of an address, as safe markup."""
    from urllib.parse import quote

    from markupsafe import Markup

    return Markup(quote(text, safe=""))  # noqa: S704 - letters, digits and %


def inline_files(*paths: str) -> Markup:
    """Return the contents of styles or scripts of this package, concatenated, as safe markup."""
    from markupsafe import Markup

    texts = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            texts.append(file.read())
    return Markup("".join(texts))  # noqa: S704 - it is no data


def policy_hash(text: str) -> str:
    """Return the hash-source that allows an inline style or script in a Content-Security-Policy (CSP level 2)."""
    import base64
    import hashlib

    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
